"""Learning relevance by preference: the better picture above a worse one, which is drawn ever closer."""

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
import torch
from torch import Tensor

from circlet.core import UsageError
from circlet.models.learned.network import Network
from circlet.train.batches import TripletBatches
from circlet.train.losses import bradley_terry
from circlet.train.recipe import Recipe
from circlet.train.tasks.composing import TripletTask
from circlet.train.tasks.task import Rows

Negatives = Literal["self-paced", "top", "all"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
# How often the negatives are defined, and how many there are at first: CIRR's in paper 004.
DEFINED, FIRST = 6, 100
# Queries that are scored at once against all pictures.
_BLOCK = 512


class PreferenceTask(TripletTask):
    """Equations 2 to 6 of paper 004: each target above one picture of the query's negatives.

    `all` draws it from all pictures that the training queries know. `top` draws it from the `first` best
    by the network as it stands, `self-paced` from the `first` best of those that it scores below the
    target; both are defined anew every `epochs // defined` epochs (algorithm 1 prints n_neg there, where
    n_def is meant), each time half as many, and before the first time it is any picture. Where a query
    comes with pictures that somebody found worse (`near`, with `given`), it is one of those.
    """

    def __init__(
        self,
        network: Network,
        supply: TripletBatches,
        recipe: Recipe,
        *,
        negatives: Negatives = "self-paced",
        defined: int = DEFINED,
        first: int = FIRST,
        given: bool = False,
        device: str = "cpu",
    ) -> None:
        if negatives not in NEGATIVES:
            raise UsageError(f"no negatives {negatives!r}: pick one of {', '.join(NEGATIVES)}")
        super().__init__(network, supply, recipe, device=device)
        self.negatives, self.given = negatives, given
        self.interval, self.first = max(1, recipe.epochs // max(1, defined)), first
        self.known = np.unique(np.concatenate([supply.triplets.references, supply.triplets.targets]))
        # For each query the pictures it may be told from; none: any.
        self.pool = np.empty((0, 0), np.int64)

    def begin(self, epoch: int) -> None:
        """Define the negatives where their time has come."""
        if self.given or self.negatives == "all" or epoch == 0 or epoch % self.interval:
            return
        self.pool = self._hardest(max(1, self.first >> (epoch // self.interval - 1)))

    def state(self) -> dict[str, Tensor]:
        """What a training that goes on must know beside the weights."""
        return {"pool": torch.from_numpy(self.pool)}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Go on from there."""
        self.pool = state["pool"].numpy()

    def loss(self, rows: Rows, chance: np.random.Generator) -> Tensor:
        """How sure the network is of each target against its one negative."""
        network, targets = self.network, self.supply.triplets.targets[rows]
        asked = self.supply.asked_of(network, rows, chance)
        shown = np.concatenate([targets, self._drawn(rows, targets, chance)])
        found = network(asked.to(self.device))
        better, worse = network.candidates(self.supply.vectors[shown].to(self.device)).chunk(2)
        return bradley_terry((found * better).sum(dim=1), (found * worse).sum(dim=1), network.scale)

    def _drawn(self, rows: Rows, targets: Rows, chance: np.random.Generator) -> Rows:
        """One negative for each of these queries, never its own target."""
        if self.given:
            near = self.supply.triplets.near[rows]
            there = (near >= 0).sum(axis=1)
            return near[np.arange(len(rows)), (chance.random(len(rows)) * there).astype(np.int64)]
        if len(self.pool):
            pool = self.pool[rows]
            return pool[np.arange(len(rows)), chance.integers(pool.shape[1], size=len(rows))]
        drawn = self.known[chance.integers(len(self.known), size=len(rows))]
        other = self.known[(np.searchsorted(self.known, targets) + 1) % len(self.known)]
        return np.where(drawn == targets, other, drawn)

    def _hardest(self, count: int) -> Rows:
        """For each query the numbers of its hardest pictures, by the network as it stands."""
        self.network.eval()
        chance, found = np.random.default_rng([self.recipe.seed, 3]), []
        count = min(count, len(self.known) - 1)
        with torch.no_grad():
            pictures = self._seen(self.known)
            for start in range(0, len(self.groups), _BLOCK):
                rows = np.arange(start, min(start + _BLOCK, len(self.groups)))
                asked = self.supply.asked_of(self.network, rows, chance)
                scores = self.network(asked.to(self.device)) @ pictures.T
                found.append(self.known[_highest(scores, self._own(rows), count, self.negatives == "top")])
        self.network.train()
        return np.concatenate(found)

    def _own(self, rows: Rows) -> Tensor:
        """Where the targets of these queries stand among the known pictures."""
        return torch.from_numpy(np.searchsorted(self.known, self.supply.triplets.targets[rows]))

    def _seen(self, ids: Rows) -> Tensor:
        blocks = np.array_split(ids, max(1, len(ids) // (4 * _BLOCK)))
        return torch.cat(
            [self.network.candidates(self.supply.vectors[some].to(self.device)) for some in blocks]
        )


def _highest(scores: Tensor, targets: Tensor, count: int, above: bool) -> Rows:
    """The columns of each row's highest scores, the target left out and, unless `above`, what beats it.

    Where fewer than `count` are left they come again; where none is, the best of all stand in.

    >>> scores, target = torch.tensor([[0.9, 0.5, 0.7, 0.1]]), torch.tensor([2])
    >>> _highest(scores, target, 3, above=False).tolist(), _highest(scores, target, 2, above=True).tolist()
    ([[1, 3, 1]], [[0, 1]])
    """
    own = torch.arange(len(scores))
    lower = scores < scores[own, targets][:, None]
    counts = lower | (above | ~lower.any(dim=1, keepdim=True))
    counts[own, targets] = False
    columns = scores.masked_fill(~counts, -torch.inf).topk(count, dim=1).indices
    again = torch.arange(count) % counts.sum(dim=1, keepdim=True).clamp(max=count)
    return columns.gather(1, again).numpy()
