"""Where circlet keeps everything: one folder, moved by CIRCLET_HOME."""

import os
import stat
from contextlib import suppress
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


def keep_private(folder: Path) -> None:
    """Make the folder if it is not there, and shut it to everybody but its owner.

    What circlet keeps tells the paths of pictures and holds small copies of them. A folder that is
    somebody else's, or of everybody's as /tmp is, stays as it is; where none can be made, whoever
    writes there says why.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "home"
    >>> keep_private(place)
    >>> oct(place.stat().st_mode & 0o777)
    '0o700'
    """
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
        mode = folder.stat().st_mode
        if mode & 0o077 and not mode & stat.S_ISVTX:
            folder.chmod(stat.S_IMODE(mode) & 0o700)


def room(name: str) -> Path:
    """The folder of this name under home, which is there from now on, and private."""
    keep_private(home())
    return home() / name
