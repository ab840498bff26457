"""Two heads over kept features, one for pictures and one for words, that meet in a space of their own."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.encoders.sentences import DIM, MAX_TOKENS
from circlet.models.joint.reading import MOST_PHRASES, Read, read
from circlet.models.learned.network import Standard

HEADS = 4
_DROPPED = 0.2
_SHARPEST = 4.6  # the logarithm of a hundred
# A batch of texts is taken in so many parts by length.
_PARTS = 4


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What heads are built for: the base's vector, the space learned, and how much lies between."""

    vector: int
    places: int = 0
    """How many places the vector's last numbers speak of, each with as many `channels`."""
    channels: int = 0
    dim: int = 256
    width: int = 128
    hidden: int = 512
    layers: int = 1
    meanings: bool = True
    """Whether MiniLM's vectors of a text's phrases are read beside its word pieces."""
    blocks: int = 1

    @property
    def whole(self) -> int:
        """How many of the vector's numbers speak of the picture as a whole."""
        return self.vector - self.places * self.channels


class Block(nn.Module):
    """One layer of a transformer that norms before it acts."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.inner, self.outer = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.drop = nn.Dropout(_DROPPED / 2)

    def forward(self, x: Tensor, heard: Tensor, *, first: int | None = None) -> Tensor:
        """The tokens (n, t, width), or the `first` of them, after they attended to those heard (n, t)."""
        normed = self.first(x)
        x = x[:, :first]
        parts = self.query(normed[:, :first]), self.key(normed), self.value(normed)
        query, key, value = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        mixed = functional.scaled_dot_product_attention(query, key, value, heard[:, None, None])
        x = x + self.drop(self.out(mixed.transpose(1, 2).flatten(-2)))
        return x + self.drop(self.outer(functional.gelu(self.inner(self.second(x)))))


class WordHead(nn.Module):
    """Texts to unit rows: a small transformer over their phrases and their word pieces."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.piece = Standard(DIM, sizes.width)
        self.phrase = Standard(DIM, sizes.width) if sizes.meanings else None
        self.places = nn.Parameter(torch.randn(MOST_PHRASES + MAX_TOKENS, sizes.width) * 0.02)
        self.blocks = nn.ModuleList(Block(sizes.width) for _ in range(sizes.layers))
        self.norm = nn.LayerNorm(sizes.width)
        self.out = nn.Linear(sizes.width, sizes.dim)

    def tokens(
        self, phrases: Tensor, phrase_mask: Tensor, pieces: Tensor, piece_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """What was made of every phrase and piece, (n, t, width), and their mask (n, t)."""
        x = self.piece(pieces) + self.places[MOST_PHRASES : MOST_PHRASES + pieces.shape[1]]
        mask = piece_mask
        if self.phrase is not None:
            said = self.phrase(phrases) + self.places[: phrases.shape[1]]
            x, mask = torch.cat([said, x], dim=1), torch.cat([phrase_mask, mask], dim=1)
        for block in self.blocks:
            x = block(x, mask > 0)
        return self.norm(x), mask

    def forward(self, phrases: Tensor, phrase_mask: Tensor, pieces: Tensor, piece_mask: Tensor) -> Tensor:
        """One unit row per text; the inputs are those of `Read`."""
        return self.row(*self.tokens(phrases, phrase_mask, pieces, piece_mask))

    def row(self, x: Tensor, mask: Tensor) -> Tensor:
        """One unit row per text, of its tokens and their mask."""
        mean = (x * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return functional.normalize(self.out(mean), dim=-1)


def columns(places: int) -> NDArray[np.float32]:
    """Rows that take the mean over all places of a grid, and over its left, middle and right columns.

    >>> columns(4).tolist()
    [[0.25, 0.25, 0.25, 0.25], [0.5, 0.0, 0.5, 0.0], [0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5]]
    """
    side = math.isqrt(places)
    if side * side != places:
        return np.full((1, places), 1 / places, np.float32)
    wide = math.ceil(side / 3)
    column = np.arange(places) % side
    parts = [column >= 0]
    parts += [
        (column >= first) & (column < first + wide) for first in ((side - wide) * n // 2 for n in range(3))
    ]
    return np.stack([part / part.sum() for part in parts]).astype(np.float32)


class PictureHead(nn.Module):
    """Vectors of the base to unit rows: by one hidden layer, and by a transformer over the places.

    What is where is added up, over the whole and over each third, and only then bent by a hidden layer:
    a sum knows how many there are, and three is not between two and four but something else.
    """

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.inner = Standard(sizes.vector, sizes.hidden)
        self.outer = nn.Linear(sizes.hidden, sizes.dim)
        self.drop = nn.Dropout(_DROPPED)
        if sizes.places:
            self.place = Standard(sizes.channels, sizes.width)
            self.places = nn.Parameter(torch.randn(sizes.places, sizes.width) * 0.02)
            self.blocks = nn.ModuleList(Block(sizes.width) for _ in range(sizes.blocks))
            self.norm = nn.LayerNorm(sizes.width)
            self.register_buffer("columns", torch.from_numpy(columns(sizes.places)))
            self.columns: Tensor
            self.added = nn.Linear(len(self.columns) * sizes.width, sizes.hidden)
            self.out = nn.Linear(sizes.hidden, sizes.dim)

    def _placed(self, vectors: Tensor) -> Tensor:
        """What the vectors say of each place, (n, places, channels)."""
        return vectors[:, self.sizes.whole :].reshape(-1, self.sizes.places, self.sizes.channels)

    def prepare(self, vectors: Tensor) -> None:
        """Take means and spreads from a sample."""
        self.inner.prepare(vectors)
        if self.sizes.places:
            self.place.prepare(self._placed(vectors).flatten(0, 1))

    def whole(self, vectors: Tensor) -> Tensor:
        """What the hidden layer makes of each picture as a whole, (n, hidden)."""
        return self.drop(functional.gelu(self.inner(vectors)))

    def tokens(self, vectors: Tensor) -> Tensor:
        """What was made of every place, (n, places, width); none where vectors say nothing of places."""
        if not self.sizes.places:
            return vectors.new_zeros(len(vectors), 0, self.sizes.width)
        tokens = self.place(self._placed(vectors)) + self.places
        heard = torch.ones(tokens.shape[:2], dtype=torch.bool)
        for block in self.blocks:
            tokens = block(tokens, heard)
        return self.norm(tokens)

    def forward(self, vectors: Tensor) -> Tensor:
        """One unit row per picture."""
        return self.row(self.whole(vectors), self.tokens(vectors))

    def row(self, whole: Tensor, tokens: Tensor) -> Tensor:
        """One unit row per picture, of what was made of it as a whole and of its places."""
        row = self.outer(whole)
        if self.sizes.places:
            added = (self.columns @ tokens).flatten(1)
            row = row + self.out(self.drop(functional.gelu(self.added(added))))
        return functional.normalize(row, dim=-1)


def _trimmed(read: Read, rows: NDArray[np.int64], longest: int) -> list[Tensor]:
    phrases, phrase_mask, pieces, piece_mask = read
    held = phrases[rows], phrase_mask[rows], pieces[rows, :longest], piece_mask[rows, :longest]
    return [torch.from_numpy(np.ascontiguousarray(part)) for part in held]


class Heads(nn.Module):
    """Both heads, and the sharpness with which their rows are compared while they learn."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.picture, self.words = PictureHead(sizes), WordHead(sizes)
        # A tenth of the logarithm, so that it moves ten times as fast as a weight does.
        self.tenth = nn.Parameter(torch.tensor(0.266))

    @property
    def sharpness(self) -> Tensor:
        """By how much a cosine is multiplied before it is held against the others."""
        return (10 * self.tenth).clamp(max=_SHARPEST).exp()

    def texts(self, texts: Sequence[str]) -> Tensor:
        """Unit rows of texts; those of like length go together, so little is padding."""
        return self.heard(read(texts, meanings=self.sizes.meanings))

    def heard(self, heard: Read) -> Tensor:
        """Unit rows of texts that were read."""
        lengths = heard.piece_mask.sum(axis=1).astype(np.int64)
        order = lengths.argsort(kind="stable")
        parts = [rows for rows in np.array_split(order, _PARTS) if len(rows)]
        made = [self.words(*_trimmed(heard, rows, int(lengths[rows].max()))) for rows in parts]
        return torch.cat(made)[torch.from_numpy(order.argsort())]

    def prepare(self, vectors: Tensor, texts: Sequence[str]) -> None:
        """Look once at a sample of the training pictures and of what is said of them."""
        self.picture.prepare(vectors)
        heard = read(texts, meanings=self.sizes.meanings)
        self.words.piece.prepare(torch.from_numpy(heard.pieces[heard.piece_mask > 0]))
        if self.words.phrase is not None:
            self.words.phrase.prepare(torch.from_numpy(heard.phrases[heard.phrase_mask > 0]))
