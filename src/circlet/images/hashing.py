"""One short name for a file's content, so that a renamed picture is recognised."""

import hashlib
from functools import partial
from pathlib import Path

from circlet.core import UnreadableError
from circlet.images.files import cause, open_regular, shown

_digest = partial(hashlib.blake2b, digest_size=16)


def content_hash(source: Path | bytes) -> str:
    """The content's hash as 32 hexadecimal digits; equal bytes, equal hash, whatever the name.

    >>> content_hash(b"")
    'cae66941d9efbd404e4d88758ea67670'
    """
    if isinstance(source, bytes):
        return _digest(source).hexdigest()
    with open_regular(source) as file:
        try:
            return hashlib.file_digest(file, _digest).hexdigest()
        except OSError as error:
            raise UnreadableError(f"{shown(source)}: {cause(error)}") from None
