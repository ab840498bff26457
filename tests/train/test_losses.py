"""Losses against sums worked out by hand, and what they do to a query."""

import math

import pytest
import torch

from circlet.core import UsageError
from circlet.train.losses import LOSSES, loss_of

QUERIES = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
CANDIDATES = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]])
SCALE = torch.tensor(2.0)


def wrong(*rows: list[bool]) -> torch.Tensor:
    return torch.tensor(rows)


ALL = wrong([False, True, True], [True, False, True])


def test_soft_triplet_is_equation_one_averaged() -> None:
    distance = {
        (0, 0): 0.001 * 2,  # the floor of the square root, in place of zero
        (0, 1): 2 * math.sqrt(0.4**2 + 0.8**2),
        (0, 2): 2 * math.sqrt(2),
        (1, 0): 2 * math.sqrt(2),
        (1, 1): 2 * math.sqrt(0.6**2 + 0.2**2),
        (1, 2): 2 * 2.0,
    }
    losses = [
        math.log(1 + math.exp(distance[i, i] - distance[i, j])) for i, j in ((0, 1), (0, 2), (1, 0), (1, 2))
    ]
    assert loss_of("soft-triplet")(QUERIES, CANDIDATES, ALL, SCALE).item() == pytest.approx(
        sum(losses) / 4, abs=1e-5
    )


@pytest.mark.parametrize(("name", "sharpness"), [("batch-classification", 4.0), ("infonce", 20.0)])
def test_classification_is_cross_entropy_of_dot_products(name: str, sharpness: float) -> None:
    dots = [[1.0, 0.6, 0.0], [0.0, 0.8, -1.0]]
    losses = [
        -sharpness * row[i] + math.log(sum(math.exp(sharpness * dot) for dot in row))
        for i, row in enumerate(dots)
    ]
    assert loss_of(name)(QUERIES, CANDIDATES, ALL, SCALE).item() == pytest.approx(sum(losses) / 2, abs=1e-5)


@pytest.mark.parametrize("name", LOSSES)
def test_what_is_no_negative_does_not_count(name: str) -> None:
    """The same target twice in a batch is not its own negative."""
    some = wrong([False, False, True], [True, False, True])
    twin = CANDIDATES.clone()
    twin[1] = torch.tensor([0.8, 0.6])
    loss = loss_of(name)
    first = loss(QUERIES[:1], CANDIDATES, some[:1], SCALE)
    second = loss(QUERIES[:1], twin, some[:1], SCALE)
    assert first.item() == pytest.approx(second.item())


@pytest.mark.parametrize("name", LOSSES)
def test_a_step_brings_the_target_nearer_and_the_negative_further(name: str) -> None:
    query = torch.tensor([[0.6, 0.8]], requires_grad=True)
    candidates = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    loss_of(name)(query, candidates, wrong([False, True]), SCALE).backward()
    assert query.grad is not None
    assert query.grad[0, 0] < 0 < query.grad[0, 1]


def test_an_unknown_loss_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="unknown loss 'triplet': pick one of soft-triplet"):
        loss_of("triplet")
