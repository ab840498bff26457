"""Taking pictures out of the index: one, a video, a folder, a list, a bucket."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.collection.films import moments_in
from circlet.core import UsageError
from circlet.images.addresses import address_of
from circlet.images.files import shown

if TYPE_CHECKING:
    from circlet.collection.collection import Collection


def forget(collection: "Collection", path: str | os.PathLike[str]) -> int:
    """Take out whatever this names; see `Collection.forget`."""
    named = Path(path).expanduser()
    address = address_of(named)
    ids = {address} if address else {str(named.absolute()), collection.bring(named), str(named.resolve())}
    with collection.open_store(write=True) as store:
        roots = [root for root in store.roots() for id in ids if Path(root).is_relative_to(id)]
        if lists := [root for root in roots if root in ids and root in collection.lists]:
            return sum(collection.lists.forget(root, store) for root in lists)
        ids |= {moment for id in ids for moment in moments_in(store, id)}
        count = store.forget(ids) or sum(store.forget_root(id) for id in ids)
    if not count and not roots:
        raise UsageError(f"{shown(named)}: nothing of it is indexed; circlet info shows what is")
    return count
