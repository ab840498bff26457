"""A small network that says how likely a clause holds in a picture, given another to compare with."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.joint.heads import HEADS, WordHead, heard_by
from circlet.models.joint.heads import Sizes as HeadSizes
from circlet.models.joint.reading import read
from circlet.models.learned.network import Standard

# Keys and values of pictures.
Pair = tuple[Tensor, Tensor]


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What it is built for: the encoder's vector, and the places its last numbers speak of."""

    vector: int
    places: int = 0
    channels: int = 0
    width: int = 128
    hidden: int = 512

    @property
    def whole(self) -> int:
        """How many of the vector's numbers speak of the picture as a whole."""
        return self.vector - self.places * self.channels


class ClauseNetwork(nn.Module):
    """Clauses ask the places of a candidate and of the reference; a hidden layer decides."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.words = WordHead(HeadSizes(vector=sizes.vector, dim=width, width=width, meanings=False))
        self.whole = Standard(sizes.whole, width)
        self.place = Standard(sizes.channels, width) if sizes.places else None
        self.positions = nn.Parameter(torch.randn(1 + sizes.places, width) * 0.02)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.inner = nn.Linear(6 * width, sizes.hidden)
        self.outer = nn.Linear(sizes.hidden, 1)
        self.drop = nn.Dropout(0.1)

    def _placed(self, vectors: Tensor) -> Tensor:
        return vectors[:, self.sizes.whole :].reshape(-1, self.sizes.places, self.sizes.channels)

    def prepare(self, vectors: Tensor, texts: Sequence[str]) -> None:
        """Take means and spreads from a sample of pictures and of clauses."""
        self.whole.prepare(vectors[:, : self.sizes.whole])
        if self.place is not None:
            self.place.prepare(self._placed(vectors).flatten(0, 1))
        heard = read(texts, meanings=False)
        self.words.piece.prepare(torch.from_numpy(heard.pieces[heard.piece_mask > 0]))

    def pictures(self, vectors: Tensor) -> Pair:
        """What can be asked of pictures: keys and values, each (n, heads, 1 + places, channels)."""
        tokens = self.whole(vectors[:, : self.sizes.whole])[:, None]
        if self.place is not None:
            tokens = torch.cat([tokens, self.place(self._placed(vectors))], dim=1)
        tokens = tokens + self.positions
        # Places need not look at each other: clauses look at all of them.
        tokens = tokens + self.narrow(functional.gelu(self.wide(self.first(tokens))))
        tokens = self.second(tokens)
        keys, values = (layer(tokens).unflatten(-1, (HEADS, -1)) for layer in (self.key, self.value))
        return keys.transpose(1, 2), values.transpose(1, 2)

    def clauses(self, texts: Sequence[str]) -> Tensor:
        """Rows of clauses, (n, width)."""
        return heard_by(self.words, read(texts, meanings=False)) * self.sizes.width**0.5

    def answers(self, asked: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """What pictures answer to clauses: where they look most, and how much of it there is.

        Of b questions, `asked` is (b, clauses, width), and keys and values are those of their pictures,
        (b, pictures, heads, places, channels); the answers are (b, clauses, pictures, 2 width).
        """
        query = self.query(asked).unflatten(-1, (HEADS, -1))
        scores = torch.einsum("bchd,bkhtd->bckht", query, keys) / keys.shape[-1] ** 0.5
        mean = torch.einsum("bckht,bkhtd->bckhd", scores.softmax(dim=-1), values)
        total = torch.einsum("bckht,bkhtd->bckhd", scores.sigmoid() / scores.shape[-1], values)
        return torch.cat([mean.flatten(-2), total.flatten(-2)], dim=-1)

    def forward(self, asked: Tensor, reference: Pair, candidates: Pair) -> Tensor:
        """The logarithm of the odds that each clause holds in each candidate, (b, clauses, candidates).

        The pictures are given by their keys and values; each question has one reference.
        """
        found = self.answers(asked, *candidates)
        shown = self.answers(asked, *reference).expand_as(found)
        width = self.sizes.width
        parts = [asked[:, :, None].expand(*found.shape[:3], -1), found, shown]
        both = torch.cat([*parts, found[..., :width] - shown[..., :width]], dim=-1)
        return self.outer(self.drop(functional.gelu(self.inner(both))))[..., 0]
