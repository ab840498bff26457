"""VAL (Chen et al. 2020): words attend to the picture at several levels of its feature map."""

import torch
from torch import Tensor, nn

from circlet.models.learned.maaf import coarser
from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


class Level(nn.Module):
    """One level: V' = F[V, t]; self-attention over places; joint attention of places and channels.

    O = w_s · attend(V') + w_j · σ(places(V') + channels(V')) ⊙ V, averaged over the places.
    """

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.narrow = nn.Linear(channels, width)
        self.fuse = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU())
        self.attend = nn.MultiheadAttention(width, 8, batch_first=True)
        self.places = nn.Linear(width, 1)
        self.channels = nn.Linear(width, width)
        self.shares = nn.Parameter(torch.ones(2))

    def forward(self, tokens: Tensor, text: Tensor) -> Tensor:
        seen = self.narrow(tokens)
        fused = self.fuse(torch.cat([seen, text[:, None].expand_as(seen)], dim=-1))
        attended, _ = self.attend(fused, fused, fused, need_weights=False)
        joint = torch.sigmoid(self.places(fused) + self.channels(fused.mean(dim=1, keepdim=True)))
        return (self.shares[0] * attended + self.shares[1] * joint * seen).mean(dim=1)


class Val(Network):
    """A level for the tokens as they are, one for them at half resolution, joined by a linear layer."""

    spatial = True

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        self.grid = shape.grid
        self.reader = Lstm(language, shape.width)
        self.fine = Level(shape.channels, shape.width)
        self.coarse = Level(shape.channels, shape.width)
        self.out = nn.Linear(2 * shape.width, shape.width)

    def compose(self, asked: QueryBatch) -> Tensor:
        text = self.reader(asked.words, asked.mask)
        levels = self.fine(asked.seen, text), self.coarse(coarser(asked.seen, self.grid), text)
        return self.out(torch.cat(levels, dim=1))
