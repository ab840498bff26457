"""Combiner (Baldrati et al. 2022, CLIP4CIR): gated fusion of two vectors of the encoder's own space."""

from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language


class Combiner(Network):
    """φ = W_o ReLU(W_c c) + λ t + (1 − λ) v, with c = [ReLU(W_t t), ReLU(W_v v)] and λ = σ(gate(c)).

    v and t are the encoder's vectors of picture and words; candidates stay as they are.
    """

    projects = False
    speaks = True

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(replace(shape, width=shape.dim))
        del self.image
        wide = shape.width
        self.picture = nn.Sequential(nn.Linear(shape.dim, wide), nn.ReLU(), nn.Dropout(0.5))
        self.text = nn.Sequential(nn.Linear(shape.dim, wide), nn.ReLU(), nn.Dropout(0.5))
        self.mix = nn.Sequential(
            nn.Linear(2 * wide, 2 * wide), nn.ReLU(), nn.Dropout(0.5), nn.Linear(2 * wide, shape.dim)
        )
        self.gate = nn.Sequential(
            nn.Linear(2 * wide, 2 * wide), nn.ReLU(), nn.Dropout(0.5), nn.Linear(2 * wide, 1), nn.Sigmoid()
        )

    def candidates(self, vectors: Tensor) -> Tensor:
        return functional.normalize(vectors, dim=-1)

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        """Nothing: it composes in the encoder's own space."""

    def compose(self, asked: QueryBatch) -> Tensor:
        both = torch.cat([self.text(asked.spoken), self.picture(asked.vectors)], dim=1)
        share = self.gate(both)
        return self.mix(both) + share * asked.spoken + (1 - share) * asked.vectors
