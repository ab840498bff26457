"""Sets of ten to learn seeing from: glimpses, once for all, beside the truth."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import Progress, UsageError
from circlet.data.tableaux.tasks.frame_truths import FilmSet, FrameTruths
from circlet.models.frames.glimpse import Glimpses, glimpse, median_of
from circlet.train.tasks.task import Rows


@dataclass(frozen=True, eq=False)
class FrameSets:
    """Glimpses of sets (sets, pictures, …), the median of each set (sets, …), and the truth.

    `pixels` are the pictures themselves, where they were kept.
    """

    glimpses: Glimpses
    medians: Glimpses
    truths: FrameTruths
    pixels: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.truths.kinds)

    @property
    def pictures(self) -> int:
        """How many pictures a set has."""
        return self.glimpses.pixels.shape[1]

    def first(self, count: int) -> "FrameSets":
        """The first so many sets."""

        def cut(values: Any) -> NDArray[Any]:
            return values[:count]

        pixels = None if self.pixels is None else cut(self.pixels)
        truths = FrameTruths(*map(cut, self.truths))
        return FrameSets(self.glimpses.each(cut), self.medians.each(cut), truths, pixels)

    def of(self, number: int) -> tuple[Glimpses, Glimpses]:
        """The glimpses of one set, and their median."""
        return self.glimpses.each(lambda part: part[number]), self.medians.each(lambda part: part[number])

    def some(self, sets: Rows, places: Rows) -> tuple[Glimpses, Glimpses]:
        """Glimpses of these pictures of sets, and the medians of their sets."""
        shown = self.glimpses.each(lambda part: part[sets, places])
        return shown, self.medians.each(lambda part: part[sets])

    def singles(self, first: int, count: int) -> tuple[Glimpses, NDArray[np.uint8]]:
        """The glimpses and the pixels of so many sets of one picture each."""
        assert self.pixels is not None, "pictures were not kept"
        some = slice(first, first + count)
        return self.glimpses.each(lambda part: part[some, 0]), self.pixels[some, 0]

    def kinds(self, number: int) -> Rows:
        """The kinds of a set's things, by number."""
        every = self.truths.kinds[number]
        return every[every >= 0]


def gathered(
    *sources: tuple[int, Iterable[FilmSet]], whole: bool = False, progress: Progress | None = None
) -> FrameSets:
    """Sets from several sources, each with their number; a picture takes a tenth of a megabyte.

    With `whole` its pixels are kept as well, which take as much again and half.
    """
    count = sum(number for number, _ in sources)
    held: FrameSets | None = None
    for row, one in enumerate(chain.from_iterable(sets for _, sets in sources)):
        seen = glimpse(one.pictures)
        parts = (seen, seen.each(median_of), one.truths)
        if held is None:
            room = partial(_room, count)
            truths, pixels = FrameTruths(*map(room, one.truths)), room(one.pictures) if whole else None
            held = FrameSets(seen.each(room), parts[1].each(room), truths, pixels)
        for into, part in zip((held.glimpses, held.medians, held.truths), parts, strict=True):
            for every, values in zip(into, part, strict=True):
                every[row] = values
        if held.pixels is not None:
            held.pixels[row] = one.pictures
        if progress:
            progress(row + 1, count)
    if held is None:
        raise UsageError("there are no sets to learn from: make some with `circlet data make tableaux`")
    return held


def _room(count: int, values: NDArray[Any]) -> NDArray[Any]:
    return np.empty((count, *values.shape), values.dtype)
