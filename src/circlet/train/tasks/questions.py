"""Learning whether clauses hold: questions about look-alikes, with the truth of their scene graphs."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from circlet.core import Encoder, Vectors
from circlet.data.tableaux.tasks.clauses import CANDIDATES, MOST, LookAlikes, Question
from circlet.models.phrases import CLAUSES, PHRASES, Phrases, Reading, read, staying
from circlet.models.scorers.clause_network import ClauseNetwork
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows

_SAID = 128
# Clauses of a question: its needs, and whether all else stays.
LINES = MOST + 1


class Batch(NamedTuple):
    """Questions as tensors, padded to `LINES` clauses each; `truth` is NaN where there is none."""

    kinds: Tensor
    phrases: Tensor
    reference: Tensor
    candidates: Tensor
    truth: Tensor


class ClauseTask:
    """Families of look-alikes, and questions about them that no epoch repeats."""

    def __init__(
        self,
        network: ClauseNetwork,
        data: LookAlikes,
        vectors: Vectors,
        encoder: Encoder,
        recipe: Recipe,
    ) -> None:
        self.network, self.data, self.recipe = network, data, recipe
        self.number = {id: row for row, id in enumerate(data.files)}
        self.vectors = torch.from_numpy(np.ascontiguousarray(vectors, np.float32))
        self.phrases = Phrases(encoder)

    def prepare(self, chance: np.random.Generator) -> None:
        """Let the network see what a sample of questions gives."""
        some = self.batch(chance.integers(len(self.data.families), size=_SAID), chance)
        seen = self.network.common(some.phrases, some.reference, some.candidates)
        self.network.first.prepare(seen[~some.truth.isnan()])

    def order(self, epoch: int) -> list[Rows]:
        """Every family once, in batches."""
        chance = np.random.default_rng([self.recipe.seed, 2, epoch])
        families = chance.permutation(len(self.data.families))
        return np.array_split(families, max(1, round(len(families) / self.recipe.batch)))

    def batch(self, families: Rows, chance: np.random.Generator) -> Batch:
        """A question about each family."""
        rng = random.Random(int(chance.integers(2**62)))
        questions = [self.data.ask(int(family), rng) for family in families]
        count = len(questions)
        truth = np.full((count, LINES, CANDIDATES), np.nan, np.float32)
        kinds = np.zeros((count, LINES), np.int64)
        phrases = np.zeros((count, LINES, PHRASES, self.vectors.shape[1]), np.float32)
        asked = [
            (number, *one) for number, each in enumerate(map(_asked, questions)) for one in enumerate(each)
        ]
        rows = self.phrases.rows([clause for _, _, (clause, _) in asked])
        for row, (number, line, (clause, holds)) in zip(rows, asked, strict=True):
            phrases[number, line] = row
            kinds[number, line] = CLAUSES.index(clause.kind)
            truth[number, line] = holds
        return Batch(
            torch.from_numpy(kinds),
            torch.from_numpy(phrases),
            self._seen([[question.reference] for question in questions])[:, 0],
            self._seen([question.candidates for question in questions]),
            torch.from_numpy(truth),
        )

    def _seen(self, ids: Sequence[Sequence[str]]) -> Tensor:
        return self.vectors[torch.tensor([[self.number[id] for id in several] for several in ids])]

    def logits(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The network's word on every clause in every candidate, with the truth."""
        there = ~batch.truth.isnan()
        return self.network(*batch[:-1])[there], batch.truth[there]

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How far the probabilities are from the truth."""
        return functional.binary_cross_entropy_with_logits(*self.logits(self.batch(rows, chance)))


def _asked(question: Question) -> list[tuple[Reading, Sequence[float]]]:
    """What is asked, each with its truth; what is heard as several edits has no truth for each of them."""
    heard = [read(text) for text in question.texts]
    asked: list[tuple[Reading, Sequence[float]]] = [
        (clauses[0], holds) for clauses, holds in zip(heard, question.holds, strict=True) if len(clauses) == 1
    ]
    every = [one for clauses in heard for one in clauses]
    return [*asked, (staying(every), question.same)] if every else asked
