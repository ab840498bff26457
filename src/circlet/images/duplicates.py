"""Near-identical pictures, told by a tiny copy of each: how it looks from afar.

An encoder's vectors follow the meaning: saving a photograph again moves them further than the step to
another photograph of the same thing. The tiny copy hardly changes; `benchmarks/folding.py` shows both.
It is kept in the index as a space of its own, beside the encoders'.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from circlet.core import Vectors
from circlet.images.bursts import apart_from, of_one_burst

if TYPE_CHECKING:
    from PIL.Image import Image

SPACE = "look:1"
SIDE = 8
NUMBERS = SIDE * SIDE * 3
# Two pictures are near-identical when their tiny copies differ by no more than this (root mean
# square, of 1): copies saved again, resized or cropped by a hundredth mostly do, others do not.
NEAR = 6 / 255


def tiny_copy(picture: "Image") -> Vectors:
    """The tiny copy as one row of numbers from 0 to 1.

    >>> from PIL import Image
    >>> tiny_copy(Image.new("RGB", (300, 200), (255, 0, 0))).reshape(-1, 3)[0].tolist()
    [1.0, 0.0, 0.0]
    """
    from PIL import Image

    tiny = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(tiny.convert("RGB"), np.float32).ravel() / np.float32(255)


def fold(
    copies: Vectors,
    hashes: Sequence[str],
    *,
    groups: int,
    near: float = NEAR,
    times: Vectors | None = None,
) -> list[list[int]]:
    """Row numbers gathered around the best of each near-identical group, best first.

    Two pictures are near-identical when their content hashes are equal, their tiny copies differ by no
    more than `near`, or, where `times` says when each was taken, they are of one burst. Stops after
    `groups` groups.

    >>> rows = np.array([[0.1, 0.1], [0.9, 0.1], [0.11, 0.1], [np.nan, np.nan]], np.float32)
    >>> fold(rows, ["a", "b", "c", "b"], groups=9)
    [[0, 2], [1, 3]]
    """
    numbers = {hash: number for number, hash in enumerate(hashes)}
    codes = np.array([numbers[hash] for hash in hashes], np.intp)
    left = np.arange(len(copies))
    gathered: list[list[int]] = []
    while len(left) and len(gathered) < groups:
        first = left[0]
        apart = apart_from(0, copies[left])
        same = (apart <= near * near) | (codes[left] == codes[first])
        if times is not None:
            same |= of_one_burst(0, apart, times[left])
        gathered.append(left[same].tolist())
        left = left[~same]
    return gathered
