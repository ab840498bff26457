"""One of a few for page and API: a pile in another order, and which of its pictures are kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from circlet.app.http.library import Library
from circlet.core import UsageError

if TYPE_CHECKING:
    from circlet.collection import Results


def picked(library: Library, keys: Sequence[str], words: str) -> "Results":
    """These pictures of the collection in the order of the words, as `circlet pick` gives it.

    What is gone from the collection meanwhile is passed by; vectors come from the index.
    """
    from circlet.collection.picking import pick_among

    if len(keys) > library.limits.page:
        raise UsageError(f"at most {library.limits.page} pictures can be picked from: choose fewer")
    known = library.keys.ids(keys)
    ids = [known[key] for key in dict.fromkeys(keys) if key in known]
    encoder = library.collection.encoder.fingerprint
    there = library.collection.store.having(ids, encoder) if ids else set()
    ids = [id for id in ids if id in there]
    if len(ids) < 2:
        raise UsageError("there must be two pictures of the collection at least to pick from")
    with library.searches.turn():
        return pick_among(library.collection, ids, words)


def kept(library: Library, ids: Sequence[str]) -> set[str]:
    """Which of these pictures somebody decided to keep."""
    from circlet.collection.keeping import kept_among

    return kept_among(library.collection, [id for id in ids if not library.keys.uploaded(id)])


def keep(library: Library, key: str, *, on: bool = True) -> str:
    """Mark a picture of the collection as one to keep, or no longer; gives its id."""
    from circlet.collection.keeping import keep as marked

    id = library.keys.id(key)
    if library.keys.uploaded(id):
        raise HTTPException(400, "an upload is not in the collection: nothing of it is kept")
    marked(library.collection, id, kept=on)
    return id
