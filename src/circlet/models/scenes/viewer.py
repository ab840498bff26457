"""From what fills the places of one picture to what its things are like: number, colour, size, place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.frames.close import (
    CLOSE_OUT,
    as_bytes,
    as_floats,
    close_layers,
    closely,
    halved,
)
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.gauges import NAMED
from circlet.models.frames.glimpse import CELLS, Glimpses, Numbers, beside, coloured
from circlet.models.frames.readings import READ, read
from circlet.models.scenes.sights import Sights

# So many kinds of a picture are looked at, the likeliest.
LIKELIEST = 8
# Maps of a thing: as words raise it, as it is, what else is there, the ground, the light.
_MAPS = 5
_WIDE = (32, 48, 64)
_SQUEEZED = 32
_GRID = 7


@dataclass(frozen=True)
class ViewerSizes:
    """How many values each attribute of things and of wholes has, and how wide layers are."""

    things: Mapping[str, int]
    wholes: Mapping[str, int]
    hidden: int = 256


class Viewed(NamedTuple):
    """What the eye gives of pictures, as a viewer wants it: by picture, and by the kinds in question."""

    kinds: Tensor
    maps: Tensor
    close: Tensor
    things: Tensor
    inner: Tensor
    grid: Tensor


class Viewer(nn.Module):
    """Logits of all values: of things, (pictures, kinds, …) by attribute, and of wholes, (pictures, …)."""

    def __init__(self, sizes: ViewerSizes, eye: EyeSizes) -> None:
        super().__init__()
        self.sizes, hidden = sizes, sizes.hidden
        chain = zip((_MAPS, *_WIDE), _WIDE, strict=False)
        self.maps = nn.Sequential(*(halved(into, out) for into, out in chain))
        self.close = close_layers()
        gathered = eye.told + eye.width + eye.key + READ
        seen = _WIDE[-1] * (CELLS // 8 + 1) ** 2 + CLOSE_OUT
        self.norm = nn.BatchNorm1d(gathered)
        self.first = nn.Sequential(
            nn.Linear(seen + gathered, hidden),
            nn.LayerNorm(hidden),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
        )
        self.thing = nn.Linear(hidden, sum(sizes.things.values()))
        self.squeeze = nn.Sequential(
            nn.Conv2d(eye.width, _SQUEEZED, 1, bias=False), nn.BatchNorm2d(_SQUEEZED), nn.ReLU()
        )
        flat = _SQUEEZED * (CELLS // 2) ** 2 + 3 * _GRID**2
        self.around = nn.Sequential(nn.Linear(flat, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Dropout(0.2))
        self.whole = nn.Linear(hidden, sum(sizes.wholes.values()))

    def forward(self, viewed: Viewed) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """The logits by attribute."""
        shape = viewed.kinds.shape
        seen = [
            layers(as_floats(part.flatten(0, 1))).flatten(1)
            for layers, part in ((self.maps, viewed.maps), (self.close, viewed.close))
        ]
        things = self.norm(viewed.things.flatten(0, 1).float())
        told = self.thing(self.first(torch.cat([*seen, things], 1))).view(*shape, -1)
        around = torch.cat([self.squeeze(viewed.inner.float()).flatten(1), viewed.grid.float()], 1)
        wholes = self.whole(self.around(around))
        return _named(told, self.sizes.things), _named(wholes, self.sizes.wholes)


def _named(logits: Tensor, counts: Mapping[str, int]) -> dict[str, Tensor]:
    return dict(zip(counts, torch.split(logits, list(counts.values()), -1), strict=True))


@torch.no_grad()
def view(
    eye: FrameEye, seen: Glimpses, pixels: Numbers, choose: Callable[[Tensor], Tensor] | None = None
) -> Viewed:
    """What the eye gives of pictures, each alone: of the likeliest kinds (pictures, LIKELIEST).

    With `choose`, it is of the kinds (pictures, some) that this makes of them.
    Things are looked at closely in all of the pixels, (pictures, SIDE, SIDE, 3); glimpses have a quarter.
    """
    maps = eye.maps(beside(seen, seen))
    places, keys = maps.fine.permute(0, 2, 3, 1), eye.keys
    logits = [eye.among_kinds(part, keys) for part in torch.split(places, 2)]
    whichever = torch.cat([part.logsumexp(-1) for part in logits])
    filled = torch.cat([part.softmax(-1)[..., 1:].sum((1, 2)) for part in logits])
    kinds = filled.topk(LIKELIEST).indices
    kinds = choose(kinds) if choose else kinds
    said = torch.einsum("nyxc,nkc->nkyx", places, keys[kinds] * (3 * eye.sizes.key**-0.5))
    said = said - whichever[:, None]
    ground = (torch.cat([part[..., 0] for part in logits]) - whichever).exp()
    rest = torch.log1p(-said.exp().clamp_max(1 - 1e-6))
    named = (said + NAMED - rest).sigmoid()
    other = (1 - ground[:, None] - named).clamp_min(0)
    colours = coloured(seen, seen)[:, :3]
    light = functional.adaptive_avg_pool2d(colours, CELLS).mean(1) + 0.5
    stacked = [named, said.exp(), other, ground[:, None].expand_as(named), light[:, None].expand_as(named)]
    coarse = functional.avg_pool2d(named, 2)
    enough = coarse.sum((2, 3))[..., None] + 0.125
    held = [torch.einsum("nkyx,ncyx->nkc", coarse, part) / enough for part in (maps.told, maps.inner)]
    return Viewed(
        kinds,
        as_bytes(torch.stack(stacked, 2)),
        closely(named, pixels),
        torch.cat([*held, keys[kinds], read(named, other)], -1).half(),
        maps.inner.half(),
        functional.adaptive_avg_pool2d(colours, _GRID).flatten(1).half(),
    )


@torch.inference_mode()
def sights_of(viewer: Viewer, viewed: Viewed) -> Sights:
    """What a viewer says of pictures, as probabilities."""
    things, wholes = viewer(viewed)
    likely = (
        torch.cat([part.softmax(-1) for part in group.values()], -1).numpy() for group in (things, wholes)
    )
    return Sights(viewed.kinds.numpy(), *(np.asarray(part, np.float32) for part in likely))
