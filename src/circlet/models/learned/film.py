"""FiLM (Perez et al. 2018): the words scale and shift the channels of the feature map."""

from torch import Tensor, nn

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language, Lstm


class Film(Network):
    """h = ReLU(W₁ x); h ← h + ReLU((1 + γ(t)) ⊙ W₂ h + β(t)) at every place; then a mean and W₃."""

    spatial = True

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        width = shape.width
        self.reader = Lstm(language, width)
        self.narrow = nn.Sequential(nn.Linear(shape.channels, width), nn.ReLU())
        self.inner = nn.Linear(width, width)
        self.modulate = nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)

    def compose(self, asked: QueryBatch) -> Tensor:
        gamma, beta = self.modulate(self.reader(asked.words, asked.mask))[:, None].chunk(2, dim=-1)
        held = self.narrow(asked.seen)
        held = held + ((1 + gamma) * self.inner(held) + beta).relu()
        return self.out(held.mean(dim=1))
