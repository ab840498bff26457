"""A stored gallery: what the house calls a gallery, read from the store only as far as it is used."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from circlet.core import Gallery, Vectors


class StoredGallery(Gallery):
    """A `Gallery` whose ids and rows come from the store on first use, as of the moment it was made."""

    def __init__(
        self, count: int, fingerprint: str, ids: Callable[[], Sequence[str]], rows: Callable[[], Vectors]
    ) -> None:
        self.fingerprint = fingerprint
        self._count = count
        self._load_ids = ids
        self._load_rows = rows

    def __len__(self) -> int:
        return self._count

    @cached_property
    def ids(self) -> tuple[str, ...]:  # type: ignore[override]
        """Every id, in the order of the rows."""
        return tuple(self._load_ids())

    @cached_property
    def vectors(self) -> Vectors:  # type: ignore[override]
        """Every row: the mapped file itself if all of it counts, else a copy of the rows that do."""
        return np.asarray(self._load_rows())
