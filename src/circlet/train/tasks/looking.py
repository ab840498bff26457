"""Learning what fills each place of a picture, from how much of it each kind of thing is painted on."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.data.tableaux.tasks.frame_truths import FrameTruths
from circlet.models.frames.eye import MEASURES, FrameEye, beside_median, median_of
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

# The share of places that only show the ground which are looked at in a step: there are many, and all alike.
_GROUND = 0.15
# What counts as one step off in each of MEASURES.
STEPS = torch.tensor([1.0, 0.2, 0.2, 0.2, 0.05, 0.05, 0.05, 0.7])
# What a place says of its thing counts so much beside which thing it is; where it is, no place can know.
_TOLD = 0.3
_UNKNOWABLE = [MEASURES.index(name) for name in ("x", "y")]
# Sets that are looked at to see how well it goes.
_CHECKED = 60


class LookTask:
    """Pictures of all sets in any order; rows number pictures."""

    def __init__(self, network: FrameEye, data: FrameTruths, recipe: Recipe) -> None:
        self.network, self.data, self.recipe = network, data, recipe
        self.ten = data.pictures.shape[1]
        self.medians = np.stack([median_of(pictures) for pictures in data.pictures])

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before the first step."""

    def order(self, epoch: int) -> list[Rows]:
        """Every picture once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        rows = chance.permutation(len(self.data) * self.ten)
        return np.array_split(rows, max(1, round(len(rows) / self.recipe.batch)))

    def shown(self, rows: Rows) -> Tensor:
        """What the eye is shown of these pictures."""
        sets, places = np.divmod(rows, self.ten)
        pictures = torch.from_numpy(self.data.pictures[sets, places]).float()
        both = beside_median(pictures, torch.from_numpy(self.medians[sets]).float())
        return both.contiguous(memory_format=torch.channels_last)

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far what fills the places is from the paint; things count more than the ground."""
        sets, places = np.divmod(rows, self.ten)
        filled = np.asarray(self.data.filled[sets, places] / np.float32(255), np.float32)
        things = filled.sum(1)
        chosen = (things > 0.02) | (chance.random(things.shape, np.float32) < _GROUND)
        maps, _ = self.network.maps(self.shown(rows))
        # (places, told): only those that were chosen are held against the kinds.
        at = maps.permute(0, 2, 3, 1)[torch.from_numpy(chosen)]
        each = np.repeat(np.arange(len(rows)), chosen.sum((1, 2)))
        truth = torch.from_numpy(_spread(filled, self.data.kinds[sets], chosen))
        kinds = functional.pad(torch.from_numpy(self.data.kinds[sets] + 1)[each], (1, 0))
        told = self.network.among_kinds(at).log_softmax(1).gather(1, kinds)
        # A small thing is worth as much as a large one is by its outline.
        outlined = torch.from_numpy(1 / np.sqrt(filled.sum((2, 3)) + 1))[each]
        weight = 0.05 + (truth[:, 1:] * outlined).sum(1)
        wrong = -((truth * told).sum(1) * weight).sum() / weight.sum()
        return wrong + self._of_things(at, truth[:, 1:] * outlined, sets[each], places[each])

    def _of_things(self, at: Tensor, share: Tensor, sets: Rows, places: Rows) -> Tensor:
        """How far what the places say of the thing that fills most of them is from what is seen of it."""
        most = share.argmax(1)
        sizes, chosen = self.network.sizes, share.sum(1) > 0
        seen = torch.from_numpy(self.data.seen[sets, places, most.numpy()])[chosen]
        colours = torch.from_numpy(self.data.colours[sets, places, most.numpy()])[chosen]
        weight = share.sum(1)[chosen]
        told = at[chosen, sizes.width :]
        measured, coat = told[:, : len(MEASURES)], told[:, len(MEASURES) :]
        known = ~seen.isnan()
        known[:, _UNKNOWABLE] = False
        away = torch.where(known, measured - seen.nan_to_num(), 0.0) / STEPS
        off = functional.smooth_l1_loss(away, torch.zeros_like(away), reduction="none", beta=0.3).mean(1)
        painted = functional.cross_entropy(coat, colours, ignore_index=-1, reduction="none")
        return _TOLD * ((off + 0.3 * painted) * weight).sum() / weight.sum()


def _spread(
    filled: NDArray[np.float32], kinds: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """What fills each chosen place: the ground, then the things of its picture, (places, 1 + things)."""
    things = np.moveaxis(filled, 1, -1)[chosen] * np.repeat(kinds >= 0, chosen.sum((1, 2)), 0)
    ground = np.clip(1 - things.sum(1, keepdims=True), 0, 1)
    return np.concatenate([ground, things], 1).astype(np.float32)


def overlap(eye: FrameEye, task: LookTask) -> float:
    """How well what is seen covers what is painted, in 100: the mean overlap over union where things show."""
    data, found = task.data, []
    with torch.no_grad():
        for number in range(min(_CHECKED, len(data))):
            kinds = data.kinds[number][data.kinds[number] >= 0]
            rows = np.arange(task.ten) + number * task.ten
            share = eye(task.shown(rows)).softmax(1)[:, torch.from_numpy(kinds + 1)].numpy()
            truth = data.filled[number, :, : len(kinds)].astype(np.float32) / 255
            there = truth.sum((2, 3)) > 1
            both, either = np.minimum(share, truth).sum((2, 3)), np.maximum(share, truth).sum((2, 3))
            found.append((both / either)[there])
    return 100 * float(np.concatenate(found).mean())
