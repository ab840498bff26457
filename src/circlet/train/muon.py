"""Muon: steps for the weights of layers that go equally far in every direction (Jordan et al. 2024).

What a gradient says of a matrix is mostly a few directions, and the others learn slowly. Here a step is the
nearest matrix whose singular values are all alike; all that is no matrix takes the steps of AdamW.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from circlet.train.precision import light

# A round of Newton and Schulz takes each singular value x to ax + bx³ + cx⁵; five bring all of them near one.
_ROUND, _ROUNDS = (3.4445, -4.7750, 2.0315), 5
_MOMENTUM = 0.95
# AdamW's numbers: how long means of gradients and of their squares last, and what is never divided by less.
_MEAN, _SQUARE, _LEAST = 0.9, 0.999, 1e-8
# The usual size of a number in a step of AdamW: so large are those of Muon, and one rate does for both.
_USUAL = 0.2


def evened(matrix: Tensor) -> Tensor:
    """The matrix with all of its singular values brought near one.

    >>> apart = torch.diag(torch.tensor([5.0, 0.5, 0.1]))
    >>> bool((torch.linalg.svdvals(evened(apart)) > 0.6).all())
    True
    """
    lying = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    x = (lying / (lying.norm() + 1e-7)).to(light())
    once, thrice, five = _ROUND
    for _ in range(_ROUNDS):
        squared = x @ x.T
        x = once * x + (thrice * squared + five * squared @ squared) @ x
    return (x if x.shape == matrix.shape else x.T).to(matrix.dtype)


class Muon(Optimizer):
    """Muon for the weights of linear and convolutional layers, AdamW for all else.

        optimizer = Muon(network, rate=6e-3, decay=0.02)

    A convolution's weights are the matrix with a row for each of its outcomes.
    """

    def __init__(self, network: nn.Module, rate: float, decay: float) -> None:
        layers = [part for part in network.modules() if isinstance(part, nn.Linear | nn.Conv2d)]
        matrices = {id(layer.weight): layer.weight for layer in layers if layer.weight.requires_grad}
        rest = [part for part in network.parameters() if part.requires_grad and id(part) not in matrices]
        groups: list[dict[str, Any]] = [
            {"params": list(matrices.values()), "even": True},
            {"params": rest, "even": False},
        ]
        super().__init__([one for one in groups if one["params"]], {"lr": rate, "weight_decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """One step for every weight that has a gradient."""
        for group in self.param_groups:
            make = _even if group["even"] else _adam
            for part in group["params"]:
                if part.grad is not None:
                    part.mul_(1 - group["lr"] * group["weight_decay"])
                    part.add_(make(self.state[part], part.grad), alpha=-group["lr"])


def _even(state: dict[str, Tensor], gradient: Tensor) -> Tensor:
    """A step of Muon, by a mean of gradients and the last of them."""
    if not state:
        state["mean"] = torch.zeros_like(gradient)
    mean = state["mean"].lerp_(gradient, 1 - _MOMENTUM)
    flat = torch.lerp(gradient, mean, _MOMENTUM).flatten(1)
    return evened(flat).view_as(gradient) * (_USUAL * max(flat.shape) ** 0.5)


def _adam(state: dict[str, Tensor], gradient: Tensor) -> Tensor:
    """A step of AdamW: the mean of gradients over their usual size."""
    if not state:
        state.update(mean=torch.zeros_like(gradient), square=torch.zeros_like(gradient), step=torch.zeros(()))
    state["step"] += 1
    mean = state["mean"].lerp_(gradient, 1 - _MEAN) / (1 - _MEAN ** state["step"])
    square = state["square"].lerp_(gradient.square(), 1 - _SQUARE) / (1 - _SQUARE ** state["step"])
    return mean / (square.sqrt() + _LEAST)
