"""Losses as plain functions of unit rows: pull a query to its target, push the others away.

All take the queries, the candidates (row i is query i's target; further rows are hard negatives),
`wrong[i, j]`, true where candidate j is a negative of query i, and the learned scale.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from circlet.core import UsageError

Loss = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

TEMPERATURE = 0.05


def soft_triplet(queries: Tensor, candidates: Tensor, wrong: Tensor, scale: Tensor) -> Tensor:
    """Equation 1 of paper 000: log(1 + exp(κ(φ, φ⁺) − κ(φ, φ⁻))), κ the L2 distance, averaged.

    The paper samples one negative a pair; this is the mean over all of the batch, which is what
    that sampling estimates. As printed the equation has the two distances the other way round,
    which would pull negatives closer.
    """
    # The square root has no gradient at zero, which a query on top of its target would reach.
    distances = scale * (2 - 2 * queries @ candidates.T).clamp(min=1e-6).sqrt()
    losses = functional.softplus(distances.diagonal()[:, None] - distances)
    return losses[wrong].mean()


def batch_classification(queries: Tensor, candidates: Tensor, wrong: Tensor, scale: Tensor) -> Tensor:
    """Batch-based classification (Vo et al. 2019): which candidate of the batch is the target?

    The logits are dot products of rows as long as the learned scale.
    """
    return _choose(scale.square() * queries @ candidates.T, wrong)


def infonce(queries: Tensor, candidates: Tensor, wrong: Tensor, scale: Tensor) -> Tensor:
    """InfoNCE: the same question with a fixed temperature in place of the learned scale."""
    return _choose(queries @ candidates.T / TEMPERATURE, wrong)


def bradley_terry(better: Tensor, worse: Tensor, scale: Tensor) -> Tensor:
    """Equation 3 of paper 004: −log σ(s(better) − s(worse)), averaged; a score is a cosine over τ.

    >>> round(float(bradley_terry(torch.tensor([0.5]), torch.tensor([0.5]), torch.tensor(4.0))), 4)
    0.6931
    """
    return functional.softplus(scale.square() * (worse - better)).mean()


def _choose(logits: Tensor, wrong: Tensor) -> Tensor:
    own = torch.arange(len(logits), device=logits.device)
    counted = wrong.clone()
    counted[own, own] = True
    return functional.cross_entropy(logits.masked_fill(~counted, -torch.inf), own)


LOSSES: dict[str, Loss] = {
    "soft-triplet": soft_triplet,
    "batch-classification": batch_classification,
    "infonce": infonce,
}


def loss_of(name: str) -> Loss:
    """The loss of this name."""
    try:
        return LOSSES[name]
    except KeyError:
        raise UsageError(f"unknown loss {name!r}: pick one of {', '.join(LOSSES)}") from None
