"""Opening a file without surprises: regular files only, and every failure in one plain line."""

import errno
import os
import stat
from io import BufferedReader, BytesIO
from pathlib import Path

from circlet.core import PictureError, UnreadableError
from circlet.images.addresses import address_of, id_of

_CAUSES = {
    errno.ENOENT: "no such file: it was moved or deleted",
    errno.EACCES: "permission denied: make it readable for you",
    errno.EPERM: "permission denied: make it readable for you",
    errno.ELOOP: "a link that leads back to itself",
    errno.ENAMETOOLONG: "the name is too long for this system",
    errno.ENOTDIR: "no such file: part of its path is not a folder",
    errno.EIO: "the disk failed to read it",
    errno.ESTALE: "the network drive no longer has it",
}
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def shown(path: str | os.PathLike[str]) -> str:
    """A path on one line that any terminal can print: control characters and raw bytes escaped.

    >>> shown("two\\nlines.jpg")
    'two\\\\nlines.jpg'
    """
    text = id_of(path)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cause(error: OSError) -> str:
    """Why the system refused, in plain words.

    >>> cause(FileNotFoundError(2, "No such file"))
    'no such file: it was moved or deleted'
    """
    return _CAUSES.get(error.errno or 0) or (error.strerror or str(error) or "unreadable").lower()


def kind(mode: int) -> str | None:
    """What a file that is not a regular one is: a folder, a pipe, a device; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    return next((name for test, name in _KINDS if test(mode)), "not a regular file")


def open_regular(path: Path) -> BufferedReader | BytesIO:
    """The file, opened for reading; a pipe or a device is refused without waiting for it.

    Of a picture that lies elsewhere (`images/remote.py`), all bytes, fetched now.
    """
    if address := address_of(path):
        from circlet.images.remote import fetch

        return BytesIO(fetch(address))
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to would otherwise wait forever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise UnreadableError(f"{shown(path)}: {cause(error)}") from None
    except ValueError:
        raise PictureError(f"{shown(path)}: the name holds a zero byte") from None
    if other := kind(os.fstat(handle).st_mode):
        os.close(handle)
        raise PictureError(f"{shown(path)}: {other}, not a picture file")
    return open(handle, "rb")  # noqa: PTH123 (a descriptor, and the caller closes it)
