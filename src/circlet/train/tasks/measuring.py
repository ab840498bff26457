"""Learning measures from what the eye gives: how many, how visible, where; how light; which colour."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from circlet.core import Progress
from circlet.data.tableaux.tasks.frame_truths import FrameTruths
from circlet.models.frames.eye import MEASURES, FrameEye
from circlet.models.frames.gauges import Gauges, Looked, look
from circlet.train.recipe import Recipe
from circlet.train.tasks.looking import STEPS
from circlet.train.tasks.task import Rows

# What counts as one step off in each of LOOKS.
_LOOK_STEPS = torch.tensor([1.0, 0.15, 0.15])
# Of what does not show nobody can tell how many, where, how large and facing where.
_OF_SHOWN = [MEASURES.index(name) for name in ("count", "x", "y", "size", "facing")]
_SHOWS, _COLOURED = 0.03, 0.1
_SHARE, _COUNT = MEASURES.index("share"), MEASURES.index("count")


def looked_at(eye: FrameEye, data: FrameTruths, progress: Progress | None = None) -> list[Looked]:
    """What the eye gives of every set."""
    eye.eval()
    found = []
    for number in range(len(data)):
        kinds = torch.from_numpy(data.kinds[number][data.kinds[number] >= 0])
        found.append(look(eye, data.pictures[number], kinds, bool(data.in_time[number])))
        if progress:
            progress(number + 1, len(data))
    return found


class MeasureTask:
    """Sets that were looked at, beside their truth; rows number sets."""

    def __init__(self, network: Gauges, looked: list[Looked], data: FrameTruths, recipe: Recipe) -> None:
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
        data = self.data
        there = int((data.kinds[number] >= 0).sum())
        seen = torch.from_numpy(data.seen[number, :, :there]).flatten(0, 1).clone()
        colours = torch.from_numpy(data.colours[number, :, :there]).flatten().clone()
        shows = seen[:, _SHARE] > _SHOWS
        absent = seen[:, _COUNT] == 0
        hidden = ~shows & ~absent
        seen[hidden[:, None] & _columns(_OF_SHOWN)] = float("nan")
        colours[seen[:, _SHARE] < _COLOURED] = -1
        wholes = (data.looks, data.settings, data.times, data.weathers)
        return (seen, colours, *(torch.from_numpy(one[number]) for one in wholes))

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the measures are from the truth, each in its own steps."""
        return torch.stack(list(self.parts(rows).values())).sum()

    def parts(self, rows: Rows) -> dict[str, Tensor]:
        """The loss by what is measured."""
        looked = [self.looked[int(row)] for row in rows]
        truth = [torch.cat(parts) for parts in zip(*(self.truth[int(row)] for row in rows), strict=True)]
        things = [
            torch.cat([getattr(one, name).flatten(0, 1) for one in looked]) for name in Looked._fields[:3]
        ]
        seen, off, colours = self.network.of_things(*things)
        looks, looks_off, *stated = self.network.of_wholes(
            torch.cat([one.wholes for one in looked]), torch.cat([one.lights for one in looked])
        )
        return {
            "seen": _missed(seen, off, truth[0], STEPS),
            "colours": functional.cross_entropy(colours, truth[1], ignore_index=-1)
            if (truth[1] >= 0).any()
            else seen.sum() * 0,
            "looks": _missed(looks, looks_off, truth[2], _LOOK_STEPS),
            **{
                name: functional.cross_entropy(one, true)
                for name, one, true in zip(("settings", "times", "weathers"), stated, truth[3:], strict=True)
            },
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
