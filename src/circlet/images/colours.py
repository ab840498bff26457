"""Any pixel mode to RGB as a person sees it: transparency on white, deep greys scaled, not clipped."""

import numpy as np
from PIL import Image


def to_rgb(picture: Image.Image) -> Image.Image:
    """The picture in RGB.

    >>> to_rgb(Image.new("RGBA", (1, 1), (255, 0, 0, 0))).getpixel((0, 0))
    (255, 255, 255)
    >>> to_rgb(Image.new("I;16", (1, 1), 65535 // 2)).getpixel((0, 0))
    (127, 127, 127)
    """
    if picture.mode == "RGB" and "transparency" not in picture.info:
        return picture
    if picture.mode.startswith(("I", "F")):
        return _deep_grey(picture).convert("RGB")
    if picture.has_transparency_data:
        whole = picture.convert("RGBA")
        white = Image.new("RGBA", whole.size, "white")
        return Image.alpha_composite(white, whole).convert("RGB")
    return picture.convert("RGB")


def _deep_grey(picture: Image.Image) -> Image.Image:
    """16 bits keep their high byte; wider numbers are stretched from their least to their greatest."""
    values = np.asarray(picture)
    if picture.mode.startswith("I;16"):
        return Image.fromarray((values >> 8).astype(np.uint8))
    numbers = np.nan_to_num(values.astype(np.float64), posinf=0, neginf=0)
    low, high = numbers.min(), numbers.max()
    return Image.fromarray(((numbers - low) * (255 / max(high - low, 1e-12))).astype(np.uint8))
