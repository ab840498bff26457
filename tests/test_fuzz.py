"""A bounded run of the long fuzzing in benchmarks/: spoilt files and requests, none with a traceback."""

import os
import subprocess
import sys
from pathlib import Path

from tests.command import SOURCE

FUZZ = Path(__file__).parents[1] / "benchmarks" / "fuzz.py"


def test_no_spoilt_file_or_request_ends_in_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZ), "--rounds", "25"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "25 rounds for each of" in done.stdout
