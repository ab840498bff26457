"""Where circlet keeps everything: one folder, moved by CIRCLET_HOME."""

import os
from pathlib import Path


def home() -> Path:
    """The folder that holds indexes, prepared models and sessions; it may not exist yet.

    >>> import os
    >>> os.environ["CIRCLET_HOME"] = "/tmp/somewhere"
    >>> home().name
    'somewhere'
    >>> del os.environ["CIRCLET_HOME"]
    """
    named = os.environ.get("CIRCLET_HOME")
    return Path(named).expanduser() if named else Path.home() / ".circlet"
