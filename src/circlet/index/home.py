"""Where circlet keeps everything it keeps."""

import os
from pathlib import Path


def home() -> Path:
    """The folder named by CIRCLET_HOME, or `.circlet` in the user's home.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, CIRCLET_HOME="/srv/circlet"):
    ...     home().as_posix()
    '/srv/circlet'
    """
    said = os.environ.get("CIRCLET_HOME")
    return Path(said).expanduser() if said else Path.home() / ".circlet"
