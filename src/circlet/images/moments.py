"""A moment of a video as a picture: its id is the file's path and the time in it, `clip.mp4#t=12.5`.

Whoever opens a picture by its path opens a moment the same way; `file_of` says which file holds it.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from circlet.core import Vectors
from circlet.images.formats import ANIMATIONS, VIDEOS

# Moments of one video are kept that are farther than this from one another (unit vectors, Euclidean).
APART = 0.35
# A path that ends like this is a moment, if what stands before it may move: no picture's name ends so.
_MOMENT = re.compile(r"(.+)#t=([0-9]{1,7}(?:\.[0-9]{1,3})?)", re.DOTALL)


class Moment(NamedTuple):
    """A file that moves, and a time in it in seconds from its beginning."""

    file: Path
    seconds: float


def moment_of(id: str | os.PathLike[str]) -> Moment | None:
    """The moment that an id stands for; None for a plain picture.

    >>> moment_of("/p/clip.mp4#t=12.5").seconds, moment_of("/p/beach.jpg"), moment_of("/p/a.jpg#t=1")
    (12.5, None, None)
    """
    found = _MOMENT.fullmatch(os.fspath(id))
    if found is None or not may_move(found[1]):
        return None
    return Moment(Path(found[1]), float(found[2]))


def may_move(path: str | os.PathLike[str]) -> bool:
    """Whether a file of this name can hold moments: a video, or a picture of a kind that can move."""
    return os.path.splitext(path)[1].lower() in VIDEOS | ANIMATIONS  # noqa: PTH122 (ids are text)


def at(file: str | os.PathLike[str], seconds: float) -> str:
    """The id of a moment, to the millisecond.

    >>> at("/p/clip.mp4", 12.5), at("/p/clip.mp4", 0)
    ('/p/clip.mp4#t=12.5', '/p/clip.mp4#t=0')
    """
    return f"{os.fspath(file)}#t={f'{seconds:.3f}'.rstrip('0').rstrip('.')}"


def file_of(id: str | os.PathLike[str]) -> Path:
    """The file on disk that holds this picture: its own, or the video that it is a moment of.

    >>> file_of("/p/clip.mp4#t=12.5").name, file_of("/p/beach.jpg").name
    ('clip.mp4', 'beach.jpg')
    """
    moment = moment_of(id)
    return moment.file if moment else Path(id)


def called(id: str) -> str:
    """What to call a picture before people: its file's name, and when in it.

    >>> called("/p/clip.mp4#t=72.5"), called("/p/beach.jpg")
    ('clip.mp4 at 1:12.5', 'beach.jpg')
    """
    moment = moment_of(id)
    if moment is None:
        return id.rpartition(os.sep)[2]
    whole, _, rest = f"{moment.seconds:.3f}".rstrip("0").partition(".")
    minutes, seconds = divmod(int(whole), 60)
    clock = f"{minutes // 60}:{minutes % 60:02}" if minutes >= 60 else str(minutes)
    return f"{moment.file.name} at {clock}:{seconds:02}{rest and '.' + rest}"


class Distinct:
    """Chooses, one after the other, what lies farther than `apart` from everything chosen before.

    >>> distinct = Distinct(apart=0.5)
    >>> [distinct.take(np.array(row, np.float32)) for row in ([1, 0], [0.99, 0.1], [0, 1])]
    [True, False, True]
    """

    def __init__(self, *, apart: float = APART) -> None:
        self.apart = apart
        self._held: Vectors | None = None
        self._count = 0

    def near(self, vector: Vectors) -> bool:
        """Whether this one is too near to one that was taken."""
        if self._held is None or not self._count:
            return False
        held = self._held[: self._count]
        return float(np.square(held - vector).sum(axis=1).min()) <= self.apart**2

    def take(self, vector: Vectors) -> bool:
        """Whether this one is far enough from all that were taken; then it counts as taken too."""
        if self.near(vector):
            return False
        if self._held is None:
            self._held = np.empty((16, len(vector)), np.float32)
        if self._count == len(self._held):
            self._held = np.concatenate([self._held, np.empty_like(self._held)])
        self._held[self._count] = vector
        self._count += 1
        return True
