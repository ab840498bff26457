"""Tests keep what circlet keeps in a folder of their own, never in the home of whoever runs them."""

import getpass
import os
import tempfile
from pathlib import Path


def pytest_configure() -> None:
    """One folder for all runs and workers: the built-in networks are prepared in it only once.

    Only tests about it have people counted and text read, which takes its time.
    """
    os.environ["CIRCLET_LOOK"] = "none"
    os.environ.setdefault(
        "CIRCLET_HOME", str(Path(tempfile.gettempdir()) / f"circlet-tests-{getpass.getuser()}")
    )
