"""From what fills the places of pictures to measures: how many, how visible, where, how large."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.language.frame_facts import LOOKS, SEEN
from circlet.models.frames.eye import WHOLE, FrameEye, Pixels, beside_median, median_of

# What is read off a mask: size, middle, spread, peak, other things around, what lies at each edge.
_READ = 11
# Beside it: the most and the mean of the set, what was before and comes after, when it was and will be seen.
_BESIDE = 5 * _READ + 8
_GRID = 7
_LIGHT = 12
# Pictures that go through the eye at once: bounds memory, not results.
_BLOCK = 40
_X = SEEN.index("x")
# By how much the logits of a kind rise that is spoken of.
_NAMED = 3.0


@dataclass(frozen=True)
class GaugeSizes:
    """How long the vectors of kinds and places are, how many values each can have, how wide layers are."""

    key: int
    told: int
    colours: int
    settings: int
    times: int
    weathers: int
    hidden: int = 256


class Looked(NamedTuple):
    """What the eye gives of a set: of things (pictures, things, …), of wholes (pictures, …)."""

    things: Tensor
    middles: Tensor
    coats: Tensor
    wholes: Tensor
    lights: Tensor


class Measured(NamedTuple):
    """SEEN of things and LOOKS of pictures, each with how far off it may be; logits of all that is stated."""

    seen: Tensor
    seen_off: Tensor
    colours: Tensor
    looks: Tensor
    looks_off: Tensor
    settings: Tensor
    times: Tensor
    weathers: Tensor


def _layers(into: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.BatchNorm1d(into),
        nn.Linear(into, hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden // 2),
        nn.ReLU(),
        nn.Linear(hidden // 2, out),
    )


class Gauges(nn.Module):
    """What was looked at, as measures; rows are things or pictures of any sets."""

    def __init__(self, sizes: GaugeSizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.seen = _layers(_BESIDE + sizes.told + sizes.key, sizes.hidden, 2 * len(SEEN))
        self.colour = _layers(sizes.told + sizes.key + 6, sizes.hidden, sizes.colours)
        whole = WHOLE + 3 * _GRID * _GRID
        self.look = _layers(2 * WHOLE + _LIGHT * 2, sizes.hidden, 2 * len(LOOKS))
        self.setting = _layers(whole, sizes.hidden, sizes.settings)
        self.time = _layers(whole, sizes.hidden, sizes.times)
        self.weather = _layers(whole, sizes.hidden, sizes.weathers)

    def of_things(self, things: Tensor, middles: Tensor, coats: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """SEEN (rows, …), how far off it may be, and logits of colours."""
        seen, off = self.seen(things).chunk(2, 1)
        # Where it is comes from the mask itself; what is learned corrects it.
        place = functional.pad(middles, (_X, len(SEEN) - _X - 2))
        colours = self.colour(torch.cat([coats, things[:, _BESIDE:]], 1))
        return seen + place, functional.softplus(off), colours

    def of_wholes(self, wholes: Tensor, lights: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """LOOKS (rows, …), how far off they may be, and logits of settings, times and weathers."""
        looks, off = self.look(lights).chunk(2, 1)
        return looks, functional.softplus(off), self.setting(wholes), self.time(wholes), self.weather(wholes)

    def forward(self, looked: Looked) -> Measured:
        pictures, things = looked.things.shape[:2]
        flat = [part.flatten(0, 1) for part in looked[:3]]
        seen, off, colours = (part.view(pictures, things, -1) for part in self.of_things(*flat))
        looks, looks_off, *stated = self.of_wholes(looked.wholes, looked.lights)
        return Measured(seen, off, colours, looks, looks_off, *stated)


@torch.no_grad()
def look(eye: FrameEye, pictures: Pixels, kinds: Tensor, in_time: bool) -> Looked:
    """What the eye gives of the things of these kinds (their numbers) in a set of pictures."""
    both = beside_median(
        torch.from_numpy(pictures).float(), torch.from_numpy(median_of(pictures)).float()
    ).contiguous(memory_format=torch.channels_last)
    maps, wholes, masks, others = [], [], [], []
    for part in torch.split(both, _BLOCK):
        there, whole = eye.maps(part)
        logits = eye.filled(there)
        whichever = logits.logsumexp(1, keepdim=True)
        named = logits[:, kinds + 1]
        # What is spoken of is likely to be there: so much likelier than any other kind.
        rest = whichever + torch.log1p(-(named - whichever).exp().clamp_max(1 - 1e-6))
        mask = (named + _NAMED - rest).sigmoid()
        maps.append(there)
        wholes.append(whole)
        masks.append(mask)
        others.append((1 - (logits[:, :1] - whichever).exp() - mask).clamp_min(0))
    place, whole = torch.cat(maps), torch.cat(wholes)
    mask, other = torch.cat(masks), torch.cat(others)
    small = functional.adaptive_avg_pool2d(both, eye.sizes.cells)
    held = _within(mask, place)
    keys = eye.keys[kinds].expand(len(pictures), -1, -1)
    read = _read(mask, other)
    things = torch.cat([_beside(read, in_time), held, keys], -1)
    grid = functional.adaptive_avg_pool2d(both[:, :3], _GRID).flatten(1)
    lights = _lights(both)
    return Looked(
        things,
        read[..., 1:3],
        _within(mask, small),
        torch.cat([whole, grid], 1),
        torch.cat([whole, whole - whole.mean(0), lights, lights - lights.median(0).values], 1),
    )


def _within(mask: Tensor, maps: Tensor) -> Tensor:
    """The mean of maps where a thing shows, (pictures, things, channels)."""
    return torch.einsum("nkyx,ncyx->nkc", mask, maps) / (mask.sum((2, 3))[..., None] + 0.5)


def _read(mask: Tensor, other: Tensor) -> Tensor:
    """What is read off masks (pictures, things, cells, cells): see `_READ`."""
    cells = mask.shape[-1]
    at = (torch.arange(cells, dtype=mask.dtype) + 0.5) / cells
    mass = mask.sum((2, 3)) + 0.02
    columns, rows = mask.sum(2), mask.sum(3)
    x, y = (columns * at).sum(-1) / mass, (rows * at).sum(-1) / mass
    wide = ((columns * (at - x[..., None]) ** 2).sum(-1) / mass).sqrt()
    high = ((rows * (at - y[..., None]) ** 2).sum(-1) / mass).sqrt()
    edges = torch.stack([columns[..., 0], columns[..., -1], rows[..., 0], rows[..., -1]], -1) / 3
    around = functional.max_pool2d(mask, 3, 1, 1)
    touching = (around * other).sum((2, 3)) / mass.clamp_min(0.5).sqrt()
    peak = mask.amax((2, 3))
    told = torch.stack([mass.sqrt() / 6, x, y, wide * 4, high * 4, peak, touching], -1)
    return torch.cat([told, edges], -1)


def _beside(read: Tensor, in_time: bool) -> Tensor:
    """What was read beside the whole set's, and beside what was before and comes after, if that is known."""
    most, mean = read.amax(0, keepdim=True).expand_as(read), read.mean(0, keepdim=True).expand_as(read)
    none = torch.zeros_like(read[:1])
    known = 1.0 if in_time else 0.0
    before, after = torch.cat([none, read[:-1]]) * known, torch.cat([read[1:], none]) * known
    last, coming = _carried(read) * known, _carried(read.flip(0)).flip(0) * known
    return torch.cat([read, most, mean, before, after, last, coming], -1)


def _carried(read: Tensor) -> Tensor:
    """Where a thing was when it was last seen before each picture, its size, and how lately: (…, 4)."""
    told = torch.zeros(*read.shape[:2], 4)
    held = torch.zeros(read.shape[1], 4)
    for number in range(len(read)):
        told[number] = held
        seen = (read[number, :, 5] > 0.4)[:, None]
        now = torch.cat([read[number, :, :3], torch.ones(read.shape[1], 1)], 1)
        fading = torch.cat([held[:, :3], held[:, 3:] * 0.6], 1)
        held = torch.where(seen, now, fading)
    return told


def _lights(both: Tensor) -> Tensor:
    """How light and how sharp pictures are: (pictures, _LIGHT)."""
    picture = both[:, :3] + 0.5
    grey = picture.mean(1)
    across, down = grey.diff(dim=-1).abs(), grey.diff(dim=-2).abs()
    second = grey.diff(dim=-1).diff(dim=-1).abs()
    sharp = torch.stack(
        [
            across.mean((1, 2)),
            down.mean((1, 2)),
            second.mean((1, 2)),
            across.flatten(1).topk(100).values.mean(1),
        ],
        1,
    )
    apart = both[:, 3:].abs().mean((2, 3)).mean(1, keepdim=True)
    told = [
        picture.mean((2, 3)),
        picture.std((2, 3)),
        sharp * 5,
        apart,
        (sharp[:, :1] / (second.mean((1, 2))[:, None] + 1e-3)),
    ]
    return torch.cat(told, 1)
