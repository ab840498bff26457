"""What is searched: ids, unit vectors and the fingerprint of the encoder that made them."""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from circlet.core.errors import DataError, MismatchError
from circlet.core.vectors import Vectors


@runtime_checkable
class Lookup(Protocol):
    """Vectors of pictures by id: a gallery is one, so is a gallery with an upload beside it."""

    @property
    def fingerprint(self) -> str: ...

    def vectors_of(self, ids: Sequence[str]) -> Vectors: ...


class Gallery:
    """Ids, unit vectors (float32 rows, may be memory-mapped) and the encoder's fingerprint.

    >>> gallery = Gallery(["a", "b", "c"], np.eye(3, dtype=np.float32), "toy:1")
    >>> gallery.without(["b"]).ids
    ('a', 'c')
    """

    def __init__(self, ids: Sequence[str], vectors: Vectors, fingerprint: str) -> None:
        if vectors.ndim != 2 or len(ids) != len(vectors):
            raise DataError(f"a gallery needs one row per id: {len(ids)} ids, vectors {vectors.shape}")
        self.ids = tuple(ids)
        self.vectors = vectors
        self.fingerprint = fingerprint

    def __repr__(self) -> str:
        return f"<Gallery of {len(self)} × {self.vectors.shape[1]}, {self.fingerprint}>"

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, id: object) -> bool:
        return id in self._rows

    @cached_property
    def _rows(self) -> dict[str, int]:
        rows = {id: row for row, id in enumerate(self.ids)}
        if len(rows) < len(self.ids):
            twice = sorted({id for id in self.ids if self.ids.count(id) > 1})[:5]
            raise DataError(f"the gallery names a picture more than once: {', '.join(twice)}")
        return rows

    def rows_of(self, ids: Sequence[str]) -> NDArray[np.intp]:
        """Row numbers of these ids; an unknown id is an error that names it."""
        try:
            return np.fromiter((self._rows[id] for id in ids), dtype=np.intp, count=len(ids))
        except KeyError:
            raise missing(ids, self._rows) from None

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The rows of these ids, in their order."""
        return np.asarray(self.vectors[self.rows_of(ids)])

    def subset(self, ids: Sequence[str]) -> "Gallery":
        """The gallery of just these ids, in this order."""
        return Gallery(ids, self.vectors_of(ids), self.fingerprint)

    def without(self, ids: Collection[str]) -> "Gallery":
        """The gallery less these ids (those it does not have change nothing)."""
        gone = set(ids)
        return self.subset([id for id in self.ids if id not in gone])


class Beside:
    """A lookup that asks several galleries in turn: the collection's, then an upload's.

    >>> upload = Gallery(["new"], np.ones((1, 3), np.float32), "toy:1")
    >>> both = Beside(Gallery(["a"], np.zeros((1, 3), np.float32), "toy:1"), upload)
    >>> both.vectors_of(["new", "a"]).tolist()
    [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """

    def __init__(self, *galleries: Gallery) -> None:
        self.galleries = galleries
        self.fingerprint = galleries[0].fingerprint
        for gallery in galleries[1:]:
            same_space(self.fingerprint, gallery.fingerprint)

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """One row per id, from the first gallery that has it."""
        homes = [next((g for g in self.galleries if id in g), None) for id in ids]
        if None in homes:
            raise missing(ids, {id for id, home in zip(ids, homes, strict=True) if home})
        rows = [home.vectors_of([id])[0] for id, home in zip(ids, homes, strict=True) if home]
        return np.stack(rows) if rows else self.galleries[0].vectors[:0]


def missing(wanted: Sequence[str], known: Collection[str]) -> DataError:
    """The error that names the first of the wanted ids that are not known."""
    gone = [id for id in dict.fromkeys(wanted) if id not in known]
    more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""
    return DataError(f"not in the gallery: {', '.join(gone[:5])}{more}")


def same_space(mine: str, theirs: str) -> None:
    """Refuse to compare vectors of two encoders."""
    if mine != theirs:
        raise MismatchError(
            f"the gallery holds vectors of {theirs}, the method speaks {mine}: "
            "index it again with that encoder, or pick the encoder that made it"
        )
