"""What names a picture that lies elsewhere: `s3://bucket/key`, or an address of a web server.

Such a picture's id is its address. Whoever opens a picture by its path opens one of these the same way: a
`Path` folds the two slashes of an address into one, and `address_of` unfolds them. No picture on a disk can
be mistaken for one, because ids of files are absolute.
"""

import os
import re
from pathlib import Path

SCHEMES = ("s3", "http", "https")
# Places that together hold every picture of an index, whichever of them there are.
EVERYWHERE = (os.sep, *(f"{scheme}:" for scheme in SCHEMES))
_ADDRESS = re.compile(rf"({'|'.join(SCHEMES)}):/{{1,2}}([^/].*)", re.DOTALL)


def address_of(path: str | os.PathLike[str]) -> str | None:
    """The address that this stands for, also after a `Path` folded its slashes; None for a file.

    >>> address_of("s3://bucket/a.jpg"), address_of(Path("s3://bucket/a.jpg")), address_of("/p/a.jpg")
    ('s3://bucket/a.jpg', 's3://bucket/a.jpg', None)
    """
    found = _ADDRESS.fullmatch(os.fspath(path))
    return f"{found[1]}://{found[2]}" if found else None


def id_of(path: str | os.PathLike[str]) -> str:
    """The id of the picture, or the root, that this path stands for.

    >>> id_of(Path("s3://bucket/a.jpg")), id_of("/p/a.jpg")
    ('s3://bucket/a.jpg', '/p/a.jpg')
    """
    return address_of(path) or os.fspath(path)


def place_of(named: str | os.PathLike[str]) -> Path:
    """The path by which a folder, a list or a bucket goes that somebody named.

    >>> place_of("s3://bucket/") == Path("s3://bucket")
    True
    """
    return Path(named) if address_of(named) else Path(named).expanduser().resolve()
