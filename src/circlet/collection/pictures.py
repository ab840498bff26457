"""The pictures that a query speaks of: the index's own, and those brought from outside beside them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from circlet.collection.uploads import Uploads
from circlet.core import Beside, Gallery, PictureEncoder, PictureError, Pictures, Query, Vectors
from circlet.core.gallery import SOME
from circlet.core.marks import Mark, marks_of
from circlet.images.remote import state_of
from circlet.index import Store, StoredSpace

if TYPE_CHECKING:
    from PIL.Image import Image


class CollectionPictures:
    """Everything that a method may ask of an index's pictures; the encoder says what is where."""

    def __init__(self, space: StoredSpace, encoder: PictureEncoder, uploads: Uploads) -> None:
        self.space, self.encoder, self.uploads = space, encoder, uploads
        self.fingerprint = space.fingerprint

    def __contains__(self, id: object) -> bool:
        return id in self.space

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The index's vectors of these pictures, in their order."""
        return self.space.vectors_of(ids)

    def some_vectors(self, most: int = SOME) -> Vectors:
        """Vectors spread evenly over the index."""
        return self.space.some_vectors(most)

    def marks_of(self, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
        """What was seen in these pictures, as far as the index keeps it."""
        return marks_of(self.space, ids, kind)

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """The spatial tokens, made from the files."""
        from circlet.models.features import tokens_of

        return tokens_of([self.open(id, self.encoder.size) for id in ids], self.encoder)

    def open(self, id: str, side: int | None = None) -> "Image":
        """The picture itself."""
        return self.uploads.picture(id, side)


class _Outside(CollectionPictures):
    """Pictures with vectors of their own: encoded just now, because the index does not have them."""

    def __init__(self, gallery: Gallery, inside: CollectionPictures) -> None:
        super().__init__(inside.space, inside.encoder, inside.uploads)
        self.gallery = gallery

    def __contains__(self, id: object) -> bool:
        return id in self.gallery

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        return self.gallery.vectors_of(ids)


def pictures_of(
    query: Query, store: Store, encoder: PictureEncoder, uploads: Uploads
) -> tuple[Pictures, set[str]]:
    """Pictures for this query, and which of its own are in the index.

    A file that is not indexed, or has changed since, is encoded now and stands beside the index's.
    """
    inside = store.known(query.pictures, encoder.fingerprint)
    fresh = [id for id in query.pictures if id not in inside or _changed(id, *inside[id][:2])]
    own = CollectionPictures(store.space(encoder.fingerprint), encoder, uploads)
    if not fresh:
        return own, set(inside)
    return Beside(_Outside(uploads.gallery(fresh), own), own), set(inside)


def _changed(path: str, size: int, mtime_ns: int) -> bool:
    """Whether a file is there and differs from what was indexed; one that is gone has its vector still."""
    try:
        state = state_of(path)
    except (OSError, PictureError):
        return False
    return state != (size, mtime_ns)
