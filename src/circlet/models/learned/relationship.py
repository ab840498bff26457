"""Relationship (Santoro et al. 2017): every pair of places, given the words."""

from torch import Tensor, nn

from circlet.models.learned.maaf import coarser
from circlet.models.learned.network import PlaceNetwork, QueryBatch, Shape
from circlet.models.learned.words import Language

# Pairs grow with the fourth power of the grid's side; finer grids are averaged down to this.
FINEST = 4


class Relationship(PlaceNetwork):
    """φ = f(mean over i, j of g([oᵢ, oⱼ, t])), with f and g two-layer perceptrons.

    The first layer of g is a sum of one linear map for each of oᵢ, oⱼ and t, so it is computed
    once a place and not once a pair.
    """

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape, language)
        width = shape.width
        self.first = nn.Linear(shape.channels, width)
        self.second = nn.Linear(shape.channels, width, bias=False)
        self.words = nn.Linear(width, width, bias=False)
        self.relate = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.out = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def compose(self, asked: QueryBatch) -> Tensor:
        places, grid = asked.seen, self.grid
        while grid > FINEST:
            places, grid = coarser(places, grid), (grid + 1) // 2
        text = self.words(self.reader(asked.words, asked.mask))
        pairs = self.first(places)[:, :, None] + self.second(places)[:, None] + text[:, None, None]
        return self.out(self.relate(pairs).mean(dim=(1, 2)))
