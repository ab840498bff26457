"""The trained baselines of paper 000 that hear one half, or a wrong half."""

import torch
from torch import Tensor

from circlet.models.learned.concat import Concat
from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm

# How many training pictures the random one is drawn from.
BANK = 256


class ImageAlone(Network):
    """φ = FC(f): the reference picture, in the learned space."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)

    def compose(self, asked: QueryBatch) -> Tensor:
        return self.image(asked.vectors)


class TextAlone(Network):
    """φ = LSTM(t): the words, in the learned space."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        self.reader = Lstm(language, shape.width)

    def compose(self, asked: QueryBatch) -> Tensor:
        return self.reader(asked.words, asked.mask)


class RandomImage(Concat):
    """Concatenation that is shown a picture drawn at random, in training and after."""

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape, language)
        self.register_buffer("bank", torch.zeros(BANK, shape.dim))
        self.bank: Tensor

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        self.bank.copy_(vectors[torch.arange(BANK) % len(vectors)])

    def compose(self, asked: QueryBatch) -> Tensor:
        if self.training:
            drawn = torch.randint(BANK, (len(asked),), device=asked.vectors.device)
        else:  # the words choose, so that asking again gives the same answer
            drawn = (asked.words * asked.mask).sum(dim=1) % BANK
        return super().compose(QueryBatch(self.bank[drawn], asked.words, asked.mask))
