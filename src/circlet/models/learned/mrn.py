"""MRN (Kim et al. 2016): stacked blocks of element-wise products with a residual."""

import torch
from torch import Tensor, nn

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


class Block(nn.Module):
    """H' = W_h H + tanh(W_q H) ⊙ tanh(W₂ tanh(W₁ v))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.carry = nn.Linear(width, width)
        self.ask = nn.Linear(width, width)
        self.see = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width))

    def forward(self, held: Tensor, picture: Tensor) -> Tensor:
        return self.carry(held) + torch.tanh(self.ask(held)) * torch.tanh(self.see(picture))


class Mrn(Network):
    """H₀ = t, then `blocks` blocks that see the picture v."""

    def __init__(self, shape: Shape, language: Language, *, blocks: int = 2) -> None:
        super().__init__(shape)
        self.reader = Lstm(language, shape.width)
        self.blocks = nn.ModuleList(Block(shape.width) for _ in range(blocks))

    def compose(self, asked: QueryBatch) -> Tensor:
        picture = self.image(asked.vectors)
        held = self.reader(asked.words, asked.mask)
        for block in self.blocks:
            held = block(held, picture)
        return held
