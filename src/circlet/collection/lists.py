"""What came into the index by lists: a list's pictures lie anywhere, so it is remembered which they are."""

import hashlib
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path

from circlet.collection.id_sets import IdSet
from circlet.core.files import replacing
from circlet.core.home import keep_private
from circlet.images.addresses import EVERYWHERE
from circlet.index import Broken, Known, Store

# Pictures that the index is asked about at once.
ASKED = 500


class Lists:
    """The lists that were indexed into one store, each with the ids that it named then.

    >>> import tempfile
    >>> lists = Lists(Path(tempfile.mkdtemp()), "index")
    >>> lists.keep("/p/list.txt", ["/p/a.jpg"])
    >>> "/p/list.txt" in lists, list(lists.ids("/p/list.txt")), "/p" in lists
    (True, ['/p/a.jpg'], False)
    """

    def __init__(self, home: Path, store: str) -> None:
        self._home = home
        self._folder = home / "lists" / _short(store)

    def __contains__(self, root: object) -> bool:
        return isinstance(root, str) and self._file(root).is_file()

    def _file(self, root: str) -> Path:
        return self._folder / f"{_short(root)}.txt"

    def ids(self, root: str) -> Iterator[str]:
        """What the list named when it was last indexed, and in runs that were broken off since."""
        if root in self:
            with self._file(root).open(encoding="utf-8", errors="surrogateescape") as lines:
                for line in lines:
                    yield line.rstrip("\n")

    def keep(self, root: str, ids: Iterable[str]) -> None:
        """Remember that the list names these and no others."""
        keep_private(self._home)
        with (
            replacing(self._file(root)) as half,
            half.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as file,
        ):
            file.writelines(f"{id}\n" for id in ids)

    def known(self, root: str, store: Store, fingerprint: str | None = None) -> Iterator[tuple[str, Known]]:
        """What the index holds of the list's pictures, as `Store.walk` gives a folder's."""
        ids = self.ids(root)
        while part := list(islice(ids, ASKED)):
            yield from store.known(part, fingerprint).items()

    def broken(self, root: str, store: Store) -> dict[str, Broken]:
        """Which of the list's pictures could not be opened, with the reason."""
        named = IdSet(self.ids(root))
        unread = (item for place in EVERYWHERE for item in store.broken(place).items())
        return {id: why for id, why in unread if id in named}

    def elsewhere(self, ids: Collection[str], root: str, roots: Iterable[str]) -> set[str]:
        """Which of these the index has without this list: by a folder, a bucket or another list."""
        others = [other for other in roots if other != root]
        lists = [IdSet(self.ids(other)) for other in others if other in self] if ids else []
        folders = [Path(other) for other in others if other not in self]
        return {
            id
            for id in ids
            if any(Path(id).is_relative_to(one) for one in folders) or any(id in one for one in lists)
        }

    def forget(self, root: str, store: Store) -> int:
        """Take the list and what only came by it out of the index; gives how many pictures that were."""
        count, roots, ids = 0, store.roots(), self.ids(root)
        while part := list(islice(ids, ASKED)):
            count += store.forget(set(part) - self.elsewhere(part, root, roots))
        store.forget_root(root)
        self._file(root).unlink(missing_ok=True)
        return count


def _short(name: str) -> str:
    return hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
