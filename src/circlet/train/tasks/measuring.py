"""Learning measures from what the eye gives: how many, how visible, where; how light; which colour."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from circlet.core import Progress
from circlet.models.frames.eye import MEASURES, FrameEye
from circlet.models.frames.gauges import Gauges, Looked, look
from circlet.train.frame_sets import FrameSets
from circlet.train.recipe import Recipe
from circlet.train.tasks.looking import STEPS
from circlet.train.tasks.task import Rows

# What counts as one step off in each of LOOKS.
_LOOK_STEPS = torch.tensor([1.0, 0.15, 0.15])
# Of what does not show nobody can tell how many, where, how large and facing where.
_OF_SHOWN = [MEASURES.index(name) for name in ("count", "x", "y", "size", "facing")]
_SHOWS, _COLOURED = 0.03, 0.1
_SHARE, _COUNT = MEASURES.index("share"), MEASURES.index("count")


# What each part of the loss counts: what facts ask most is how visible things are, and where.
_WORTH = {"seen": 3.0, "colours": 0.3, "looks": 0.5, "stated": 0.1}


def looked_at(eye: FrameEye, data: FrameSets, progress: Progress | None = None) -> list[Looked]:
    """What the eye gives of every set."""
    eye.eval()
    found = []
    for number in range(len(data)):
        kinds = torch.from_numpy(data.kinds(number))
        found.append(look(eye, data.of(number), kinds, bool(data.truths.in_time[number])))
        if progress:
            progress(number + 1, len(data))
    return found


class MeasureTask:
    """Sets that were looked at, beside their truth; rows number sets."""

    def __init__(self, network: Gauges, looked: list[Looked], data: FrameSets, recipe: Recipe) -> None:
        self.network, self.looked, self.data, self.recipe = network, looked, data, recipe
        self.truth = [self._truth(number) for number in range(len(data))]

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before the first step."""

    def order(self, epoch: int) -> list[Rows]:
        """Every set once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        rows = chance.permutation(len(self.data))
        return np.array_split(rows, max(1, round(len(rows) / self.recipe.batch)))

    def _truth(self, number: int) -> tuple[Tensor, ...]:
        """SEEN and colours of things (things × pictures, …), and what is true of the pictures."""
        truths, there = self.data.truths, len(self.data.kinds(number))
        seen = torch.from_numpy(truths.seen[number, :, :there]).transpose(0, 1).flatten(0, 1).clone()
        colours = torch.from_numpy(truths.colours[number, :, :there]).T.flatten().clone()
        shows = seen[:, _SHARE] > _SHOWS
        absent = seen[:, _COUNT] == 0
        hidden = ~shows & ~absent
        seen[hidden[:, None] & _columns(_OF_SHOWN)] = float("nan")
        colours[seen[:, _SHARE] < _COLOURED] = -1
        wholes = (truths.looks, truths.settings, truths.times, truths.weathers)
        return (seen, colours, *(torch.from_numpy(one[number]) for one in wholes))

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the measures are from the truth, each in its own steps."""
        return torch.stack([_WORTH[name] * part for name, part in self.parts(rows).items()]).sum()

    def parts(self, rows: Rows) -> dict[str, Tensor]:
        """The loss by what is measured."""
        measured = self.network([self.looked[int(row)] for row in rows])
        seen, colours, looks, *stated = (
            torch.cat(parts) for parts in zip(*(self.truth[int(row)] for row in rows), strict=True)
        )
        found = (measured.settings, measured.times, measured.weathers)
        return {
            "seen": _missed(measured.seen.flatten(0, 1), measured.seen_off.flatten(0, 1), seen, STEPS),
            "colours": functional.cross_entropy(measured.colours.flatten(0, 1), colours, ignore_index=-1)
            if (colours >= 0).any()
            else measured.colours.sum() * 0,
            "looks": _missed(measured.looks, measured.looks_off, looks, _LOOK_STEPS),
            "stated": torch.stack(
                [functional.cross_entropy(one, true) for one, true in zip(found, stated, strict=True)]
            ).sum(),
        }


def _columns(which: list[int]) -> Tensor:
    flags = torch.zeros(len(MEASURES), dtype=torch.bool)
    flags[which] = True
    return flags


def _missed(found: Tensor, off: Tensor, truth: Tensor, steps: Tensor) -> Tensor:
    """How far off the measures are, in steps, and how wrong they are about being off."""
    known = ~truth.isnan()
    away = torch.where(known, found - truth.nan_to_num(), 0.0) / steps
    doubt = torch.where(known, off / steps - away.detach().abs(), 0.0)
    wrong = functional.smooth_l1_loss(away, torch.zeros_like(away), reduction="sum", beta=0.3)
    return (wrong + 0.3 * doubt.abs().sum()) / known.sum()


def right(task: MeasureTask) -> float:
    """How good the measures are, in 100: less what the loss of all sets has left of it."""
    with torch.no_grad():
        lost = [float(task.loss(rows, np.random.default_rng(0))) for rows in task.order(0)]
    return 100 / (1 + float(np.mean(lost)))
