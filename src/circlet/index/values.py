"""What goes into a store and comes out of it: entries, keys, counts."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One picture of the catalogue: where it is, what tells that it changed, how large it is.

    >>> Entry("/p/beach.jpg", 1024, 0, "cae6…", 640, 480).taken is None
    True
    """

    path: str
    size: int
    mtime_ns: int
    hash: str
    width: int = 0
    height: int = 0
    taken: datetime | None = None


class Known(NamedTuple):
    """What the catalogue remembers of a file, to tell whether it must be read again."""

    size: int
    mtime_ns: int
    hash: str


class Broken(NamedTuple):
    """Why a file could not be opened, and its size and time when it was tried."""

    reason: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Tally:
    """How many pictures there are in each folder, of each month ("2024-07") and of each shape."""

    folders: Mapping[str, int]
    months: Mapping[str, int]
    shapes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SpaceCounts:
    """The vectors of one encoder: how many pictures have one, and how many rows wait to be reclaimed."""

    pictures: int
    dead: int
    dim: int
    approximate: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What a store holds; `spaces` by the encoder's fingerprint, `bytes` on disk."""

    pictures: int
    broken: int
    roots: int
    bytes: int
    spaces: Mapping[str, SpaceCounts]


def key_of(path: str) -> int:
    """A picture's key: a number made from its path, the same every day and in every store.

    It names a picture where its path should not be seen, as in an address. 64 bits with a sign.

    >>> key_of("/pictures/beach.jpg")
    -3188460759194923331
    """
    digest = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def seconds(moment: datetime) -> int:
    """A moment on the wall clock as a number: cameras say no time zone, so none is looked at.

    >>> seconds(datetime(1970, 1, 2))
    86400
    """
    local = moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
    return (local - _EPOCH) // timedelta(seconds=1)


def wall_clock(number: int) -> datetime:
    """The moment that `seconds` made a number of."""
    return _EPOCH + timedelta(seconds=number)
