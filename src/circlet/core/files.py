"""Text files on disk: read with errors that say what to do, written whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from circlet.core.errors import DataError, UsageError

# A path that leads nowhere was named wrongly; whatever else goes wrong lies with the file.
_NAMED_WRONGLY = (FileNotFoundError, IsADirectoryError, NotADirectoryError)


def read_text(path: Path | str, remedy: str) -> str:
    """A file's text; the mark that some programs put before UTF-8 is no part of it.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a.json"
    >>> _ = path.write_bytes(b"\\xef\\xbb\\xbf[]")
    >>> read_text(path, "name another file")
    '[]'
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise unread(path, error, remedy) from None


def unread(path: Path | str, error: OSError | UnicodeDecodeError, remedy: str) -> DataError | UsageError:
    """The error to raise for a file that could not be read: its name, the cause, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return DataError(f"{path}: not text in UTF-8; {remedy}")
    kind = UsageError if isinstance(error, _NAMED_WRONGLY) else DataError
    return kind(f"{path}: {error.strerror or error}; {remedy}")


@contextmanager
def written_whole(path: Path | str) -> Iterator[TextIO]:
    """A text file to write to; what was there stays until everything is written.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "new" / "a.txt"
    >>> with written_whole(path) as file:
    ...     _ = file.write("ä")
    >>> path.read_text(encoding="utf-8")
    'ä'
    """
    path = Path(path)
    # A pipe or a device is written to as it is: moving a file onto it would destroy it.
    straight = path.exists() and not path.is_file()
    end = path if straight else path.resolve()
    half = end if straight else end.with_name(end.name + ".part")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        end.parent.mkdir(parents=True, exist_ok=True)
        with half.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        if not straight:
            half.replace(end)
    except OSError as error:
        cause = error.strerror or error
        raise UsageError(f"{path}: cannot be written there ({cause}); name another file") from None
    finally:
        if not straight:
            with suppress(OSError):
                half.unlink()
