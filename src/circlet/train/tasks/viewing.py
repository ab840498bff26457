"""Learning what things in a picture are like, from what the eye gives of it and the truth of its scene."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from circlet.data.tableaux.tasks.scene_truths import THINGS, WHOLES, truth_of
from circlet.data.tableaux.world.kinds import kinds
from circlet.data.tableaux.world.scene import Scene
from circlet.models.frames.eye import FrameEye
from circlet.models.scenes.viewer import Viewed, Viewer, view
from circlet.train.frame_sets import FrameSets
from circlet.train.precision import lighter
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

# Kinds of each picture that are asked about: those in it, and the likeliest of those that are not.
_ASKED = 6
# What the number of things counts beside each other attribute, and what wholes count beside things.
_NUMBER, _WHOLE = 2.0, 0.5
_BLOCK = 16


def viewed(eye: FrameEye, data: FrameSets, scenes: Sequence[Scene]) -> list[Viewed]:
    """What the eye gives of each picture, of the things in it and of those it may be mistaken for."""
    eye.eval()
    rooms: list[Tensor] = []
    for at in range(0, len(data), _BLOCK):
        several = view(eye, *data.singles(at, _BLOCK), partial(_asked_about, scenes[at : at + _BLOCK]))
        # What stays is put where room was made for all of it, not between what is needed for a moment.
        rooms = rooms or [torch.empty(len(data), *part.shape[1:], dtype=part.dtype) for part in several]
        for room, part in zip(rooms, several, strict=True):
            room[at : at + len(part)] = part
    return [Viewed(*(room[row : row + 1] for room in rooms)) for row in range(len(data))]


def _asked_about(scenes: Sequence[Scene], likeliest: Tensor) -> Tensor:
    """Of each picture the kinds in it first, then the likeliest of all others."""
    names = {name: number for number, name in enumerate(kinds())}
    there = [[names[kind] for kind in scene.kinds] for scene in scenes]
    asked = [
        [*own, *(one for one in likely if one not in own)][:_ASKED]
        for own, likely in zip(there, likeliest.tolist(), strict=True)
    ]
    return torch.tensor(asked)


class ViewTask:
    """Pictures that the eye has seen, beside the truth of their scenes; rows number pictures."""

    def __init__(
        self, network: Viewer, seen: Sequence[Viewed], scenes: Sequence[Scene], recipe: Recipe
    ) -> None:
        self.network, self.seen, self.recipe = network, seen, recipe
        names = list(kinds())
        self.truth = [
            {
                name: torch.tensor(values)
                for name, values in truth_of(scene, [names[one] for one in each.kinds[0].tolist()]).items()
            }
            for each, scene in zip(seen, scenes, strict=True)
        ]
        self.wholes = [
            {name: values.index(getattr(scene, name)) for name, values in WHOLES.items()} for scene in scenes
        ]

    def prepare(self, chance: np.random.Generator) -> None:
        """Nothing has to be seen before the first step."""

    def order(self, epoch: int) -> list[Rows]:
        """Every picture once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        rows = chance.permutation(len(self.seen))
        return np.array_split(rows, max(1, round(len(rows) / self.recipe.batch)))

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the values are from the truth, attribute by attribute."""
        seen = self.batch(rows)
        with lighter():
            told = self.network(seen)
        things, wholes = ({name: part.float() for name, part in group.items()} for group in told)
        missed = []
        for name in THINGS:
            true = torch.stack([self.truth[int(row)][name] for row in rows]).flatten()
            if (true >= 0).any():
                lost = functional.cross_entropy(things[name].flatten(0, 1), true, ignore_index=-1)
                missed.append(lost * (_NUMBER if name == "count" else 1.0))
        for name in WHOLES:
            true = torch.tensor([self.wholes[int(row)][name] for row in rows])
            missed.append(_WHOLE * functional.cross_entropy(wholes[name], true))
        return torch.stack(missed).sum()

    def batch(self, rows: Rows) -> Viewed:
        """Some pictures together."""
        return Viewed(
            *(torch.cat(parts) for parts in zip(*(self.seen[int(row)] for row in rows), strict=True))
        )


def told_right(task: ViewTask) -> dict[str, float]:
    """How often the likeliest value is the true one, in 100, by attribute; of things that are there."""
    found: dict[str, list[Tensor]] = {}
    with torch.no_grad():
        for rows in task.order(0):
            things, wholes = task.network(task.batch(rows))
            counts = torch.stack([task.truth[int(row)]["count"] for row in rows])
            told = things["count"].argmax(-1)
            found.setdefault("there", []).append(((told > 0) == (counts > 0)).flatten())
            for name in THINGS:
                true = torch.stack([task.truth[int(row)][name] for row in rows])
                known = (true >= 0) & (counts > 0)
                found.setdefault(name, []).append((things[name].argmax(-1) == true)[known])
            for name in WHOLES:
                true = torch.tensor([task.wholes[int(row)][name] for row in rows])
                found.setdefault(name, []).append(wholes[name].argmax(-1) == true)
    together = {name: torch.cat(parts).float() for name, parts in found.items()}
    return {name: 100 * float(right.mean()) for name, right in together.items() if len(right)}
