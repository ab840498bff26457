"""Bursts: pictures of one moment, told by when they were taken and by how they look from afar."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from circlet.core import Vectors
from circlet.images.moments import moment_of

# Pictures of a burst were taken no more than so many seconds from the one that it is gathered around. A
# camera that takes three a second is done with a dozen in four; cameras write whole seconds.
SECONDS = 5
# And their tiny copies differ by no more than this (root mean square, of 1). Shots by an unsteady hand do in
# 98 of 100 cases and more, two different pictures in 5 at most: `benchmarks/folding.py FOLDER --bursts`.
ALIKE = 30 / 255

_START = datetime(1970, 1, 1)


def apart_from(first: int, copies: Vectors) -> Vectors:
    """How much each tiny copy (`tiny_copy`) differs from this one: the mean of the squares, of 1."""
    return np.asarray(np.square(copies - copies[first]).mean(axis=1))


def of_one_burst(first: int, apart: Vectors, times: Vectors) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which pictures were taken in the same burst as this one: within `SECONDS` of it, and `ALIKE`.

    `apart` is what `apart_from` gives, `times` what `times_of` does; what has no time is in no burst.

    >>> looks = np.array([[0.5, 0.5], [0.55, 0.5], [0.5, 0.5], [0.9, 0.1]], np.float32)
    >>> of_one_burst(0, apart_from(0, looks), np.array([0.0, 2.0, 60.0, 1.0])).tolist()
    [True, True, False, False]
    """
    return np.asarray((apart <= ALIKE * ALIKE) & (np.abs(times - times[first]) <= SECONDS))


def times_of(ids: Sequence[str], taken: Sequence[datetime | None]) -> Vectors:
    """When pictures were taken, in seconds; NaN where a camera said nothing.

    A file's own time says when it was copied, and moments of a video were chosen to differ: neither counts.

    >>> times_of(["a.jpg", "b.jpg", "c.mp4#t=2"], [datetime(1970, 1, 1, 0, 1), None, datetime(2024, 1, 1)])
    array([60., nan, nan])
    """
    return np.array(
        [
            np.nan if when is None or moment_of(id) else (when.replace(tzinfo=None) - _START).total_seconds()
            for id, when in zip(ids, taken, strict=True)
        ],
        np.float64,
    )


def bursts(copies: Vectors, times: Vectors) -> list[list[int]]:
    """The bursts of two pictures and more among these rows, in the order of time, each begun by its first.

    >>> looks = np.array([[0.5, 0.5], [0.9, 0.1], [0.55, 0.5], [0.5, 0.5]], np.float32)
    >>> bursts(looks, np.array([2.0, 1.0, 0.0, np.nan]))
    [[2, 0]]
    """
    left = np.argsort(times, kind="stable")
    left = left[~np.isnan(times[left])]
    found: list[list[int]] = []
    while len(left):
        same = of_one_burst(0, apart_from(0, copies[left]), times[left])
        # Looks that are no number are like nothing, not even themselves.
        same[0] = True
        if same.sum() > 1:
            found.append(left[same].tolist())
        left = left[~same]
    return found
