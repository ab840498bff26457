"""Where each kind of thing shows in a picture: from glimpses to what fills every place.

A picture goes in together with how it differs from the median of its set, which makes what moves stand out.
What is there is made out on a coarse grid, where its edge runs on one that is twice as fine. Out comes, for
every fine place, one vector; held against the vectors of all kinds and of the ground, it says what share of
the place each of them fills.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.language.frame_facts import SEEN
from circlet.models.encoders.convnet import MIDDLE
from circlet.models.frames.glimpse import NEAR, Shown

# What each place says of the thing that is there: all that facts ask.
MEASURES = SEEN
# Numbers of a coarse place that nobody gave a meaning to: whatever helps to measure.
_FREE = 16
# After so many blocks each place learns of the whole picture.
_WHOLE_AT = 2


@dataclass(frozen=True)
class EyeSizes:
    """How many kinds and colours there are, how long vectors are: of names, of kinds, and of
    coarse and fine places."""

    kinds: int
    colours: int
    names: int = 384
    key: int = 48
    width: int = 128
    blocks: int = 4
    fine: int = 48

    @property
    def told(self) -> int:
        """Numbers of a coarse place: SEEN of the thing that is there, its colour, and what is free."""
        return len(SEEN) + self.colours + _FREE


class _Block(nn.Module):
    """A convolution that looks `reach` places far, and one that mixes what it saw, with a way around them."""

    def __init__(self, width: int, reach: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=reach, dilation=reach, bias=False)
        self.first_norm = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(width)

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(inner)))


class EyeMaps(NamedTuple):
    """What the eye gives of pictures: vectors of fine places, numbers of coarse ones, and what led there."""

    fine: Tensor
    told: Tensor
    inner: Tensor


class FrameEye(nn.Module):
    """Glimpses beside their set's median to what fills each place; `names` has a vector per kind's name."""

    names: Tensor

    def __init__(self, sizes: EyeSizes, names: Tensor | None = None) -> None:
        super().__init__()
        self.sizes = sizes
        given = torch.zeros(sizes.kinds, sizes.names) if names is None else names
        self.register_buffer("names", given)
        width = sizes.width
        # Whatever of each part lies in a coarse place: 8 × 8 pixels, 2 × 2 near places, a far one.
        self.pixels = nn.Conv2d(2 * 3, width, 8, 8, bias=False)
        self.near = nn.Conv2d(2 * NEAR, width, 2, 2, bias=False)
        self.far = nn.Conv2d(2 * MIDDLE, width, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.blocks = nn.ModuleList([_Block(width, 1 + number % 2) for number in range(sizes.blocks)])
        self.whole = nn.Linear(width, width)
        # Each coarse place tells of the four fine ones in it, which see their own 4 × 4 pixels as well.
        self.four = nn.Conv2d(width, 4 * sizes.fine, 1, bias=False)
        self.near_fine = nn.Conv2d(2 * NEAR, sizes.fine, 1, bias=False)
        self.pixels_fine = nn.Conv2d(2 * 3, sizes.fine, 4, 4, bias=False)
        self.fine_norm = nn.BatchNorm2d(sizes.fine)
        self.around = nn.Conv2d(sizes.fine, sizes.fine, 3, padding=1, bias=False)
        self.around_norm = nn.BatchNorm2d(sizes.fine)
        self.last = nn.Conv2d(sizes.fine, sizes.key, 1)
        self.told = nn.Conv2d(width, sizes.told, 1)
        # A kind's vector comes from its name, with something of its own beside it.
        self.name = nn.Sequential(nn.Linear(sizes.names, 256), nn.ReLU(), nn.Linear(256, sizes.key))
        self.own = nn.Parameter(torch.randn(sizes.kinds, sizes.key) * 0.1)
        self.ground = nn.Parameter(torch.zeros(sizes.key))
        self.usual = nn.Parameter(torch.tensor(2.0))
        self.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def maps(self, shown: Shown) -> EyeMaps:
        """What is seen of pictures as `glimpse.beside` shows them."""
        together = self.pixels(shown.pixels) + self.near(shown.near) + self.far(shown.far)
        inner = functional.relu(self.norm(together))
        for number, block in enumerate(self.blocks):
            if number == _WHOLE_AT:
                inner = inner + self.whole(inner.mean((2, 3)))[:, :, None, None]
            inner = block(inner)
        fine = functional.pixel_shuffle(self.four(inner), 2)
        fine = fine + self.near_fine(shown.near) + self.pixels_fine(shown.pixels)
        fine = functional.relu(self.fine_norm(fine))
        fine = functional.relu(fine + self.around_norm(self.around(fine)))
        return EyeMaps(self.last(fine), self.told(inner), inner)

    @property
    def keys(self) -> Tensor:
        """One vector per kind."""
        keys: Tensor = self.name(self.names) + self.own
        return keys

    def among_kinds(self, places: Tensor, keys: Tensor | None = None) -> Tensor:
        """Logits of what fills places of such vectors (…, key), (…, 1 + kinds); the ground comes first.

        Of kinds with these `keys`, or of all.
        """
        keys = torch.cat([self.ground[None], self.keys if keys is None else keys])
        keys = keys * (3 * self.sizes.key**-0.5)
        return places @ keys.T + functional.pad(self.usual[None], (0, len(keys) - 1))

    def forward(self, shown: Shown) -> Tensor:
        """Logits of what fills the fine places, (pictures, CELLS, CELLS, 1 + kinds)."""
        return self.among_kinds(self.maps(shown).fine.permute(0, 2, 3, 1))
