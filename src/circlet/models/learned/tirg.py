"""TIRG (Vo et al. 2019): the words gate the picture's feature and add a residual to it."""

import torch
from torch import Tensor, nn

from circlet.models.learned.network import Network, PlaceNetwork, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


class Tirg(Network):
    """φ = w_g · σ(gate[v, t]) ⊙ v + w_r · residual[v, t], on whole vectors."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        width = shape.width
        self.reader = Lstm(language, width)
        self.gate = nn.Sequential(nn.BatchNorm1d(2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        self.residual = nn.Sequential(
            nn.BatchNorm1d(2 * width),
            nn.ReLU(),
            nn.Linear(2 * width, 2 * width),
            nn.ReLU(),
            nn.Linear(2 * width, width),
        )
        self.shares = nn.Parameter(torch.ones(2))

    def compose(self, asked: QueryBatch) -> Tensor:
        picture = self.image(asked.vectors)
        both = torch.cat([picture, self.reader(asked.words, asked.mask)], dim=1)
        gated = torch.sigmoid(self.gate(both)) * picture
        return self.shares[0] * gated + self.shares[1] * self.residual(both)


class TirgLastConv(PlaceNetwork):
    """TIRG on the last feature map: 3 × 3 convolutions, the words repeated at every place, then a mean."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape, language)
        width = shape.width
        self.narrow = nn.Linear(shape.channels, width)
        self.gate = nn.Sequential(
            nn.BatchNorm2d(2 * width), nn.ReLU(), nn.Conv2d(2 * width, width, 3, padding=1)
        )
        self.residual = nn.Sequential(
            nn.BatchNorm2d(2 * width),
            nn.ReLU(),
            nn.Conv2d(2 * width, width, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
        )
        self.shares = nn.Parameter(torch.ones(2))
        self.out = nn.Linear(width, width)

    def compose(self, asked: QueryBatch) -> Tensor:
        places = self.narrow(asked.seen).transpose(1, 2).reshape(len(asked), -1, self.grid, self.grid)
        text = self.reader(asked.words, asked.mask)[:, :, None, None].expand_as(places)
        both = torch.cat([places, text], dim=1)
        gated = torch.sigmoid(self.gate(both)) * places
        composed = self.shares[0] * gated + self.shares[1] * self.residual(both)
        return self.out(composed.mean(dim=(2, 3)))
