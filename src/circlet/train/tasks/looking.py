"""Learning what fills each place of a picture, from how much of it each kind of thing is painted on."""

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.models.frames.eye import MEASURES, FrameEye
from circlet.models.frames.glimpse import CELLS, beside
from circlet.train.frame_sets import FrameSets
from circlet.train.precision import lighter
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

# The share of places that only show the ground which are looked at in a step: there are many, and all alike.
_GROUND = 0.15
# What counts as one step off in each of MEASURES.
STEPS = torch.tensor([1.0, 0.2, 0.2, 0.2, 0.05, 0.05, 0.05, 0.7])
# What a place says of its thing counts so much beside which thing it is; where it is, no place can know.
_TOLD = 0.3
_UNKNOWABLE = [MEASURES.index(name) for name in ("x", "y")]
# How much of a coarse place must be filled by things for it to tell of them.
_FILLED = 0.05
# Pictures of a set are much alike: so many of each are looked at in one epoch, others in the next.
_EACH = 5
# The share of pictures that a part of another is put into, so that things are known whatever is around them;
# either has at least so many coarse columns.
_MIXED, _LEAST = 0.5, 3
# Pictures that are looked at to see how well it goes.
_CHECKED = 600


class LookTask:
    """Pictures of all sets in any order, so that a step sees many kinds; rows number pictures."""

    def __init__(self, network: FrameEye, data: FrameSets, recipe: Recipe) -> None:
        self.network, self.data, self.recipe = network, data, recipe

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before the first step."""

    def order(self, epoch: int) -> list[Rows]:
        """Some pictures of every set, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        sets, pictures = len(self.data), self.data.pictures
        some = chance.random((sets, pictures)).argsort(axis=1)[:, :_EACH]
        rows = chance.permutation((np.arange(sets)[:, None] * pictures + some).ravel())
        return np.array_split(rows, max(1, round(len(rows) / self.recipe.batch)))

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far what fills the places is from the paint; things count more than the ground."""
        sets, places = np.divmod(rows, self.data.pictures)
        truths = self.data.truths
        filled = np.asarray(truths.filled[sets, places] / np.float32(255), np.float32)
        own = own_columns(len(rows), chance)
        seen, median = (part.each(partial(put_into, own)) for part in self.data.some(sets, places))
        with lighter():
            maps = self.network.maps(beside(seen, median))
        # Left of the cut are things of one picture, right of it of the other.
        columns = np.repeat(own, 2, axis=1)[:, None, None]
        both = np.concatenate([filled * columns, np.roll(filled, 1, axis=0) * ~columns], 1)
        kinds = np.concatenate([truths.kinds[sets], np.roll(truths.kinds[sets], 1, axis=0)], 1)
        wrong = self._masks(maps.fine.float(), both, kinds, chance)
        # How many there are, and how much of them shows, is true of whole pictures alone.
        whole = np.flatnonzero(own.all(axis=1))
        if not len(whole):
            return wrong
        told = maps.told.float()[torch.from_numpy(whole)]
        return wrong + _TOLD * self._told(told, filled[whole], sets[whole], places[whole])

    def _masks(
        self, fine: Tensor, filled: NDArray[np.float32], kinds: Rows, chance: np.random.Generator
    ) -> Tensor:
        things = filled.sum(1)
        chosen = (things > 0.02) | (chance.random(things.shape, np.float32) < _GROUND)
        each = np.repeat(np.arange(len(kinds)), chosen.sum((1, 2)))
        # Only places that were chosen are held against the kinds.
        at = fine.permute(0, 2, 3, 1)[torch.from_numpy(chosen)]
        truth = torch.from_numpy(_spread(filled, kinds[each] >= 0, chosen))
        numbers = functional.pad(torch.from_numpy(kinds + 1)[each], (1, 0))
        told = self.network.among_kinds(at).log_softmax(1).gather(1, numbers)
        # A small thing is worth as much as a large one is by its outline.
        outlined = torch.from_numpy(1 / np.sqrt(filled.sum((2, 3)) + 1))[each]
        weight = 0.05 + (truth[:, 1:] * outlined).sum(1)
        return -((truth * told).sum(1) * weight).sum() / weight.sum()

    def _told(self, told: Tensor, filled: NDArray[np.float32], sets: Rows, places: Rows) -> Tensor:
        """How far what coarse places say of the thing that fills most of them is from what is seen of it."""
        count, things, cells = filled.shape[:3]
        coarse = filled.reshape(count, things, cells // 2, 2, cells // 2, 2).mean((3, 5))
        chosen = coarse.sum(1) > _FILLED
        each = np.repeat(np.arange(count), chosen.sum((1, 2)))
        share = np.moveaxis(coarse, 1, -1)[chosen]
        most = share.argmax(1)
        weight = torch.from_numpy(share.max(1))
        truths, sets, places = self.data.truths, sets[each], places[each]
        seen = torch.from_numpy(truths.seen[sets, places, most])
        colours = torch.from_numpy(truths.colours[sets, places, most])
        at = told.permute(0, 2, 3, 1)[torch.from_numpy(chosen)]
        known = ~seen.isnan()
        known[:, _UNKNOWABLE] = False
        away = torch.where(known, at[:, : len(MEASURES)] - seen.nan_to_num(), 0.0) / STEPS
        off = functional.smooth_l1_loss(away, torch.zeros_like(away), reduction="none", beta=0.3).mean(1)
        coat = at[:, len(MEASURES) : len(MEASURES) + self.network.sizes.colours]
        painted = functional.cross_entropy(coat, colours, ignore_index=-1, reduction="none")
        return ((off + 0.3 * painted) * weight).sum() / weight.sum().clamp_min(1e-6)


def own_columns(count: int, chance: np.random.Generator) -> NDArray[np.bool_]:
    """Which coarse columns of each picture stay its own: all of them, or those to one side of a cut.

    >>> own = own_columns(100, np.random.default_rng(0))
    >>> own.shape, int(own.sum(axis=1).min()), bool(own.all(axis=1).any())
    ((100, 14), 3, True)
    """
    columns = np.arange(CELLS // 2)
    cut = chance.integers(_LEAST, len(columns) - _LEAST + 1, (count, 1))
    side = (columns < cut) == (chance.random((count, 1)) < 0.5)
    return np.asarray(side | (chance.random((count, 1)) >= _MIXED))


def put_into(own: NDArray[np.bool_], part: NDArray[Any]) -> NDArray[Any]:
    """Pictures (…, down, across, numbers) with columns that are not their own from the one before each."""
    columns = np.repeat(own, part.shape[-2] // own.shape[1], axis=1)[:, None, :, None]
    return np.where(columns, part, np.roll(part, 1, axis=0))


def _spread(
    filled: NDArray[np.float32], there: NDArray[np.bool_], chosen: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """What fills each chosen place: the ground, then the things of its picture, (places, 1 + things)."""
    things = np.moveaxis(filled, 1, -1)[chosen] * there
    ground = np.clip(1 - things.sum(1, keepdims=True), 0, 1)
    return np.concatenate([ground, things], 1).astype(np.float32)


def overlap(eye: FrameEye, data: FrameSets) -> float:
    """How well what is seen covers what is painted, in 100: the mean overlap over union where things show."""
    found = []
    with torch.no_grad():
        for number in range(min(_CHECKED // data.pictures, len(data))):
            kinds = data.kinds(number)
            rows = np.full(data.pictures, number)
            shown = beside(*data.some(rows, np.arange(data.pictures)))
            share = eye(shown).softmax(-1)[..., torch.from_numpy(kinds + 1)].permute(0, 3, 1, 2).numpy()
            truth = data.truths.filled[number, :, : len(kinds)].astype(np.float32) / 255
            there = truth.sum((2, 3)) > 1
            both, either = np.minimum(share, truth).sum((2, 3)), np.maximum(share, truth).sum((2, 3))
            found.append((both / either)[there])
    return 100 * float(np.concatenate(found).mean())
