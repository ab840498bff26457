"""Python reads this before anything else, where it finds it: an indexer waits here at a shut gate.

`Gate` in tests/app/patience.py holds the lock, and sees to it that a server's indexer comes by.
"""

import os
import sys
from pathlib import Path

if "CIRCLET_GATE" in os.environ and "circlet.app.http.worker" in sys.orig_argv:
    import fcntl

    with Path(os.environ["CIRCLET_GATE"]).open() as gate:
        fcntl.flock(gate, fcntl.LOCK_SH)
