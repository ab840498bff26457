"""A picture inside a page: small, as an address that needs no file beside it."""

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.core import CircletError
from circlet.images.opening import thumbnail

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 160
# What one picture may add to a page or a saved notebook, in letters of its address.
MOST = 16_000


def data_address(picture: "Image") -> str:
    """The picture as a `data:` address of at most MOST letters: as good a JPEG as fits.

    >>> from PIL import Image
    >>> data_address(Image.new("RGB", (64, 64)))[:23]
    'data:image/jpeg;base64,'
    """
    small = picture.convert("RGB")
    small.thumbnail((SIDE, SIDE))
    for quality in (82, 60, 40, 20, 5):
        out = io.BytesIO()
        small.save(out, "JPEG", quality=quality)
        told = f"data:image/jpeg;base64,{base64.b64encode(out.getvalue()).decode()}"
        if len(told) <= MOST:
            return told
    raise AssertionError(f"{SIDE} × {SIDE} pixels at the lowest quality take more than {MOST} letters")


def file_address(path: Path) -> str:
    """The same of a file; nothing where it cannot be opened."""
    try:
        return data_address(thumbnail(path, SIDE))
    except CircletError:
        return ""
