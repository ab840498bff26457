"""Learning to compose: from triplets of picture, words and picture, or from pictures alone."""

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from circlet.models.learned.network import Network
from circlet.train.batches import TripletBatches
from circlet.train.losses import loss_of
from circlet.train.recipe import Recipe
from circlet.train.tasks.task import Rows
from circlet.train.tasks.triplets import batches, hard_negatives

_SAMPLE = 2048


class TripletTask:
    """Queries pulled to their targets, away from the batch's other targets and from negatives."""

    def __init__(
        self, network: Network, supply: TripletBatches, recipe: Recipe, *, device: str = "cpu"
    ) -> None:
        self.device = torch.device(device)
        self.network = network.to(self.device)
        self.supply, self.recipe = supply, recipe
        self.loss_of = loss_of(recipe.loss)
        taken = slice(recipe.queries or None)
        self.groups, self.lengths = supply.triplets.groups[taken], supply.lengths[taken]
        # Every picture that a query shows: negatives from anywhere, and all that pictures alone are.
        self.pictures = np.unique(supply.triplets.references[taken])
        self.middle = supply.vectors[self.pictures].mean(dim=0).to(self.device)

    def prepare(self, chance: np.random.Generator) -> None:
        """Let the network see a sample of pictures and queries."""
        rows = chance.permutation(len(self.supply.triplets))[:_SAMPLE]
        asked = self.supply.asked(rows, chance, sentences=self.network.speaks, clauses=self.network.hears).to(
            self.device
        )
        self.network.prepare(asked.vectors, asked)

    def order(self, epoch: int) -> list[Rows]:
        """Batches of queries of one gallery and of like length."""
        return batches(
            self.groups, self.recipe.batch, seed=self.recipe.seed, epoch=epoch, lengths=self.lengths
        )

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """The loss of queries against the batch's targets and, if asked for, hard negatives."""
        triplets, network = self.supply.triplets, self.network
        asked = self.supply.asked_of(network, rows, chance).to(self.device)
        targets = triplets.targets[rows]
        hard = hard_negatives(triplets.near[rows], self.recipe.negatives, chance)
        others = chance.choice(self.pictures, min(self.recipe.others, len(self.pictures)), replace=False)
        negatives = np.concatenate([hard[hard >= 0], others])
        shown = np.concatenate([targets, np.setdiff1d(negatives, targets)])
        wrong = torch.from_numpy(shown[None] != targets[:, None]).to(self.device)
        candidates = network.candidates(self._hidden(self.supply.vectors[shown].to(self.device)))
        asked = replace(asked, vectors=self._hidden(asked.vectors))
        return self.loss_of(network(asked), candidates, wrong, network.scale)

    def _hidden(self, vectors: Tensor) -> Tensor:
        """The vectors with the recipe's share of their numbers at the training pictures' mean."""
        if not self.recipe.hidden:
            return vectors
        gone = torch.rand(vectors.shape, device=self.device) < self.recipe.hidden
        return torch.where(gone, self.middle, vectors)


class PictureTask(TripletTask):
    """Pictures pulled to themselves, for a model that learns without triplets."""

    def order(self, epoch: int) -> list[Rows]:
        """Batches of pictures."""
        alone = np.zeros(len(self.pictures), np.int64)
        return batches(alone, self.recipe.batch, seed=self.recipe.seed, epoch=epoch)

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """The loss of what the network makes of pictures, against the pictures."""
        shown = self.supply.vectors[self.pictures[rows]].to(self.device)
        wrong = ~torch.eye(len(shown), dtype=torch.bool, device=self.device)
        composed = self.network.pictures(shown)
        return self.loss_of(composed, self.network.candidates(shown), wrong, self.network.scale)
