"""One writer at a time, by a lock that the system drops when its process dies."""

import errno
import os
import sys
from pathlib import Path

from circlet.core import BusyError

# What the systems say when somebody else holds the lock; anything else is a failure of the disk.
_HELD = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}


class WriterLock:
    """Holds `folder/lock` until `release`; a second holder gets a `BusyError` at once.

    The file may lie about after a crash: what counts is the system's lock on it.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "lock"
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(self._handle)
        except OSError as error:
            holder = os.read(self._handle, 32).decode("ascii", "replace").strip()
            os.close(self._handle)
            if error.errno not in _HELD:
                raise
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise BusyError(
                f"{who} is writing to the index at {folder}: wait until it is done, or stop it"
            ) from None
        os.ftruncate(self._handle, 0)
        os.write(self._handle, str(os.getpid()).encode())

    def release(self) -> None:
        """Let the next writer in."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        # Far beyond the process number, so that others can read who holds it.
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        os.lseek(handle, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
