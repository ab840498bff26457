"""A small network that says how likely a clause holds in a picture, given another to compare with."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Standard
from circlet.models.phrases import CLAUSES, PHRASES


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What it is built for: the length of the encoder's vectors, and of the hidden layers.

    Of a vector only the numbers from `start` on are looked at: an encoder that was trained on captions
    keeps what it learned there.
    """

    vector: int
    start: int = 0
    hidden: int = 256
    kinds: int = len(CLAUSES)

    @property
    def inputs(self) -> int:
        """How many numbers one pair of clause and candidate gives."""
        return (self.vector - self.start) * (2 * PHRASES + 1)


class ClauseNetwork(nn.Module):
    """What candidate, reference and phrases have in common, number by number; two hidden layers decide."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.first = Standard(sizes.inputs, sizes.hidden)
        self.kind = nn.Embedding(sizes.kinds, sizes.hidden)
        self.second = nn.Linear(sizes.hidden, sizes.hidden)
        self.last = nn.Linear(sizes.hidden, 1)
        self.drop = nn.Dropout(0.1)
        # A scale and a shift of the odds, for subjects and for edits: fitted on pictures not learned from.
        self.register_buffer("calibration", torch.tensor([[1.0, 0.0], [1.0, 0.0]]))
        self.calibration: Tensor

    def common(self, phrases: Tensor, reference: Tensor, candidates: Tensor) -> Tensor:
        """The products of b questions: (b, clauses, candidates, `Sizes.inputs`).

        `phrases` is (b, clauses, `PHRASES`, vector), `reference` (b, vector), `candidates` (b, k, vector).
        """
        count, start = candidates.shape[1], self.sizes.start
        phrases, reference, candidates = (part[..., start:] for part in (phrases, reference, candidates))
        found = phrases[:, :, None] * candidates[:, None, :, None]
        shown = (phrases * reference[:, None, None])[:, :, None].expand_as(found)
        alike = (candidates * reference[:, None])[:, None].expand(-1, phrases.shape[1], -1, -1)
        return torch.cat([found.flatten(-2), shown.flatten(-2), alike], dim=-1).view(
            len(phrases), -1, count, self.sizes.inputs
        )

    def forward(self, kinds: Tensor, phrases: Tensor, reference: Tensor, candidates: Tensor) -> Tensor:
        """The logarithm of the odds that each clause holds in each candidate, (b, clauses, candidates)."""
        inner = self.first(self.common(phrases, reference, candidates)) + self.kind(kinds)[:, :, None]
        inner = self.drop(functional.gelu(inner))
        odds = self.last(self.drop(functional.gelu(self.second(inner))))[..., 0]
        scale, shift = self.calibration[(kinds > 0).long()].unbind(dim=-1)
        return odds * scale[..., None] + shift[..., None]
