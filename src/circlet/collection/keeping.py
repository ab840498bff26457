"""Pictures that a person decided to keep: marks in the index, which go with a picture as what was seen does.

A like belongs to one search and pulls its results; this is about the picture, whatever is searched for.
"""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from circlet.core import BusyError, StoreError
from circlet.core.marks import KEPT, Mark, marks_of
from circlet.index import marking

if TYPE_CHECKING:
    from circlet.collection.collection import Collection

# Who marks: a person, not something that looks at pictures.
_BY = "person"
# An index that another process writes to is tried so often, and so many seconds apart.
_TRIES, _PAUSE = 5, 0.2


def keep(collection: "Collection", id: str, *, kept: bool = True) -> None:
    """Mark a picture of the index as one to keep, or no longer.

    >>> keep(collection, "/pictures/beach-07.jpg")                  # doctest: +SKIP
    """
    for left in reversed(range(_TRIES)):
        try:
            with collection.open_store(write=True) as store:
                marking(store).mark(KEPT, {id: Mark(_BY, number=int(kept))})
            return
        except BusyError:
            if not left:
                raise BusyError("pictures are being indexed just now: keep it when that is done") from None
            time.sleep(_PAUSE)


def kept_among(collection: "Collection", ids: Sequence[str]) -> set[str]:
    """Which of these pictures are marked as ones to keep.

    >>> kept_among(collection, ["/pictures/beach-07.jpg"])          # doctest: +SKIP
    {'/pictures/beach-07.jpg'}
    """
    try:
        marks = marks_of(collection.store.space(collection.encoder.fingerprint), ids, KEPT)
    except BusyError:
        raise
    except StoreError:
        return set()
    return {id for id, mark in marks.items() if mark.number}
