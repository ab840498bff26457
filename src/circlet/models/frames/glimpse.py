"""What the eye takes in of a picture: small pixels, and what the lower half of the built-in network sees.

That half knows edges, textures and parts of things from a million photographs, so that little is left to
learn; it is never trained here, and a picture goes through it once. What it says is kept in bytes, so it is
computed in eight bits as well, in not much more than half of the time.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from circlet.models.encoders import convnet
from circlet.models.encoders.eight import ranges

Numbers = NDArray[Any]
# Pictures that are looked at have this side.
SIDE = convnet.SIZE
# Places along one side of the fine grid that the eye answers on; it works on one that is half as fine.
CELLS = SIDE // 8
# What the network sees is kept in steps of this, in one byte: it reaches beyond ±30 now and then only.
_STEP = 0.3
# By which numbers are divided so that they are about one: of pixels, their differences, and what layers say.
_LIGHT, _APART, _USUAL = 128.0, 64.0, 24.0
_HALF = torch.tensor([0.5, 0.5, 0.5, 0.0, 0.0, 0.0])[:, None, None]
# Numbers of one place of `near`.
NEAR = 40


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
    return convnet.load_lower(ranges())


def glimpse(pictures: Numbers) -> Glimpses:
    """What the eye takes in of pictures (n, SIDE, SIDE, 3).

    >>> [part.shape for part in glimpse(np.zeros((2, 224, 224, 3), np.uint8))]
    [(2, 112, 112, 3), (2, 28, 28, 40), (2, 14, 14, 112)]
    """
    near, far = _network().run(convnet.LOWER, {"pixels": pictures})
    return Glimpses(_halved(pictures), _stepped(near), _stepped(far))


def _halved(pictures: Numbers) -> Numbers:
    """The mean of every four pixels, in whole numbers: ten times as fast as by `mean`."""
    rows = pictures[:, ::2].astype(np.uint16)
    rows += pictures[:, 1::2]
    return ((rows[:, :, ::2] + rows[:, :, 1::2] + 2) >> 2).astype(np.uint8)


def _stepped(seen: Numbers) -> Numbers:
    return np.clip(np.rint(seen / _STEP), -127, 127).astype(np.int8).transpose(0, 2, 3, 1)


def median_of(values: Numbers) -> Numbers:
    """The median of a set everywhere: what stays where things move.

    >>> three = np.array([0, 9, 200], np.uint8).reshape(3, 1, 1, 1)
    >>> median_of(three).item()
    9
    """
    return np.asarray(np.partition(values, len(values) // 2, axis=0)[len(values) // 2])


class Shown(NamedTuple):
    """What the eye is shown of pictures: each part of their glimpses, beside how it differs from a median.

    Channels come second, as in `Glimpses` twice as many; places have the same number as there.
    """

    pixels: Tensor
    near: Tensor
    far: Tensor


def beside(seen: Glimpses, median: Glimpses) -> Shown:
    """What the eye is shown: glimpses, and how they differ from a median, of their set or of each.

    >>> seen = glimpse(np.zeros((2, 224, 224, 3), np.uint8))
    >>> [tuple(part.shape) for part in beside(seen, seen.each(median_of))]
    [(2, 6, 112, 112), (2, 80, 28, 28), (2, 224, 14, 14)]
    """
    pixels, near, far = (_both(*both) for both in zip(seen, median, strict=True))
    pixels[..., :3] /= _LIGHT
    pixels[..., :3] -= 1
    pixels[..., 3:] /= _APART
    # The channels stay last in memory, as convolutions read them fastest.
    return Shown(*(part.permute(0, 3, 1, 2) for part in (pixels, near.div_(_USUAL), far.div_(_USUAL))))


def _both(part: Numbers, median: Numbers) -> Tensor:
    """Values, and beside them how they differ from a median, in the last axis."""
    channels = part.shape[-1]
    both = torch.empty(*part.shape[:-1], 2 * channels)
    both[..., :channels] = torch.from_numpy(part)
    torch.sub(both[..., :channels], torch.from_numpy(median), out=both[..., channels:])
    return both


def coloured(seen: Glimpses, median: Glimpses) -> Tensor:
    """The small pixels from −½ to ½ (pictures, 6, …), and how they differ from the median's."""
    return _both(seen.pixels, median.pixels).permute(0, 3, 1, 2) / 255 - _HALF


def pixels_of(picture: Any) -> Numbers:
    """An opened picture as a square of SIDE pixels."""
    from PIL import Image

    if picture.size != (SIDE, SIDE):
        picture = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(picture.convert("RGB"))
