"""The lines of docs/api.md, typed into a shell as they stand."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[3] / "docs"


def test_the_curl_lines_work(sites: Any, homes: tuple[Path, Path], tmp_path: Path) -> None:
    if not shutil.which("curl"):
        pytest.skip("no curl on this machine")
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / "api.md").read_text(encoding="utf-8"), re.DOTALL)
    script = "\n".join(blocks).replace("http://127.0.0.1:8000", sites().address)
    assert script.count("curl") > 15
    shutil.copy(homes[0] / "food/banana.png", tmp_path / "beach.jpg")
    # Any answer that is an error ends the script.
    strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
    done = subprocess.run(
        ["bash", "-c", strict + script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-600:] + done.stderr[-600:]
    assert (tmp_path / "small.webp").read_bytes()[8:12] == b"WEBP"


def test_the_python_lines_work(sites: Any, homes: tuple[Path, Path], tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "api.md").read_text(encoding="utf-8"), re.DOTALL)
    script = "\n".join(blocks).replace("http://127.0.0.1:8000", sites().address)
    shutil.copy(homes[0] / "food/banana.png", tmp_path / "beach.jpg")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-600:]
    assert re.search(r"^1 \S+ \d", done.stdout, re.MULTILINE), done.stdout


def test_the_pictures_of_the_docs_are_there_and_small() -> None:
    for page in ("web.md", "api.md"):
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (DOCS / page).read_text(encoding="utf-8")):
            assert 0 < (DOCS / name).stat().st_size < 200_000, name
