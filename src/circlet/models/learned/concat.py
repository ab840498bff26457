"""Concatenation: the baseline that any composition has to beat."""

import torch
from torch import Tensor, nn

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


class Concat(Network):
    """φ = W₂ ReLU(W₁ [v, t]), with v the picture's embedding and t the LSTM's last state."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        self.reader = Lstm(language, shape.width)
        self.mix = nn.Sequential(
            nn.Linear(2 * shape.width, 2 * shape.width), nn.ReLU(), nn.Linear(2 * shape.width, shape.width)
        )

    def compose(self, asked: QueryBatch) -> Tensor:
        text = self.reader(asked.words, asked.mask)
        return self.mix(torch.cat([self.image(asked.vectors), text], dim=1))
