"""Where circlet keeps everything: one folder, moved by CIRCLET_HOME."""

import os
from pathlib import Path


def home() -> Path:
    """The folder that holds indexes, prepared models and sessions; it may not exist yet.

    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, CIRCLET_HOME="/srv/circlet"):
    ...     home().as_posix()
    '/srv/circlet'
    """
    folder = os.environ.get("CIRCLET_HOME")
    return Path(folder).expanduser() if folder else Path.home() / ".circlet"
