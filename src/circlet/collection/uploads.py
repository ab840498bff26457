"""Pictures that are asked about but not indexed: encoded once, put beside the gallery."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from circlet.core import Gallery, PictureEncoder, PictureError, StoreError, UsageError
from circlet.core.files import replacing
from circlet.images import open_picture
from circlet.images.colours import to_rgb
from circlet.images.remote import state_of

if TYPE_CHECKING:
    from PIL.Image import Image

# A picture with no file lives as long as the collection; its name says so.
MEMORY = "memory:"
# Vectors in memory, a few MB: a server that runs for months must not hoard its visitors' pictures.
KEPT = 1000


class Uploads:
    """Vectors of pictures outside the index, by id: the absolute path, or `memory:` and a hash.

    `bring` names a picture, `gallery` encodes what has been named. A file that changes is
    encoded again.
    """

    def __init__(self, encoder: Callable[[], PictureEncoder], folder: Path) -> None:
        self._encoder = encoder
        self._folder = folder
        self._held: dict[str, Image] = {}
        self._vectors: dict[tuple[str, int, int], Gallery] = {}

    def bring(self, picture: "bytes | Image | np.ndarray[Any, Any]", *, keep: bool = False) -> str:
        """The id by which a query can name this picture; `keep` stores it under CIRCLET_HOME.

        A kept picture is a file, so a saved session or a link to it still works tomorrow.
        """
        image = open_picture(picture) if isinstance(picture, bytes) else _seen(picture)
        name = hashlib.blake2b(image.tobytes(), digest_size=12).hexdigest()
        if keep:
            return str(self._store(image, name))
        self._held[MEMORY + name] = image
        return MEMORY + name

    def _store(self, image: "Image", name: str) -> Path:
        path = self._folder / f"{name}.png"
        if path.exists():
            return path
        try:
            with replacing(path) as half:
                image.save(half, "PNG")
        except OSError as error:
            raise StoreError(
                f"{path}: the picture cannot be kept ({error.strerror}); make room there or set CIRCLET_HOME"
            ) from None
        return path

    def picture(self, id: str, side: int | None = None) -> "Image":
        """The picture itself, for encoding or for drawing."""
        if id in self._held:
            return self._held[id]
        if id.startswith(MEMORY):
            raise UsageError(f"{id}: this picture was never kept as a file; give it again")
        return open_picture(Path(id), side=side)

    def gallery(self, ids: Sequence[str]) -> Gallery:
        """These pictures, at least one, as a gallery of their own."""
        rows = [self._encoded(id) for id in dict.fromkeys(ids)]
        return Gallery(
            tuple(dict.fromkeys(ids)), np.concatenate([row.vectors for row in rows]), rows[0].fingerprint
        )

    def _encoded(self, id: str) -> Gallery:
        try:
            key = (id, *state_of(id))
        except (OSError, PictureError):
            key = (id, 0, 0)
        known = self._vectors.get(key)
        if known is None:
            encoder = self._encoder()
            picture = self.picture(id, encoder.size)
            known = Gallery([id], encoder.images([picture]), encoder.fingerprint)
            if len(self._vectors) >= KEPT:
                self._vectors = {}
            self._vectors[key] = known
        return known


def _seen(picture: Any) -> "Image":
    """A picture that somebody opened or computed, as its file would have been seen: upright, on white."""
    from PIL import Image, ImageOps

    if isinstance(picture, np.ndarray):
        if picture.dtype != np.uint8 or picture.ndim not in (2, 3) or 0 in picture.shape:
            raise UsageError(
                f"an array of {picture.dtype} and shape {picture.shape} is no picture: give uint8 of height "
                "× width (× 3 for colour), as in (array * 255).astype('uint8')"
            )
        try:
            picture = Image.fromarray(picture)
        except TypeError:
            raise UsageError(
                f"an array of shape {picture.shape} is no picture: its last axis has 3 colours, or 4 with "
                "transparency"
            ) from None
    if not isinstance(picture, Image.Image):
        raise UsageError(
            f"{type(picture).__name__} is nothing to search for: give words, a path, the bytes of a file, "
            "a Pillow image or a numpy array"
        )
    return to_rgb(ImageOps.exif_transpose(picture))
