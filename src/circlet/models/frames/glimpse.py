"""What the eye takes in of a picture: small pixels, and what the lower half of the built-in network sees.

That half knows edges, textures and parts of things from a million photographs, so that little is left to
learn; it is never trained here, and a picture goes through it once.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.models.encoders import convnet

Numbers = NDArray[Any]
# Pictures that are looked at have this side.
SIDE = convnet.SIZE
# Places along one side of the fine grid that the eye answers on; it works on one that is half as fine.
CELLS = SIDE // 8
# What the network sees is kept in steps of this, in one byte: it reaches beyond ±30 now and then only.
_STEP = 0.3
# By which numbers are divided so that they are about one.
_USUAL, _APART = 24.0, 64.0
# Channels of one coarse place: two layers, the pixels, and how all of them differ from the median.
INPUTS = 2 * (convnet.MIDDLE + 4 * 40 + 3 * 8 * 8)


class Glimpses(NamedTuple):
    """Pictures as the eye takes them in; the last axes of each part are places down, across, and channels.

    `pixels` (0 to 255) has half of the side, `near` 28 places a side, `far` 14.
    """

    pixels: Numbers
    near: Numbers
    far: Numbers

    def each(self, make: Callable[[Numbers], Numbers]) -> "Glimpses":
        """Something made of each part: `seen.each(lambda part: part[:3])` are the first three."""
        return Glimpses(make(self.pixels), make(self.near), make(self.far))


@cache
def _network() -> Any:
    return convnet.load_lower()


def glimpse(pictures: Numbers) -> Glimpses:
    """What the eye takes in of pictures (n, SIDE, SIDE, 3).

    >>> [part.shape for part in glimpse(np.zeros((2, 224, 224, 3), np.uint8))]
    [(2, 112, 112, 3), (2, 28, 28, 40), (2, 14, 14, 112)]
    """
    near, far = _network().run(convnet.LOWER, {"pixels": pictures})
    half = pictures.reshape(len(pictures), SIDE // 2, 2, SIDE // 2, 2, 3).mean((2, 4), dtype=np.float32)
    return Glimpses(np.rint(half).astype(np.uint8), _stepped(near), _stepped(far))


def _stepped(seen: Numbers) -> Numbers:
    return np.clip(np.rint(seen / _STEP), -127, 127).astype(np.int8).transpose(0, 2, 3, 1)


def median_of(values: Numbers) -> Numbers:
    """The median of a set everywhere: what stays where things move.

    >>> three = np.array([0, 9, 200], np.uint8).reshape(3, 1, 1, 1)
    >>> median_of(three).item()
    9
    """
    return np.asarray(np.partition(values, len(values) // 2, axis=0)[len(values) // 2])


def beside(seen: Glimpses, median: Glimpses) -> Tensor:
    """What the eye is shown (pictures, INPUTS, 14, 14): glimpses, and how they differ from a median."""
    (pixels, apart), near, far = (_planes(*both) for both in zip(seen, median, strict=True))
    parts = [part / _USUAL for part in far]
    parts += [functional.pixel_unshuffle(part / _USUAL, 2) for part in near]
    parts += [functional.pixel_unshuffle(pixels / 128 - 1, 8), functional.pixel_unshuffle(apart / _APART, 8)]
    return torch.cat(parts, 1).contiguous(memory_format=torch.channels_last)


def coloured(seen: Glimpses, median: Glimpses) -> Tensor:
    """The small pixels from −½ to ½ (pictures, 6, …), and how they differ from the median's."""
    pixels, apart = _planes(seen.pixels, median.pixels)
    return torch.cat([pixels / 255 - 0.5, apart / 255], 1)


def _planes(part: Numbers, median: Numbers) -> tuple[Tensor, Tensor]:
    values, usual = (torch.from_numpy(np.asarray(one, np.float32)) for one in (part, median))
    return values.permute(0, 3, 1, 2), (values - usual).permute(0, 3, 1, 2)


def pixels_of(picture: Any) -> Numbers:
    """An opened picture as a square of SIDE pixels."""
    from PIL import Image

    if picture.size != (SIDE, SIDE):
        picture = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(picture.convert("RGB"))
