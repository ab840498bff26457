"""Ids with scores, best first."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from circlet.core.vectors import Vectors

Scores = NDArray[np.float32] | NDArray[np.float64]
# How much of a ranking a notebook shows.
_SHOWN = 20


def as_written(values: Sequence[float]) -> Scores:
    """Scores as a file has them: single precision where that says all, double where it would make ties.

    >>> as_written([0.1, 0.05]).dtype, as_written([0.1, 0.05000000000000001]).dtype
    (dtype('float32'), dtype('float64'))
    """
    return all_as_written([values])[0]


def all_as_written(lists: Sequence[Sequence[float]]) -> list[Scores]:
    """`as_written` of many lists at once: a file has thousands, and one by one they take their time."""
    double = np.array(list(chain.from_iterable(lists)), np.float64)
    if double.ndim != 1:
        raise ValueError("a score is a number, not a list")
    with np.errstate(over="ignore"):
        single = double.astype(np.float32)
    ends = np.cumsum([len(values) for values in lists], dtype=np.int64).tolist()
    parts = [slice(end - len(values), end) for end, values in zip(ends, lists, strict=True)]
    # How many values before each place are more than a single says.
    more = np.concatenate([[0], np.cumsum(~_said_by(single, double))]).tolist()
    return [(single if more[part.start] == more[part.stop] else double)[part] for part in parts]


def _said_by(single: NDArray[np.float32], double: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the shortest decimal of a single is read as this double, as when a single was written.

    Six to nine digits tell a single. Whole numbers and powers of ten up to 10^22 are exact, so a
    quotient of two is the double of its decimal; what lies outside is asked of the decimal itself.
    """
    with np.errstate(all="ignore"):
        size = np.abs(single).astype(np.float64)
        places = 8 - np.floor(np.log10(size))
        # Around a power of two the nearest decimal need not be the shortest.
        plain = (size > 0) & (places >= 3) & (places <= 22) & (np.frexp(size)[0] != 0.5)
        powers = 10.0 ** np.arange(23)
        scale = powers[np.where(plain, places, 8).astype(np.int64)]
        short = np.rint(double * scale) / scale == double
        shortest = np.full_like(double, np.nan)
        for fewer in (0, 1, 2, 3):
            tens = scale / powers[fewer]
            decimal = np.copysign(np.rint(size * tens) / tens, double)
            shortest = np.where(decimal.astype(np.float32) == single, decimal, shortest)
    told: NDArray[np.bool_] = (plain & (shortest == double)) | (double == 0)
    for place in np.flatnonzero(~told & (~plain | short)):
        told[place] = float(str(single[place])) == double[place]
    return told


class Ranking:
    """Ids with scores, best first; iterates as pairs and slices like a list.

    `wanted` is what the query asked for as one vector of the encoder's own space, where scores are
    cosines with it: what a calibrated cut-off is measured by. None where scores are something else.
    `relevance` is the probability that each answers the query, where whoever scored them had one fitted.

    >>> ranking = Ranking(["b", "a"], [0.9, 0.2])
    >>> ranking[:1].ids, list(ranking)[1][0]
    (('b',), 'a')
    """

    __slots__ = ("ids", "relevance", "scores", "wanted")

    def __init__(
        self,
        ids: Sequence[str],
        scores: Sequence[float] | Scores,
        *,
        wanted: Vectors | None = None,
        relevance: Vectors | None = None,
    ) -> None:
        self.ids: tuple[str, ...] = tuple(ids)
        # Methods score in single precision; what a file says more precisely stays as it is.
        double = isinstance(scores, np.ndarray) and scores.dtype == np.float64
        self.scores: Scores = np.asarray(scores, np.float64) if double else np.asarray(scores, np.float32)
        self.wanted = wanted
        self.relevance = None if relevance is None else np.asarray(relevance, np.float32)
        if len(self.ids) != len(self.scores):
            raise ValueError(f"{len(self.ids)} ids but {len(self.scores)} scores")
        if self.relevance is not None and self.relevance.shape != (len(self.ids),):
            raise ValueError(f"{len(self.ids)} ids but probabilities {self.relevance.shape}")

    def __repr__(self) -> str:
        return f"Ranking({list(self.ids)!r}, {[round(float(score), 4) for score in self.scores]!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Ranking) and self.ids == other.ids and np.array_equal(self.scores, other.scores)
        )

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """What a notebook shows: the first twenty with their scores."""
        from circlet.core import showing

        lines = [[id, str(rank), f"{score:.4f}"] for rank, (id, score) in enumerate(self[:_SHOWN], start=1)]
        rest = len(self) - len(lines)
        after = [showing.line(f"{rest:,} more")] if rest else []
        return showing.page(showing.table(["id", "rank", "score"], lines), *after)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return zip(self.ids, map(float, self.scores), strict=True)

    def __getitem__(self, part: slice) -> "Ranking":
        likely = None if self.relevance is None else self.relevance[part]
        return Ranking(self.ids[part], self.scores[part], wanted=self.wanted, relevance=likely)
