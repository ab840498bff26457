"""Exact search: one matrix product over the mapped rows, with what does not count masked out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from circlet.core import Flags, Vectors, best, blocks

# Below this share of the rows, gathering the few that pass is cheaper than scoring all of them.
FEW = 1 / 16

Chosen = tuple[NDArray[np.intp], Vectors]


class Way(Protocol):
    """A way to search: exact, or approximate with the same answer nearly always."""

    def __call__(
        self,
        rows: Vectors,
        queries: Vectors,
        /,
        *,
        top: int,
        mask: Flags,
        exclude: Sequence[NDArray[np.intp]],
    ) -> list[Chosen]: ...


def exact(
    rows: Vectors, queries: Vectors, *, top: int, mask: Flags, exclude: Sequence[NDArray[np.intp]]
) -> list[Chosen]:
    """For each query the `top` best rows of those in the mask, less its excluded ones, with scores.

    >>> rows = np.eye(3, dtype=np.float32)
    >>> exact(rows, rows[:1], top=2, mask=np.array([True, True, False]), exclude=[np.array([0])])
    [(array([1]), array([0.], dtype=float32))]
    """
    passing = int(np.count_nonzero(mask))
    few = np.flatnonzero(mask) if passing <= FEW * len(mask) else None
    searched = rows if few is None else rows[few]
    # Adding minus infinity to a score is one pass; writing it through a mask takes five times as long.
    closed = None
    if few is None and passing < len(mask):
        closed = np.where(mask, np.float32(0), np.float32(-np.inf))
    chosen_rows = []
    for part in blocks(len(queries), len(searched)):
        scores = _products(searched, queries[part])
        for offset, row in enumerate(scores, start=part.start):
            if closed is not None:
                row += closed
            gone = exclude[offset]
            if len(gone):
                row[gone if few is None else np.flatnonzero(np.isin(few, gone))] = -np.inf
            chosen = best(row, top)
            chosen_rows.append((chosen if few is None else few[chosen], row[chosen]))
    return chosen_rows


def _products(rows: Vectors, queries: Vectors) -> Vectors:
    """Scores, one line per query; for one query the product is by vector, which reads rows only once."""
    if len(queries) == 1:
        return (rows @ queries[0])[None]
    return queries @ rows.T
