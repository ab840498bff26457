"""A thing seen closely: what is around its mask, cut out of the picture and brought to one size."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.frames.glimpse import Numbers

# Places along a side of what is cut out, and what each place has: three colours, and the mask.
SIDE, NUMBERS = 64, 4
_WIDE = (24, 48, 64, 64)
# Where pictures are compared, so many places a side are first seen as one.
_SQUARE = 4
# What `close_layers` gives of each thing.
CLOSE_OUT = _WIDE[-1] * (SIDE >> len(_WIDE)) ** 2
# Half of a box, in deviations of its mask (1.73 would do for what fills a box evenly), and at least.
_REACH, _LEAST = 2.1, 0.04
# Pictures that show at least this share of the most that is seen of a thing say how large it is.
_SHOWN = 0.5


def closely(masks: Tensor, pixels: Numbers, *, alike: bool = False) -> Tensor:
    """What is around each thing in each picture, (pictures, things, NUMBERS, …), in bytes.

    Masks are (pictures, things, …), pixels (pictures, …, 3) from 0 to 255. A box is as large as the mask, or
    with `alike` as large as where most of that thing shows: then what is seen of it can be compared.

    >>> import numpy as np
    >>> mask = torch.zeros(1, 1, 28, 28)
    >>> mask[..., :7, :7] = 1
    >>> seen = closely(mask, np.zeros((1, 224, 224, 3), np.uint8))
    >>> tuple(seen.shape), int(seen[0, 0, 3, 32, 32]), int(seen[0, 0, 3, 63, 63])
    ((1, 1, 4, 64, 64), 255, 0)
    """
    count, things, cells, _ = masks.shape
    at = (torch.arange(cells, dtype=masks.dtype) + 0.5) / cells
    # Squared, what is hardly there counts hardly: a haze over the whole picture would make any box too large.
    sure = masks.square()
    mass = sure.sum((2, 3)) + 1e-3
    lines = []
    for along in (sure.sum(2), sure.sum(3)):
        middle = (along * at).sum(-1) / mass
        reach = _REACH * ((along * (at - middle[..., None]) ** 2).sum(-1) / mass).sqrt()
        if alike:
            shown = mass >= _SHOWN * mass.amax(0)
            reach = torch.where(shown, reach, 0).amax(0, keepdim=True)
        reach = reach.clamp_min(_LEAST)
        line = (torch.arange(SIDE) + 0.5) * 2 / SIDE - 1
        lines.append(2 * (middle[..., None] + reach[..., None] * line) - 1)
    shape = (count, things, SIDE, SIDE)
    grid = torch.stack([lines[0][:, :, None].expand(shape), lines[1][..., None].expand(shape)], -1)
    # All things of a picture are cut out of it at once, one below the other.
    colours = torch.from_numpy(pixels).permute(0, 3, 1, 2) / 255
    colour = functional.grid_sample(colours, grid.flatten(1, 2), align_corners=False)
    colour = colour.view(count, 3, things, SIDE, SIDE).transpose(1, 2)
    mask = functional.grid_sample(masks.flatten(0, 1)[:, None], grid.flatten(0, 1), align_corners=False)
    return as_bytes(torch.cat([colour, mask.view(count, things, 1, SIDE, SIDE)], 2))


def close_layers() -> nn.Sequential:
    """Convolutions over what was cut out, (…, CLOSE_OUT) when flat."""
    return nn.Sequential(*(halved(into, out) for into, out in zip((NUMBERS, *_WIDE), _WIDE, strict=False)))


class Compared(nn.Module):
    """Convolutions over what was cut out of several pictures, each beside the one where most of it shows.

    The first of them takes squares that do not overlap, of each picture and once of the best one: all else
    would take three times as long.
    """

    def __init__(self) -> None:
        super().__init__()
        first, second, last = _WIDE[1:]
        self.own, self.best = (nn.Conv2d(NUMBERS, first, _SQUARE, _SQUARE, bias=False) for _ in range(2))
        self.norm = nn.BatchNorm2d(first)
        self.rest = nn.Sequential(halved(first, second), halved(second, last))

    def forward(self, close: Tensor, best: Tensor) -> Tensor:
        """What is seen of things (things, pictures, NUMBERS, …) beside (things, NUMBERS, …)."""
        own = self.own(as_floats(close.flatten(0, 1)))
        both = own.unflatten(0, close.shape[:2]) + self.best(as_floats(best))[:, None]
        seen: Tensor = self.rest(functional.relu(self.norm(both.flatten(0, 1))))
        return seen


def halved(into: int, out: int) -> nn.Sequential:
    """A convolution after which maps have half as many places along a side."""
    return nn.Sequential(nn.Conv2d(into, out, 3, 2, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


def as_bytes(share: Tensor) -> Tensor:
    """Shares from 0 to 1 in bytes."""
    return (share.clamp(0, 1) * 255).round().to(torch.uint8)


def as_floats(share: Tensor) -> Tensor:
    """The same back, as convolutions read it fastest; bytes are moved before they are numbers."""
    return share.contiguous(memory_format=torch.channels_last).float().div_(255)
