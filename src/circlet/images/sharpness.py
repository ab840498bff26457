"""How blurred a picture is, told by blurring it once more: what was sharp changes, what was not does not.

The measure is that of Crete and others, "The blur effect" (2007): for each direction the share of the
differences between neighbours that is left after a mean over nine. It hardly depends on contrast and on
what the picture shows. `benchmarks/blur.py` says where photographs stand with and without blur.
"""

from typing import TYPE_CHECKING

import numpy as np

from circlet.core import Vectors

if TYPE_CHECKING:
    from PIL.Image import Image

# A picture is taken for blurred from here on.
BLURRED = 0.65
# The short edge at which pictures are compared: blur is a matter of size.
SIDE = 224
_OVER = 9


def blur_of(picture: "Image") -> float:
    """From about 0.2 for a sharp picture to 1 for one without any edge.

    >>> from PIL import Image, ImageFilter
    >>> tiles = Image.effect_noise((20, 20), 80).resize((300, 300), Image.Resampling.NEAREST)
    >>> blur_of(tiles) < 0.3 < 0.65 < blur_of(tiles.filter(ImageFilter.GaussianBlur(6)))
    True
    """
    share = SIDE / min(picture.size)
    if share < 1:
        width, height = picture.size
        picture = picture.resize((max(1, round(width * share)), max(1, round(height * share))))
    grey = np.asarray(picture.convert("L"), np.float32)
    return max(_along(grey), _along(grey.T))


def _along(rows: Vectors) -> float:
    if rows.shape[1] <= _OVER:
        return 1.0
    edges = np.pad(rows, ((0, 0), (_OVER // 2 + 1, _OVER // 2)), mode="edge")
    sums = np.cumsum(edges, axis=1, dtype=np.float64)
    smooth = (sums[:, _OVER:] - sums[:, :-_OVER]) / _OVER
    before = np.abs(np.diff(rows, axis=1))
    after = np.abs(np.diff(smooth, axis=1))
    total = float(before.sum())
    return 1.0 - float(np.maximum(0, before - after).sum()) / total if total else 1.0
