"""What goes into a store and comes out of it: entries, filters, counts."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from circlet.core import UsageError

_EPOCH = datetime(1970, 1, 1)

Orientation = Literal["landscape", "portrait", "square"]


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


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which pictures may be found; what is left out does not filter.

    `after` is the first moment that counts and `before` the first that no longer does, compared
    with when the picture was taken (its file's time if no camera says). `min_size` and `max_size`
    are pixels of the longer edge.

    >>> Filters(folder="/p", orientation="portrait")
    Filters(folder='/p', orientation='portrait')
    """

    folder: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    min_size: int | None = None
    max_size: int | None = None
    orientation: Orientation | None = None

    def __post_init__(self) -> None:
        if self.orientation is not None and self.orientation not in get_args(Orientation):
            raise UsageError(
                f"unknown orientation {self.orientation!r}: pick one of {', '.join(get_args(Orientation))}"
            )

    def __repr__(self) -> str:
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return f"Filters({', '.join(f'{name}={value!r}' for name, value in values if value is not None)})"

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))


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
