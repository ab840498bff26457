"""Sets of ten to learn seeing from: glimpses, once for all, beside the truth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import Progress, UsageError
from circlet.data.tableaux.tasks.frame_truths import FilmSet, FrameTruths, pixels
from circlet.models.frames.glimpse import Glimpses, glimpse, median_of
from circlet.train.tasks.task import Rows


@dataclass(frozen=True, eq=False)
class FrameSets:
    """Glimpses of sets (sets, pictures, …), the median of each set (sets, …), the truth, and the files.

    A file takes a tenth of the room of its pixels, and is opened in a millisecond.
    """

    glimpses: Glimpses
    medians: Glimpses
    truths: FrameTruths
    files: Sequence[tuple[bytes, ...]]

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

        truths = FrameTruths(*map(cut, self.truths))
        return FrameSets(self.glimpses.each(cut), self.medians.each(cut), truths, self.files[:count])

    def pixels(self, number: int) -> NDArray[np.uint8]:
        """The pixels of a set's pictures, all of them; glimpses have a quarter."""
        return np.stack([pixels(file) for file in self.files[number]])

    def of(self, number: int) -> tuple[Glimpses, Glimpses]:
        """The glimpses of one set, and their median."""
        return self.glimpses.each(lambda part: part[number]), self.medians.each(lambda part: part[number])

    def some(self, sets: Rows, places: Rows) -> tuple[Glimpses, Glimpses]:
        """Glimpses of these pictures of sets, and the medians of their sets."""
        shown = self.glimpses.each(lambda part: part[sets, places])
        return shown, self.medians.each(lambda part: part[sets])

    def singles(self, first: int, count: int) -> tuple[Glimpses, NDArray[np.uint8]]:
        """The glimpses and the pixels of so many sets of one picture each."""
        some = slice(first, first + count)
        opened = np.concatenate([self.pixels(number) for number in range(len(self))[some]])
        return self.glimpses.each(lambda part: part[some, 0]), opened

    def kinds(self, number: int) -> Rows:
        """The kinds of a set's things, by number."""
        every = self.truths.kinds[number]
        return every[every >= 0]


def gathered(*sources: tuple[int, Iterable[FilmSet]], progress: Progress | None = None) -> FrameSets:
    """Sets from several sources, each with their number; a picture takes a tenth of a megabyte."""
    count = sum(number for number, _ in sources)
    held: FrameSets | None = None
    files: list[tuple[bytes, ...]] = []
    for row, one in enumerate(chain.from_iterable(sets for _, sets in sources)):
        seen = glimpse(one.pictures)
        parts = (seen, seen.each(median_of), one.truths)
        if held is None:
            room = partial(_room, count)
            held = FrameSets(seen.each(room), parts[1].each(room), FrameTruths(*map(room, one.truths)), files)
        for into, part in zip((held.glimpses, held.medians, held.truths), parts, strict=True):
            for every, values in zip(into, part, strict=True):
                every[row] = values
        files.append(one.files)
        if progress:
            progress(row + 1, count)
    if held is None:
        raise UsageError("there are no sets to learn from: make some with `circlet data make tableaux`")
    return held


def _room(count: int, values: NDArray[Any]) -> NDArray[Any]:
    return np.empty((count, *values.shape), values.dtype)
