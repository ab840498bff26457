"""What the system and SQLite say when a store fails, as one line with the remedy."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from circlet.core import BusyError, StoreError, UsageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turns failures of the disk and the database under `folder` into a `StoreError`.

    >>> with explained(Path("/idx")):
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    circlet.core.errors.StoreError: the disk of the index at /idx is full: free some space ...
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _database(folder, error) from error
    except OSError as error:
        raise _system(folder, error) from error
    except UnicodeEncodeError as error:
        name = error.object.encode("utf-8", "backslashreplace").decode()
        raise UsageError(f"{name}: this name is not valid text, so no index can hold it: rename it") from None


def _system(folder: Path, error: OSError) -> StoreError:
    if error.errno in _FULL:
        return _full(folder)
    if error.errno in _FORBIDDEN:
        return _forbidden(folder)
    return StoreError(f"the index at {folder} cannot be used: {(error.strerror or str(error)).lower()}")


def _database(folder: Path, error: sqlite3.Error) -> StoreError:
    message = str(error).lower()
    if "full" in message:
        return _full(folder)
    if "readonly" in message or "read-only" in message:
        return _forbidden(folder)
    if "locked" in message or "busy" in message:
        return BusyError(f"another process is changing the index at {folder}: try again in a moment")
    if "malformed" in message or "not a database" in message or "no such" in message:
        return StoreError(
            f"the index at {folder} is damaged ({message}): move that folder away and "
            "run `circlet index` again"
        )
    if "unable to open" in message:
        return StoreError(
            f"the index at {folder} cannot be opened: make sure that you may read it, and if it lies on a "
            "read-only disk, copy it to one that can be written"
        )
    return StoreError(f"the index at {folder} cannot be used: {message}")


def _full(folder: Path) -> StoreError:
    return StoreError(
        f"the disk of the index at {folder} is full: free some space and run the command again "
        "(what was finished before is kept)"
    )


def _forbidden(folder: Path) -> StoreError:
    return StoreError(
        f"the index at {folder} is read-only for you: change its permissions, "
        "or keep an index of your own by setting CIRCLET_HOME"
    )
