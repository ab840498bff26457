"""Where the real annotation files lie, if they do."""

import os
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("CIRCLET_SHARED_DATA", Path(__file__).parents[3] / "shared" / "data"))


def real(dataset: str) -> Path:
    """The folder of a real dataset; the test is skipped where it is not there."""
    folder = ROOT / dataset
    if not folder.is_dir():
        pytest.skip(f"the annotation files of {dataset} are not here (set CIRCLET_SHARED_DATA)")
    return folder
