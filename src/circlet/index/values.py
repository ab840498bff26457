"""What goes into a store and comes out of it: entries, keys, counts."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from circlet.core import DataError, Vectors

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
    """The vectors of one encoder: how many pictures have one, and how many rows wait to be reclaimed.

    `searched` says whether they were added to be searched, or only to be looked up.
    """

    pictures: int
    dead: int
    dim: int
    approximate: int
    searched: bool = True


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
    since = local - _EPOCH
    return since.days * 86_400 + since.seconds


def wall_clock(number: int) -> datetime:
    """The moment that `seconds` made a number of."""
    return _EPOCH + timedelta(seconds=number)


def on_the_clock(mtime_ns: int) -> datetime:
    """A file's time where we are; broken disks and copying tools leave some that no calendar has.

    >>> on_the_clock(2**80) == on_the_clock(0)
    True
    """
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0)


def checked_batch(entries: Sequence[Entry], vectors: Vectors) -> Vectors:
    """The rows of a batch as a store keeps them; one that cannot be meant is refused whole.

    >>> checked_batch([], np.zeros((0, 8))).shape
    (0, 8)
    """
    rows = np.asarray(vectors, np.float32)
    if rows.ndim != 2 or len(rows) != len(entries):
        raise DataError(f"one vector per picture: {len(entries)} pictures, vectors {rows.shape}")
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise DataError(f"{entries[bad[0]].path}: its vector is not all numbers, so it cannot be kept")
    if len({entry.path for entry in entries}) < len(entries):
        raise DataError("a picture comes twice in one batch: give each path once")
    return rows
