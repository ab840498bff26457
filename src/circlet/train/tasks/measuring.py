"""Learning measures from what the eye gives: how many, how visible, where; how light; which colour."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from circlet.models.frames.eye import MEASURES, FrameEye
from circlet.models.frames.gauges import OF_THINGS, Gauges, Looked, Measured, look
from circlet.models.frames.told import IN_MIRROR, OF_FACING, held
from circlet.train.frame_sets import FrameSets
from circlet.train.precision import lighter
from circlet.train.recipe import Recipe
from circlet.train.tasks.looking import STEPS
from circlet.train.tasks.task import Rows

# What counts as one step off in each of LOOKS.
_LOOK_STEPS = torch.tensor([1.0, 0.15, 0.15])
# Of what does not show nobody can tell how many, where, how large and facing where.
_OF_SHOWN = [MEASURES.index(name) for name in ("count", "x", "y", "size", "facing")]
_SHOWS, _COLOURED = 0.03, 0.1
_SHARE, _COUNT, _X, _FACING = (MEASURES.index(name) for name in ("share", "count", "x", "facing"))
# What each part of the loss counts: what facts ask most is how visible things are, and where.
_WORTH = {"seen": 1.0, "facts": 6.0, "colours": 0.3, "looks": 0.3, "overall": 1.0, "stated": 0.1}


def looked_at(eye: FrameEye, data: FrameSets) -> list[Looked]:
    """What the eye gives of every set."""
    eye.eval()

    def seen(number: int) -> Looked:
        with lighter():
            kinds, (glimpses, median) = torch.from_numpy(data.kinds(number)), data.of(number)
            return look(eye, glimpses, data.pixels(number), kinds, bool(data.truths.in_time[number]), median)

    # What stays is put where room was made for all of it: left where it came about, between all that is
    # needed for a moment only, each set would hold ten times its size.
    things = np.cumsum([0, *(len(data.kinds(number)) for number in range(len(data)))]).tolist()
    if not len(data):
        return []
    usual, parts = seen(0), Looked._fields[:-1]
    counts = {name: things[-1] if name in OF_THINGS else len(data) * data.pictures for name in parts}
    rooms = {
        name: torch.empty(count, *getattr(usual, name).shape[1:], dtype=getattr(usual, name).dtype)
        for name, count in counts.items()
    }

    def one(number: int) -> Looked:
        found = seen(number)
        of_things = slice(things[number], things[number + 1])
        of_pictures = slice(number * data.pictures, (number + 1) * data.pictures)
        own = {name: rooms[name][of_things if name in OF_THINGS else of_pictures] for name in parts}
        for name, room in own.items():
            room.copy_(getattr(found, name))
        return Looked(**own, in_time=found.in_time)

    # A set is too little to be shared by processors: each of them takes sets of its own.
    with ThreadPoolExecutor(torch.get_num_threads(), initializer=partial(torch.set_num_threads, 1)) as pool:
        return list(pool.map(one, range(len(data))))


class _Truth(NamedTuple):
    """What is true of a set: of things (things × pictures, …) and of pictures; NaN and −1: unknown."""

    seen: Tensor
    facts: Tensor
    colours: Tensor
    overall: Tensor
    looks: Tensor
    settings: Tensor
    times: Tensor
    weathers: Tensor

    def mirrored(self) -> "_Truth":
        """The same where left is right; where things face was seen by their looks, which no mirror turned."""
        seen, facts = self.seen.clone(), self.facts[:, IN_MIRROR].clone()
        seen[:, _X] = 1 - seen[:, _X]
        seen[:, _FACING] = float("nan")
        facts[:, OF_FACING] = float("nan")
        return self._replace(seen=seen, facts=facts)


class MeasureTask:
    """Sets that were looked at, beside their truth; rows number sets."""

    def __init__(self, network: Gauges, looked: list[Looked], data: FrameSets, recipe: Recipe) -> None:
        self.network, self.looked, self.data, self.recipe = network, looked, data, recipe
        self.truth = [self._truth(number) for number in range(len(data))]
        self._ways: dict[int, _Truth] = {}

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before the first step."""

    def order(self, epoch: int) -> list[Rows]:
        """Every set once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        rows = chance.permutation(len(self.data))
        return np.array_split(rows, max(1, round(len(rows) / self.recipe.batch)))

    def _truth(self, number: int, step: int = 1) -> "_Truth":
        """What is true of a set's pictures, in their order or, with a step of −1, backwards."""
        truths, there = self.data.truths, len(self.data.kinds(number))
        known, looks = truths.seen[number, ::step, :there], truths.looks[number, ::step]
        facts, overall = map(torch.from_numpy, held(known, looks, truths.in_time[number]))
        seen = torch.from_numpy(known.transpose(1, 0, 2).reshape(-1, len(MEASURES)).copy())
        colours = torch.from_numpy(truths.colours[number, ::step, :there].T.flatten())
        absent = seen[:, _COUNT] == 0
        hidden = (seen[:, _SHARE] <= _SHOWS) & ~absent
        seen[hidden[:, None] & _columns(_OF_SHOWN)] = float("nan")
        colours[seen[:, _SHARE] < _COLOURED] = -1
        wholes = (truths.settings, truths.times, truths.weathers)
        stated = (torch.from_numpy(one[number, ::step].copy()) for one in wholes)
        return _Truth(seen, facts, colours, overall, torch.from_numpy(looks.copy()), *stated)

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the measures are from the truth, each in its own steps.

        Every set is seen forwards or backwards, and as it is or in a mirror: as many more to learn from.
        """
        several = [self._seen_anew(int(row), chance) for row in rows]
        return self._weighed(*zip(*several, strict=True))

    def _seen_anew(self, row: int, chance: np.random.Generator) -> tuple[Looked, "_Truth"]:
        looked, truth = self.looked[row], self.truth[row]
        backwards, mirrored = chance.random(2) < 0.5
        if backwards and looked.in_time:
            if row not in self._ways:
                self._ways[row] = self._truth(row, -1)
            looked, truth = looked.backwards(), self._ways[row]
        return (looked.mirrored(), truth.mirrored()) if mirrored else (looked, truth)

    def missed(self, rows: Rows) -> float:
        """The loss of sets as they are."""
        chosen = [int(row) for row in rows]
        return float(self._weighed([self.looked[row] for row in chosen], [self.truth[row] for row in chosen]))

    def _weighed(self, looked: Sequence[Looked], truth: Sequence["_Truth"]) -> Tensor:
        parts = self._parts(looked, truth)
        return torch.stack([_WORTH[name] * part for name, part in parts.items()]).sum()

    def _parts(self, looked: Sequence[Looked], truth: Sequence["_Truth"]) -> dict[str, Tensor]:
        """The loss by what is measured."""
        with lighter():
            measured = self.network(looked)
        measured = Measured(*(part.float() for part in measured))
        true = _Truth(*(torch.cat(parts) for parts in zip(*truth, strict=True)))
        stated = (
            (measured.settings, true.settings),
            (measured.times, true.times),
            (measured.weathers, true.weathers),
        )
        return {
            "seen": _missed(measured.seen.flatten(0, 1), measured.seen_off.flatten(0, 1), true.seen, STEPS),
            "facts": _doubted(measured.facts.flatten(0, 1), true.facts),
            "colours": functional.cross_entropy(measured.colours.flatten(0, 1), true.colours, ignore_index=-1)
            if (true.colours >= 0).any()
            else measured.colours.sum() * 0,
            "looks": _missed(measured.looks, measured.looks_off, true.looks, _LOOK_STEPS),
            "overall": _doubted(measured.overall, true.overall),
            "stated": torch.stack([functional.cross_entropy(*both) for both in stated]).sum(),
        }


def _doubted(logits: Tensor, truth: Tensor) -> Tensor:
    """How far what is said of facts is from how well they hold, where that is known."""
    known = ~truth.isnan()
    return functional.binary_cross_entropy_with_logits(logits[known], truth[known])


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
        lost = [task.missed(rows) for rows in task.order(0)]
    return 100 / (1 + float(np.mean(lost)))
