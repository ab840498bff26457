"""Ids with scores, best first."""

from collections.abc import Iterator, Sequence

import numpy as np

from circlet.core.vectors import Vectors


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
        self, ids: Sequence[str], scores: Sequence[float] | Vectors, *, wanted: Vectors | None = None
    ) -> None:
        self.ids: tuple[str, ...] = tuple(ids)
        self.scores: Vectors = np.asarray(scores, dtype=np.float32)
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
