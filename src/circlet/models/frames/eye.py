"""Where each kind of thing shows in a picture: from pixels to how much of every place each of them fills.

A picture goes in together with how it differs from the median of its set, which makes what moves stand out.
Out comes, for every place of a grid, one vector; held against the vectors of all kinds and of the ground,
it says what share of the place each of them fills.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from circlet.language.frame_facts import SEEN

# What each place says of the thing that is there: all that facts ask.
MEASURES = SEEN
Pixels = NDArray[np.uint8]
# Numbers that describe a whole picture.
WHOLE = 128
_NEAR, _WIDE, _JOIN = 32, 64, 64


@dataclass(frozen=True)
class EyeSizes:
    """How many kinds and colours there are, how long the vectors of names, how large a picture (pixels)."""

    kinds: int
    colours: int
    names: int = 384
    side: int = 112
    width: int = 64

    @property
    def told(self) -> int:
        """Numbers of a place: those that kinds are known by, SEEN of the thing that is there, its colour."""
        return self.width + len(SEEN) + self.colours

    @property
    def cells(self) -> int:
        """Places along one side of the grid."""
        return self.side // 4


def _conv(into: int, out: int, step: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, 3, step, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True)
    )


class _Block(nn.Module):
    """Two convolutions, with a way around them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class FrameEye(nn.Module):
    """Pictures beside their set's median to what fills each place; `names` has a vector per kind's name."""

    names: Tensor

    def __init__(self, sizes: EyeSizes, names: Tensor | None = None) -> None:
        super().__init__()
        self.sizes = sizes
        given = torch.zeros(sizes.kinds, sizes.names) if names is None else names
        self.register_buffer("names", given)
        self.near = nn.Sequential(nn.PixelUnshuffle(2), _conv(24, _NEAR, 2), _conv(_NEAR, _NEAR))
        self.wide = nn.Sequential(_conv(_NEAR, _WIDE, 2), _Block(_WIDE), _Block(_WIDE), _Block(_WIDE))
        self.whole = nn.Sequential(_conv(_WIDE, WHOLE, 2), _Block(WHOLE))
        self.sides = nn.ModuleList([nn.Conv2d(into, _JOIN, 1) for into in (_NEAR, _WIDE, WHOLE)])
        self.join = _conv(_JOIN, _JOIN)
        self.last = nn.Conv2d(_JOIN, sizes.told, 1)
        # A kind's vector comes from its name, with something of its own beside it.
        self.name = nn.Sequential(nn.Linear(sizes.names, 256), nn.ReLU(), nn.Linear(256, sizes.width))
        self.own = nn.Parameter(torch.randn(sizes.kinds, sizes.width) * 0.1)
        self.ground = nn.Parameter(torch.zeros(sizes.width))
        self.usual = nn.Parameter(torch.tensor(2.0))
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def maps(self, both: Tensor) -> tuple[Tensor, Tensor]:
        """A vector per place (pictures, told, cells, cells), and numbers for the whole (pictures, WHOLE)."""
        near = self.near(both)
        wide = self.wide(near)
        whole = self.whole(wide)
        a, b, c = (side(x) for side, x in zip(self.sides, (near, wide, whole), strict=True))
        b = functional.relu(b + functional.interpolate(c, size=b.shape[-2:], mode="bilinear"))
        a = functional.relu(a + functional.interpolate(b, size=a.shape[-2:], mode="bilinear"))
        return self.last(self.join(a)), whole.mean((2, 3))

    @property
    def keys(self) -> Tensor:
        """One vector per kind."""
        keys: Tensor = self.name(self.names) + self.own
        return keys

    def among_kinds(self, places: Tensor) -> Tensor:
        """Logits of what fills places of such vectors, (places, 1 + kinds); the ground comes first."""
        keys = torch.cat([self.ground[None], self.keys]) * (3 * self.sizes.width**-0.5)
        return places[..., : self.sizes.width] @ keys.T + functional.pad(
            self.usual[None], (0, self.sizes.kinds)
        )

    def filled(self, maps: Tensor) -> Tensor:
        """The same for whole maps: (pictures, 1 + kinds, cells, cells)."""
        return self.among_kinds(maps.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    def forward(self, both: Tensor) -> Tensor:
        maps, _ = self.maps(both)
        return self.filled(maps)


def beside_median(pictures: Tensor, median: Tensor) -> Tensor:
    """What the eye is shown: pictures (n, side, side, 3; 0 to 255) and how they differ from the median."""
    shown = torch.cat([pictures / 255 - 0.5, (pictures - median) / 255], -1)
    return shown.permute(0, 3, 1, 2)


def median_of(pictures: Pixels) -> Pixels:
    """The median of a set at every pixel: what stays where things move.

    >>> three = np.array([0, 9, 200], np.uint8).reshape(3, 1, 1, 1)
    >>> median_of(three).item()
    9
    """
    middle: Pixels = np.partition(pictures, len(pictures) // 2, axis=0)[len(pictures) // 2]
    return middle


def pixels(picture: Any, side: int) -> Pixels:
    """An opened picture as a square of so many pixels."""
    from PIL import Image

    if picture.size != (side, side):
        picture = picture.resize((side, side), Image.Resampling.BOX)
    return np.asarray(picture.convert("RGB"))
