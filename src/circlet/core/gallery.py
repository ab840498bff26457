"""What is searched: ids, unit vectors and the fingerprint of the encoder that made them."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from circlet.core.errors import DataError, UsageError
from circlet.core.filters import Filters
from circlet.core.pictures import Pictures, missing
from circlet.core.ranking import Ranking
from circlet.core.vectors import Vectors, best, blocks, checked_queries

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]
# So many vectors tell what a gallery is like.
SOME = 1024
# For each query the ids that it does not want to see.
Exclude = Sequence[Collection[str]] | None


@runtime_checkable
class Searchable(Pictures, Protocol):
    """What can be ranked: a gallery in memory, or all that a store holds of one encoder's vectors.

    Pictures stand at rows. `search` is the fast way, by vectors; `pieces` is the way for methods that
    score pictures otherwise, a bounded number at a time, with flags for the rows that count (None:
    all of them). Between the two, `snapshot` keeps the rows where they are.
    """

    def __len__(self) -> int:
        """How many rows there are, those that do not count included."""
        ...

    def search(
        self, vectors: Vectors, *, top: int = 50, filters: Filters | None = None, exclude: Exclude = None
    ) -> list[Ranking]:
        """The `top` best for each query row by inner product, less what that query excludes."""
        ...

    def snapshot(self) -> "AbstractContextManager[Searchable]":
        """The same as of one moment, for as long as the context is open."""
        ...

    def pieces(self, filters: Filters | None = None) -> "Iterator[tuple[Gallery, Flags | None]]":
        """All rows in order, as galleries of bounded size, with the flags of those that count."""
        ...

    def ids_at(self, rows: Rows) -> list[str]:
        """The ids at these rows."""
        ...

    def some_vectors(self, most: int = SOME) -> Vectors:
        """Vectors spread evenly over the rows, `most` at most: what scores in general are like here."""
        ...

    def rows_among(self, ids: Collection[str]) -> Rows:
        """The rows of those of these ids that are here."""
        ...


class Gallery:
    """Ids, unit vectors (float32 rows, may be memory-mapped) and the encoder's fingerprint.

    `in_time` says that the pictures follow each other in time, as frames of a film do.

    >>> gallery = Gallery(["a", "b", "c"], np.eye(3, dtype=np.float32), "toy:1")
    >>> gallery.without(["b"]).ids
    ('a', 'c')
    >>> gallery.search(np.array([[0, 1, 0.5]], np.float32), top=2)
    [Ranking(['b', 'c'], [1.0, 0.5])]
    """

    def __init__(
        self, ids: Sequence[str], vectors: Vectors, fingerprint: str, *, in_time: bool = False
    ) -> None:
        if vectors.ndim != 2 or len(ids) != len(vectors):
            raise DataError(f"a gallery needs one row per id: {len(ids)} ids, vectors {vectors.shape}")
        self.ids = tuple(ids)
        self.vectors = vectors
        self.fingerprint = fingerprint
        self.in_time = in_time

    def __repr__(self) -> str:
        return f"<Gallery of {len(self)} × {self.vectors.shape[1]}, {self.fingerprint}>"

    def __len__(self) -> int:
        return len(self.vectors)

    def __contains__(self, id: object) -> bool:
        return id in self._rows

    @cached_property
    def _rows(self) -> dict[str, int]:
        rows = {id: row for row, id in enumerate(self.ids)}
        if len(rows) < len(self.ids):
            twice = sorted({id for id in self.ids if self.ids.count(id) > 1})[:5]
            raise DataError(f"the gallery names a picture more than once: {', '.join(twice)}")
        return rows

    def rows_of(self, ids: Sequence[str]) -> Rows:
        """Row numbers of these ids; an unknown id is an error that names it."""
        try:
            return np.fromiter((self._rows[id] for id in ids), dtype=np.intp, count=len(ids))
        except KeyError:
            raise missing(ids, self._rows) from None

    def rows_among(self, ids: Collection[str]) -> Rows:
        """The rows of those of these ids that are here."""
        return self.rows_of([id for id in ids if id in self._rows])

    def ids_at(self, rows: Rows) -> list[str]:
        """The ids at these rows."""
        return [self.ids[row] for row in rows]

    def some_vectors(self, most: int = SOME) -> Vectors:
        """Vectors spread evenly over the rows, `most` at most."""
        return spaced(self.vectors, most)

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The rows of these ids, in their order."""
        return np.asarray(self.vectors[self.rows_of(ids)])

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """Spatial tokens, which a gallery of vectors does not have."""
        raise DataError(
            "these pictures are known by their vectors alone: what needs their spatial tokens works over a "
            "collection, or over a benchmark's features"
        )

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself, which a gallery of vectors does not have."""
        raise DataError(
            f"{id}: known by its vector alone: what needs to see pictures works over a collection, or over "
            "a benchmark's features"
        )

    def search(
        self, vectors: Vectors, *, top: int = 50, filters: Filters | None = None, exclude: Exclude = None
    ) -> list[Ranking]:
        """The `top` best for each query row by inner product, less what that query excludes."""
        _no(filters)
        rankings = []
        queries = checked_queries(vectors, self.vectors.shape[1], exclude)
        for part in blocks(len(queries), len(self)):
            scores = queries[part] @ self.vectors.T
            for offset, row in enumerate(scores, start=part.start):
                if exclude:
                    row[self.rows_among(exclude[offset])] = -np.inf
                chosen = best(row, top)
                rankings.append(Ranking(self.ids_at(chosen), row[chosen]))
        return rankings

    def snapshot(self) -> "AbstractContextManager[Gallery]":
        """The gallery itself: it never changes."""
        return nullcontext(self)

    def pieces(self, filters: Filters | None = None) -> "Iterator[tuple[Gallery, Flags | None]]":
        """The gallery in one piece, all of which counts."""
        _no(filters)
        yield self, None

    def subset(self, ids: Sequence[str], *, in_time: bool = False) -> "Gallery":
        """The gallery of just these ids, in this order, which may be that of time."""
        return Gallery(ids, self.vectors_of(ids), self.fingerprint, in_time=in_time)

    def without(self, ids: Collection[str]) -> "Gallery":
        """The gallery less these ids (those it does not have change nothing)."""
        gone = set(ids)
        return self.subset([id for id in self.ids if id not in gone], in_time=self.in_time)


def spaced(vectors: Vectors, most: int) -> Vectors:
    """So many rows at equal distances; all where there are no more.

    >>> spaced(np.arange(10)[:, None], 4).ravel().tolist()
    [0, 3, 6, 9]
    """
    if len(vectors) <= most:
        return np.asarray(vectors)
    return np.asarray(vectors[np.linspace(0, len(vectors) - 1, most).astype(np.intp)])


def _no(filters: Filters | None) -> None:
    if filters:
        raise UsageError(
            f"a gallery in memory knows no folders, dates or sizes: leave {filters!r} out, or search an index"
        )
