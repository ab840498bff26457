"""What a server's index holds, for whoever runs it: counts, what was looked at, what could not be read."""

from abc import abstractmethod
from typing import Any

from circlet.app.http.files import Files
from circlet.collection import SearchOptions
from circlet.collection.counting import under
from circlet.core import StoreError
from circlet.images.addresses import id_of
from circlet.index import Marking


class Holdings(Files):
    """The part of a library that tells how much there is."""

    @abstractmethod
    def count(self, options: SearchOptions | None = None) -> int:
        """How many pictures there are under these filters."""

    @abstractmethod
    def place(self, id: str) -> str:
        """Where a picture is, told from the collection's root."""

    @abstractmethod
    def scrub(self, message: str) -> str:
        """A message for a visitor."""

    def counts(self) -> list[dict[str, Any]]:
        """Each indexed folder: name, pictures, files that could not be read, encoder."""
        counted = []
        for name, root in self.roots.items():
            listed = self.lists and str(root) in self.collection.lists
            options = SearchOptions(folder="" if self.collection.folder else name)
            pictures = under(self.collection, str(root)) if listed else self.count(options)
            broken = len(self.collection.store.broken(id_of(root))) if pictures else 0
            encoder = self.collection.encoder_name
            counted.append({"name": name, "pictures": pictures, "broken": broken, "encoder": encoder})
        return counted

    def marked(self, kind: str) -> int:
        """How many pictures of the index were looked at for this kind of thing."""
        try:
            store = self.collection.store
        except StoreError:
            return 0
        return store.marked(kind) if isinstance(store, Marking) else 0

    def disk(self) -> int:
        """How many bytes the index takes."""
        try:
            return self.collection.store.counts().bytes
        except StoreError:
            return 0

    def broken(self) -> list[tuple[str, str]]:
        """Files that could not be read: where, and why."""
        try:
            store = self.collection.store
            unread = [item for root in self.roots.values() for item in store.broken(id_of(root)).items()]
        except StoreError:
            return []
        return [(self.place(path), self.scrub(broken.reason)) for path, broken in unread]
