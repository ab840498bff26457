"""From what fills the places of pictures to measures: how many, how visible, where, how large.

A thing's mask goes through convolutions beside what covers it, what it was before and will be after, and the
most it ever was in the set; what comes of each picture then hears twice of the others: of those just before
and after, where their order is time, and of what the whole set has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.language.frame_facts import LOOKS, OF_ONE, OVERALL, SEEN
from circlet.models.frames.close import CLOSE_OUT, Compared, as_bytes, as_floats, closely, halved
from circlet.models.frames.eye import FrameEye
from circlet.models.frames.glimpse import CELLS, Glimpses, Numbers, Shown, beside, coloured, median_of
from circlet.models.frames.readings import READ, lights, read, turned
from circlet.models.frames.told import IN_MIRROR

_GRID = 7
_LIGHT = 12
# Maps that the convolutions see: see `_stacked`.
_MAPS = 12
_WIDE = (32, 48, 64)
_HEARINGS = 2
# Before and after, by one and by two; the most and the mean of the set; itself. And: first, last, timed.
_HEARD, _WHEN = 7, 3
# Pictures that go through the eye at once: bounds memory, not results.
_BLOCK = 40
_X, _FACING = SEEN.index("x"), SEEN.index("facing")
# Where measures begin: one thing, in view.
_USUAL = {"count": 1.0, "share": 0.7, "inside": 0.95, "covered": 0.1, "size": 0.2}
# By how much the logits of a kind rise that is spoken of.
NAMED = 3.0
# Maps of things, and of whole pictures.
_THING_MAPS = ("named", "plain", "close")
_WHOLE_MAPS = ("ground", "changed", "light")
# Of `Looked`, what has things first.
OF_THINGS = (*_THING_MAPS, "things", "coats")


@dataclass(frozen=True)
class GaugeSizes:
    """How long kinds' and places' vectors are, how many values each thing can have, how wide layers are."""

    key: int
    told: int
    inner: int
    colours: int
    settings: int
    times: int
    weathers: int
    hidden: int = 192


class Looked(NamedTuple):
    """What the eye gives of a set, as the gauges want it.

    Maps are kept in bytes: what fills places by things (things, pictures, …), `named` as words raise it and
    `plain` without; the ground, what changed and the light (pictures, …). Beside them what was gathered of
    things (things, pictures, …) and of wholes (pictures, …).
    """

    named: Tensor
    plain: Tensor
    close: Tensor
    ground: Tensor
    changed: Tensor
    light: Tensor
    things: Tensor
    coats: Tensor
    looks: Tensor
    scenes: Tensor
    in_time: bool

    def backwards(self) -> "Looked":
        """The same set with its pictures in the opposite order."""
        things = {name: getattr(self, name).flip(1) for name in OF_THINGS}
        wholes = {name: getattr(self, name).flip(0) for name in (*_WHOLE_MAPS, "looks", "scenes")}
        return self._replace(**things, **wholes)

    def mirrored(self) -> "Looked":
        """The same set with left and right exchanged in all maps; what was gathered of looks stays."""
        maps = {name: getattr(self, name).flip(-1) for name in (*_THING_MAPS, *_WHOLE_MAPS)}
        gathered, of_masks = torch.split(self.things, [self.things.shape[-1] - READ, READ], -1)
        return self._replace(**maps, things=torch.cat([gathered, turned(of_masks)], -1))


class Measured(NamedTuple):
    """SEEN of things (things, pictures, …) and LOOKS of pictures, each with how far off it may be.

    All else has logits: how well facts about one thing hold (OF_ONE), and those about wholes (OVERALL);
    colours of things; settings, times and weathers of pictures.
    """

    seen: Tensor
    seen_off: Tensor
    facts: Tensor
    colours: Tensor
    looks: Tensor
    looks_off: Tensor
    overall: Tensor
    settings: Tensor
    times: Tensor
    weathers: Tensor

    def mirrored(self) -> "Measured":
        """The same as a mirror has it, in which left is right."""
        seen = self.seen.clone()
        seen[..., _X] = 1 - seen[..., _X]
        seen[..., _FACING] *= -1
        return self._replace(seen=seen, facts=self.facts[..., IN_MIRROR])

    def with_other(self, other: "Measured") -> "Measured":
        """The mean of two measurements of the same pictures."""
        return Measured(*((one + two) / 2 for one, two in zip(self, other, strict=True)))


class Gauges(nn.Module):
    """Sets that were looked at, as measures: things and pictures of all of them, one after the other."""

    def __init__(self, sizes: GaugeSizes) -> None:
        super().__init__()
        self.sizes, hidden = sizes, sizes.hidden
        chain = zip((_MAPS, *_WIDE), _WIDE, strict=False)
        self.maps = nn.Sequential(*(halved(into, out) for into, out in chain))
        gathered = sizes.told + sizes.inner + sizes.key + READ
        self.close = Compared()
        known = _WIDE[-1] * (CELLS // 8 + 1) ** 2 + CLOSE_OUT + gathered
        self.norm = nn.BatchNorm1d(gathered)
        self.first = nn.Sequential(nn.Linear(known, hidden), nn.LayerNorm(hidden), nn.ReLU())
        self.hear = nn.ModuleList([_hearing(hidden) for _ in range(_HEARINGS)])
        self.inner = nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, hidden), nn.ReLU())
        self.last = nn.Linear(hidden, 2 * len(SEEN) + len(OF_ONE))
        self.colour = _layers(hidden + 6 + sizes.colours, 96, sizes.colours)
        self.look = _layers(4 * sizes.inner + 2 * _LIGHT, 160, 2 * len(LOOKS) + len(OVERALL))
        self.stated = _layers(
            2 * sizes.inner + 3 * _GRID**2, 192, sizes.settings + sizes.times + sizes.weathers
        )
        with torch.no_grad():
            self.last.weight.mul_(0.3)
            self.last.bias[: len(SEEN)] = torch.tensor([_USUAL.get(name, 0.0) for name in SEEN])

    def forward(self, sets: Sequence[Looked]) -> Measured:
        """What is measured; all sets have the same number of pictures."""
        pictures = len(sets[0].ground)
        timed = torch.cat([torch.full((len(one.things), 1, 1), float(one.in_time)) for one in sets])
        gathered = torch.cat([one.things.float().flatten(0, 1) for one in sets])
        maps = self.maps(as_floats(torch.cat([_stacked(one) for one in sets])))
        close = self.close(torch.cat([one.close for one in sets]), torch.cat([_best(one) for one in sets]))
        known = self.first(torch.cat([maps.flatten(1), close.flatten(1), self.norm(gathered)], 1))
        known = known.view(-1, pictures, self.sizes.hidden)
        for hear in self.hear:
            known = known + hear(_heard(known, timed))
        seen, off, facts = self.last(self.inner(known)).split((len(SEEN), len(SEEN), len(OF_ONE)), -1)
        # Where it is comes from the mask itself; what is learned corrects it.
        middles = gathered.view(*known.shape[:2], -1)[..., 1 - READ : 3 - READ]
        seen = seen + functional.pad(middles, (_X, len(SEEN) - _X - 2))
        coats = torch.cat([one.coats.float().flatten(0, 1) for one in sets])
        colours = self.colour(torch.cat([known.flatten(0, 1), coats], 1)).view(*known.shape[:2], -1)
        of_whole = self.look(torch.cat([one.looks.float() for one in sets]))
        looks, looks_off, overall = of_whole.split((len(LOOKS), len(LOOKS), len(OVERALL)), -1)
        sizes = self.sizes
        stated = self.stated(torch.cat([one.scenes.float() for one in sets]))
        return Measured(
            seen,
            functional.softplus(off),
            facts,
            colours,
            looks,
            functional.softplus(looks_off),
            overall,
            *stated.split((sizes.settings, sizes.times, sizes.weathers), -1),
        )


def _hearing(hidden: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(_HEARD * hidden + _WHEN, hidden),
        nn.LayerNorm(hidden),
        nn.ReLU(),
        nn.Dropout(0.1),
        nn.Linear(hidden, hidden),
    )


def _layers(into: int, hidden: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.BatchNorm1d(into), nn.Dropout(0.1), nn.Linear(into, hidden), nn.ReLU(), nn.Linear(hidden, out)
    )


def _shifted(known: Tensor, by: int) -> Tensor:
    """Each picture's neighbour so many before (or, less than nothing, after) it; nothing beyond the ends."""
    ends = (by, 0) if by > 0 else (0, -by)
    padded = functional.pad(known, (0, 0, *ends))
    return padded[:, : known.shape[1]] if by > 0 else padded[:, -known.shape[1] :]


def _heard(known: Tensor, timed: Tensor) -> Tensor:
    """What is known of a thing in each picture, beside what is known of it in the others."""
    beside_it = [_shifted(known, by) * timed for by in (1, -1, 2, -2)]
    whole = [known.amax(1, keepdim=True), known.mean(1, keepdim=True)]
    ends = torch.zeros(1, known.shape[1], 2)
    ends[0, 0, 0] = ends[0, -1, 1] = 1
    shape = (*known.shape[:2], -1)
    when = torch.cat([(ends * timed).expand(shape), timed.expand(shape)], -1)
    return torch.cat([known, *beside_it, *(one.expand_as(known) for one in whole), when], -1)


def _stacked(one: Looked) -> Tensor:
    """The maps of a set that convolutions see, (things × pictures, _MAPS, CELLS, CELLS), in bytes."""
    named = one.named
    other = (255 - one.ground.short() - named).clamp_min(0).byte()
    before, after = (_shifted(named.flatten(2), by).view_as(named) * one.in_time for by in (1, -1))
    of_set = [
        part.expand_as(named)
        for maps in (named, other)
        for part in (maps.amax(1, keepdim=True), (maps.sum(1, keepdim=True) // maps.shape[1]).byte())
    ]
    everywhere = [part.expand_as(named) for part in (one.ground, one.changed, one.light)]
    stacked = torch.stack([named, one.plain, other, before, after, *of_set, *everywhere], 2)
    return stacked.flatten(0, 1)


def _best(one: Looked) -> Tensor:
    """Things as they are closely seen where most of them shows, (things, …)."""
    most = one.named.sum((2, 3)).argmax(1)
    return one.close[torch.arange(len(most)), most]


@torch.no_grad()
def look(
    eye: FrameEye,
    seen: Glimpses,
    pixels: Numbers,
    kinds: Tensor,
    in_time: bool,
    median: Glimpses | None = None,
) -> Looked:
    """What the eye gives of the things of these kinds (their numbers) in a set of pictures.

    Things are looked at closely in all of the pixels, (pictures, SIDE, SIDE, 3), of which glimpses have a
    quarter. `median` is that of the set, for whoever has it already.
    """
    median = median or seen.each(median_of)
    parts = [_looked(eye, beside(part, median), kinds) for part in _blocks(seen)]
    fine, plain, ground, told, inner = (
        torch.cat(part, dim) for part, dim in zip(zip(*parts, strict=True), (1, 1, 0, 0, 0), strict=True)
    )
    other = (1 - ground - fine).clamp_min(0)
    coarse = functional.avg_pool2d(fine, 2)
    colours = coloured(seen, median)
    small = functional.adaptive_avg_pool2d(colours, CELLS)
    held = _within(coarse, told)
    names = eye.keys[kinds][:, None].expand(-1, len(ground), -1)
    whole = torch.cat([inner.mean((2, 3)), inner.std((2, 3))], 1)
    light = lights(colours)
    grid = functional.adaptive_avg_pool2d(colours[:, :3], _GRID).flatten(1)
    stated = held[..., len(SEEN) : len(SEEN) + eye.sizes.colours]
    return Looked(
        as_bytes(fine),
        as_bytes(plain),
        closely(fine.transpose(0, 1), pixels, alike=True).transpose(0, 1),
        as_bytes(ground),
        as_bytes(small[:, 3:].abs().mean(1)),
        as_bytes(small[:, :3].mean(1) + 0.5),
        torch.cat([held, _within(coarse, inner), names, read(fine, other)], -1).half(),
        torch.cat([_within(fine, small), stated], -1).half(),
        torch.cat([whole, whole - whole.mean(0), light, light - light.median(0).values], 1).half(),
        torch.cat([whole, grid], 1).half(),
        in_time,
    )


def _blocks(seen: Glimpses) -> list[Glimpses]:
    starts = range(0, len(seen.pixels), _BLOCK)
    return [seen.each(lambda part, at=start: part[at : at + _BLOCK]) for start in starts]  # type: ignore[misc]


def _looked(eye: FrameEye, shown: Shown, kinds: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Masks of things as words raise them and as they are, the ground, and what places tell."""
    maps = eye.maps(shown)
    places, keys = maps.fine.permute(0, 2, 3, 1), eye.keys
    # A few pictures at a time, whose logits of all kinds stay in the cache.
    whichever = torch.cat([eye.among_kinds(part, keys).logsumexp(-1) for part in torch.split(places, 2)])
    ground, *named = (eye.among_kinds(places, keys[kinds]) - whichever[..., None]).permute(3, 0, 1, 2)
    said = torch.stack(named)
    # What is spoken of is likely to be there: so much likelier than any other kind.
    rest = torch.log1p(-said.exp().clamp_max(1 - 1e-6))
    return (
        (said + NAMED - rest).sigmoid(),
        said.exp(),
        ground.exp(),
        maps.told,
        maps.inner,
    )


def _within(masks: Tensor, maps: Tensor) -> Tensor:
    """The mean of maps (pictures, channels, …) where a thing shows, (things, pictures, channels)."""
    enough = 0.5 * (masks.shape[-1] / CELLS) ** 2
    return torch.einsum("knyx,ncyx->knc", masks, maps) / (masks.sum((2, 3))[..., None] + enough)
