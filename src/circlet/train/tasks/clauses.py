"""Learning whether clauses hold: questions about look-alikes, with the truth of their scene graphs."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from circlet.core import Vectors
from circlet.data.tableaux.tasks.clauses import CANDIDATES, MOST, Question, TableauxClauses
from circlet.language import understand
from circlet.models.scorers.learned import same, written_all
from circlet.models.scorers.network import ClauseNetwork, Pair
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

_SAMPLE, _SAID = 2048, 256
# Lines of a question: its needs, and whether all else stays.
LINES = MOST + 1


class Batch(NamedTuple):
    """Questions as arrays: pictures by number, lines, and how true each line is of each candidate.

    `truth` is (questions, `LINES`, candidates), NaN where there is no line; `place` says at which of a
    question's lines each of `lines` stands, the questions one after another.
    """

    references: list[int]
    candidates: list[list[int]]
    lines: list[str]
    place: list[int]
    truth: NDArray[np.float32]


class ClauseTask:
    """Families of look-alikes, and questions about them that no epoch repeats."""

    def __init__(
        self, network: ClauseNetwork, data: TableauxClauses, vectors: Vectors, recipe: Recipe
    ) -> None:
        self.network, self.data, self.recipe = network, data, recipe
        self.number = {id: row for row, id in enumerate(data.files)}
        self.vectors = torch.from_numpy(np.ascontiguousarray(vectors, np.float32))
        self.middle = self.vectors.mean(dim=0)

    def prepare(self, chance: np.random.Generator) -> None:
        """Let the network see a sample of pictures and of clauses."""
        rows = chance.permutation(len(self.vectors))[:_SAMPLE]
        some = self.batch(chance.integers(len(self.data.families), size=_SAID), chance)
        self.network.prepare(self.vectors[rows], some.lines)

    def order(self, epoch: int) -> list[Rows]:
        """Every family once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        families = chance.permutation(len(self.data.families))
        return np.array_split(families, max(1, round(len(families) / self.recipe.batch)))

    def batch(self, families: Rows, chance: np.random.Generator) -> Batch:
        """A question about each family."""
        rng = random.Random(int(chance.integers(2**62)))
        questions = [self.data.ask(int(family), rng) for family in families]
        truth = np.full((len(questions), LINES, CANDIDATES), np.nan, np.float32)
        lines: list[str] = []
        place: list[int] = []
        for number, question in enumerate(questions):
            for at, (line, true) in enumerate(_lines(question)):
                lines.append(line)
                place.append(number * LINES + at)
                truth[number, at] = true
        return Batch(
            [self.number[question.reference] for question in questions],
            [[self.number[id] for id in question.candidates] for question in questions],
            lines,
            place,
            truth,
        )

    def logits(self, batch: Batch) -> Tensor:
        """The network's word on every line in every candidate; every picture is looked at once."""
        every = np.concatenate([batch.references, np.ravel(batch.candidates)])
        rows, at = np.unique(every, return_inverse=True)
        seen = self.vectors[rows]
        if self.network.training and self.recipe.hidden:
            seen = torch.where(torch.rand(seen.shape) < self.recipe.hidden, self.middle, seen)
        held = self.network.pictures(seen)
        count = len(batch.references)
        places = torch.from_numpy(at)

        def those(which: Tensor) -> Pair:
            keys, values = (part.index_select(0, which).view(count, -1, *part.shape[1:]) for part in held)
            return keys, values

        asked = self.network.clauses(batch.lines)
        padded = asked.new_zeros(count * LINES, asked.shape[1])
        padded = padded.index_copy(0, torch.tensor(batch.place), asked)
        return self.network(padded.view(count, LINES, -1), those(places[:count]), those(places[count:]))

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the probabilities are from the truth."""
        batch = self.batch(rows, chance)
        truth = torch.from_numpy(batch.truth)
        there = ~truth.isnan()
        return functional.binary_cross_entropy_with_logits(self.logits(batch)[there], truth[there])


def _lines(question: Question) -> list[tuple[str, Sequence[float]]]:
    """What is asked, each with its truth; what is heard as several edits has no truth for each of them."""
    heard = [written_all(understand(text).edits) for text in question.texts]
    single = [
        (lines[0], holds) for lines, holds in zip(heard, question.holds, strict=True) if len(lines) == 1
    ]
    return [*single, (same([line for lines in heard for line in lines]), question.same)]
