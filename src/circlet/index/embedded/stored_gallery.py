"""Rows of a mapped vector file as a gallery whose names are read only when somebody asks for one."""

from collections.abc import Callable, Sequence
from functools import cached_property

from circlet.core import Gallery, Vectors


class StoredGallery(Gallery):
    """A stretch of a vector file; a row that no longer counts has no name.

    >>> import numpy as np
    >>> file = np.eye(3, dtype=np.float32)
    >>> gallery = StoredGallery(file, "toy:1", lambda: ["a", "", "c"])
    >>> gallery.vectors_of(["c"]).tolist(), len(gallery)
    ([[0.0, 0.0, 1.0]], 3)
    """

    def __init__(self, vectors: Vectors, fingerprint: str, names: Callable[[], Sequence[str]]) -> None:
        self.vectors = vectors
        self.fingerprint = fingerprint
        self._names = names

    @cached_property
    def ids(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the rows, read on first use."""
        return tuple(self._names())

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {id: row for row, id in enumerate(self.ids) if id}
