"""Which ids there are, in eight bytes each: a bucket or a list may name a hundred million."""

from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from circlet.index import key_of


class IdSet:
    """A set of ids that can be asked, and not be listed.

    >>> ids = IdSet(["/p/a.jpg", "/p/b.jpg", "/p/a.jpg"])
    >>> "/p/a.jpg" in ids, "/p/c.jpg" in ids, len(ids)
    (True, False, 2)
    >>> list(ids.once(["/p/b.jpg", "/p/c.jpg", "/p/b.jpg"]))
    ['/p/b.jpg']
    """

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._keys = np.unique(np.frombuffer(array("q", map(key_of, ids)), np.int64))

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._place(id) is not None

    def once(self, ids: Iterable[str]) -> Iterator[str]:
        """Those of these ids that are in the set, each the first time that it comes."""
        seen = np.zeros(len(self._keys), bool)
        for id in ids:
            place = self._place(id)
            if place is not None and not seen[place]:
                seen[place] = True
                yield id

    def _place(self, id: str) -> int | None:
        key = key_of(id)
        place = int(np.searchsorted(self._keys, key))
        return place if place < len(self._keys) and int(self._keys[place]) == key else None
