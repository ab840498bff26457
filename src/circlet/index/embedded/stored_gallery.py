"""A stored gallery: what the house calls a gallery, over the mapped vector file."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from circlet.core import Gallery, Vectors


class StoredGallery(Gallery):
    """A `Gallery` of some rows of a mapped file; rows are copied only if they are not all of them.

    >>> file = np.eye(3, dtype=np.float32)
    >>> gallery = StoredGallery(["a", "c"], file, np.array([True, False, True]), "toy:1")
    >>> gallery.vectors_of(["c"]).tolist(), len(gallery.vectors)
    ([[0.0, 0.0, 1.0]], 2)
    """

    def __init__(self, ids: Sequence[str], file: Vectors, mask: NDArray[np.bool_], fingerprint: str) -> None:
        self.ids = tuple(ids)
        self.fingerprint = fingerprint
        self._file = file
        self._kept = None if mask.all() else np.flatnonzero(mask)

    @cached_property
    def vectors(self) -> Vectors:  # type: ignore[override]
        """Every row: the mapped file itself where all of it counts, else a copy of the rows that do."""
        return self._file if self._kept is None else self._file[self._kept]

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The rows of these ids, in their order."""
        rows = self.rows_of(ids)
        return np.asarray(self._file[rows if self._kept is None else self._kept[rows]])
