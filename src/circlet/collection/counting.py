"""How many pictures an index holds, wherever they lie."""

from typing import TYPE_CHECKING

from circlet.images.addresses import EVERYWHERE
from circlet.index import Store

if TYPE_CHECKING:
    from circlet.collection.collection import Collection


def everywhere(store: Store, fingerprint: str | None = None) -> int:
    """How many pictures there are in all; with a fingerprint, those with its vector."""
    return sum(store.count(place, fingerprint) for place in EVERYWHERE)


def under(collection: "Collection", root: str) -> int:
    """How many pictures there are under a folder or a bucket, or of a list."""
    store = collection.store
    if root in collection.lists:
        return sum(1 for _ in collection.lists.known(root, store))
    return store.count(root)


def unread(collection: "Collection") -> int:
    """How many indexed pictures no search finds, because this encoder has not read them."""
    store, name = collection.store, collection.encoder.fingerprint
    if everywhere(store) == store.space(name).count():
        return 0
    if not collection.root:
        return everywhere(store) - everywhere(store, name)
    return store.count(collection.root) - store.count(collection.root, name)
