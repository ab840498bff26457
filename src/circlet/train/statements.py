"""Learning what clauses state: all lessons at each step, the rate falling to nothing."""

from typing import TypeVar

import torch
from torch import Tensor
from torch.nn import functional

from circlet.models.statements import Statements

_STEPS, _RATE, _DECAY = 100, 2e-2, 0.1
Hearing = TypeVar("Hearing", bound=Statements)


def learned(hearing: Hearing, rows: Tensor, able: Tensor, truth: Tensor) -> Hearing:
    """The network after it learned which statement each clause makes, of those that it can make."""
    optimizer = torch.optim.AdamW(hearing.parameters(), lr=_RATE, weight_decay=_DECAY)
    for step in range(_STEPS):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - step / _STEPS)
        optimizer.zero_grad()
        functional.cross_entropy(hearing(rows, able), truth).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return hearing.eval()
