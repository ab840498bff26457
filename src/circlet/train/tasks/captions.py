"""Learning one space for pictures and words: captions pulled to their pictures, away from look-alikes."""

import random
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.core import Vectors
from circlet.data.captions import Captions, Saying
from circlet.models.joint.heads import Heads
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

_SAMPLE, _SAID = 2048, 512
# Pictures that resemble each other share a batch, this many at a time, drawn from the nearest so many.
NEAR, NEAREST = 4, 40
_AMONG, _STEP = 16_384, 1024
_HIDDEN = 0.1


class CaptionTask:
    """Pictures and what can be said of them; a text's near miss stands beside it."""

    def __init__(self, network: Heads, captions: Captions, vectors: Vectors, recipe: Recipe) -> None:
        self.network, self.captions, self.recipe = network, captions, recipe
        self.ids = list(captions.files)
        self.vectors = torch.from_numpy(np.ascontiguousarray(vectors, np.float32))
        self.middle = self.vectors.mean(dim=0)
        # Look-alikes are found by what speaks of the picture as a whole: a tenth of the numbers say enough.
        self.near = _nearest(self.vectors[:, : network.sizes.whole])
        place = {id: row for row, id in enumerate(self.ids)}
        for family in captions.families:
            for id in family:
                kin = [place[other] for other in family if other != id]
                self.near[place[id]] = np.resize(kin, self.near.shape[1])

    def prepare(self, chance: np.random.Generator) -> None:
        """Let the network see a sample of pictures, and of what is said of them."""
        rows = chance.permutation(len(self.ids))[:_SAMPLE]
        rng = random.Random(int(chance.integers(2**62)))
        said = [self.captions.say(self.ids[row], rng).text for row in rows[:_SAID]]
        self.network.prepare(self.vectors[rows], said)

    def order(self, epoch: int) -> list[Rows]:
        """As many batches as show each picture once on average, of pictures with some look-alikes each."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        size = min(self.recipe.batch, len(self.ids))
        group = min(NEAR, self.near.shape[1] + 1)
        made = []
        for _ in range(max(1, round(len(self.ids) / size))):
            seeds = chance.choice(len(self.ids), max(1, size // group), replace=False)
            others = chance.permuted(self.near[seeds], axis=1)[:, : group - 1]
            made.append(np.unique(np.concatenate([seeds, others.ravel()])))
        return made

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """Which picture is the text about, and which text is about the picture?"""
        rng = random.Random(int(chance.integers(2**62)))
        said = [self.captions.say(self.ids[row], rng) for row in rows]
        wrong = [(place, one.wrong) for place, one in enumerate(said) if one.wrong]
        texts = self.network.texts([*(one.text for one in said), *(text for _, text in wrong)])
        seen = self.vectors[rows]
        seen = torch.where(torch.rand(seen.shape) < _HIDDEN, self.middle, seen)
        logits = self.network.sharpness * texts @ self.network.picture(seen).T
        count = len(rows)
        own = torch.arange(count)
        # What is true of another picture, too, is no mistake there.
        also = torch.from_numpy(true_of(said, [self.captions.facts(self.ids[row]) for row in rows]))
        also[own, own] = False
        right = logits[:count].masked_fill(also, -torch.inf)
        misses = torch.full((count, len(wrong)), -torch.inf)
        places = torch.tensor([place for place, _ in wrong], dtype=torch.long)
        at = torch.arange(len(wrong))
        misses[places, at] = logits[count:][at, places]
        found = functional.cross_entropy(right, own)
        told = functional.cross_entropy(torch.cat([right.T, misses], dim=1), own)
        return (found + told) / 2


def true_of(said: Sequence[Saying], known: Sequence[frozenset[str]]) -> NDArray[np.bool_]:
    """Whether each saying is true of each picture: all its facts are among those known of it.

    >>> says = [Saying("a dog", frozenset({"dog"}), None), Saying("snow", frozenset({"snow"}), None)]
    >>> true_of(says, [frozenset({"dog", "snow"}), frozenset({"dog"})]).tolist()
    [[True, True], [True, False]]
    """
    numbers: dict[str, int] = {}
    for one in said:
        for fact in one.facts:
            numbers.setdefault(fact, len(numbers))
    stated = np.zeros((len(said), len(numbers)), np.float32)
    holds = np.zeros((len(known), len(numbers)), np.float32)
    for row, one in zip(stated, said, strict=True):
        row[[numbers[fact] for fact in one.facts]] = 1
    for row, facts in zip(holds, known, strict=True):
        row[[numbers[fact] for fact in facts if fact in numbers]] = 1
    return stated @ holds.T >= stated.sum(axis=1, keepdims=True) - 0.5


def _nearest(vectors: Tensor) -> NDArray[np.int64]:
    """For each picture the numbers of those that resemble it most, itself left out.

    In large sets each is compared with a part of the others only: look-alikes need not be the nearest.
    """
    size = len(vectors)
    found = []
    for first in range(0, size, _STEP):
        begin = min(first // _AMONG * _AMONG, max(0, size - _AMONG))
        scores = vectors[first : first + _STEP] @ vectors[begin : begin + _AMONG].T
        own = torch.arange(len(scores))
        scores[own, own + first - begin] = -torch.inf
        found.append(scores.topk(min(NEAREST, size - 1), dim=1).indices + begin)
    return torch.cat(found).numpy()
