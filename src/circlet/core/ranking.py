"""Ids with scores, best first."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from circlet.core.vectors import Vectors

Scores = NDArray[np.float32] | NDArray[np.float64]


def as_written(values: Sequence[float]) -> Scores:
    """Scores as a file has them: single precision where that says all, double where it would make ties.

    >>> as_written([0.1, 0.05]).dtype, as_written([0.1, 0.05000000000000001]).dtype
    (dtype('float32'), dtype('float64'))
    """
    double = np.array(values, np.float64)
    with np.errstate(over="ignore"):
        single = double.astype(np.float32)
    # The shortest decimal of a single is read as this double, if a single is what was written.
    shortest = np.array([float(str(value)) for value in single], np.float64)
    return single if np.array_equal(shortest, double) else double


class Ranking:
    """Ids with scores, best first; iterates as pairs and slices like a list.

    `wanted` is what the query asked for as one vector of the encoder's own space, where scores are
    cosines with it: what a calibrated cut-off is measured by. None where scores are something else.

    >>> ranking = Ranking(["b", "a"], [0.9, 0.2])
    >>> ranking[:1].ids, list(ranking)[1][0]
    (('b',), 'a')
    """

    __slots__ = ("ids", "scores", "wanted")

    def __init__(
        self, ids: Sequence[str], scores: Sequence[float] | Scores, *, wanted: Vectors | None = None
    ) -> None:
        self.ids: tuple[str, ...] = tuple(ids)
        # Methods score in single precision; what a file says more precisely stays as it is.
        double = isinstance(scores, np.ndarray) and scores.dtype == np.float64
        self.scores: Scores = np.asarray(scores, np.float64) if double else np.asarray(scores, np.float32)
        self.wanted = wanted
        if len(self.ids) != len(self.scores):
            raise ValueError(f"{len(self.ids)} ids but {len(self.scores)} scores")

    def __repr__(self) -> str:
        return f"Ranking({list(self.ids)!r}, {[round(float(score), 4) for score in self.scores]!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Ranking) and self.ids == other.ids and np.array_equal(self.scores, other.scores)
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.ids, map(float, self.scores), strict=True)

    def __getitem__(self, part: slice) -> "Ranking":
        return Ranking(self.ids[part], self.scores[part], wanted=self.wanted)
