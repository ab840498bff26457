"""Networks that say, for each description, which of its set's pictures is meant.

Each sees pictures by what an encoder's base keeps of them, reads texts as the encoder's own head does,
and compares: (descriptions, pictures of a set) to one number each, of which the highest is meant.
"""

from abc import abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.models.joint.heads import Block, Heads
from circlet.models.joint.reading import Read

# A film's moments that are told apart; a longer or shorter one is spread over them.
MOMENTS = 10
# How far apart moments are at first, beside products whose numbers are about one.
_MOMENT = 0.1
# What came of texts, or of pictures: one or several tensors, a row for each of them.
Made = tuple[Tensor, ...]


class Asked(NamedTuple):
    """Sets of n pictures, (sets, n, numbers), which of them are films, and texts, each about one set."""

    vectors: Tensor
    in_time: Tensor
    heard: Read
    of: Tensor


class Comparing(nn.Module):
    """What compares descriptions with the pictures of their sets; a subclass says how."""

    heads: Heads

    @abstractmethod
    def see(self, vectors: Tensor) -> Made:
        """What is made of each picture by itself, whatever is said of it."""

    @abstractmethod
    def hear(self, heard: Read) -> Made:
        """What is made of each text by itself."""

    @abstractmethod
    def compare(self, said: Made, seen: Made, in_time: Tensor) -> Tensor:
        """(texts, n) numbers for texts with n pictures each; the highest of a row is meant."""

    def seen(self, vectors: Tensor, in_time: Tensor) -> Made:
        """What is made of each picture of sets, (sets, n, …)."""
        made = self.see(vectors.flatten(0, 1))
        return tuple(rows.reshape(*vectors.shape[:2], *rows.shape[1:]) for rows in made)

    def forward(self, asked: Asked) -> Tensor:
        """One row of n numbers for each text."""
        seen, said = self.seen(asked.vectors, asked.in_time), self.hear(asked.heard)
        return self.compare(said, tuple(rows[asked.of] for rows in seen), asked.in_time[asked.of])


class BiEncoder(Comparing):
    """Both heads of an encoder: a text and a picture are compared by the cosine of their rows."""

    def __init__(self, heads: Heads) -> None:
        super().__init__()
        self.heads = heads

    def see(self, vectors: Tensor) -> Made:
        """One unit row per picture."""
        return (self.heads.picture(vectors),)

    def hear(self, heard: Read) -> Made:
        """One unit row per text."""
        return (self.heads.heard(heard),)

    def compare(self, said: Made, seen: Made, in_time: Tensor) -> Tensor:
        """The cosines, as sharp as was learned."""
        return self.heads.sharpness * torch.einsum("de,dne->dn", said[0], seen[0])


class Differing(BiEncoder):
    """A bi-encoder that is told, too, how a picture differs: from its set's mean and, in films, from its
    neighbours.

    An end has one neighbour, which stands on both sides of it: no gap says where an end is. It begins as the
    encoder, since what differs counts nothing at first.
    """

    def __init__(self, heads: Heads) -> None:
        super().__init__(heads)
        self.differ = nn.Linear(2 * heads.sizes.dim, heads.sizes.dim, bias=False)
        nn.init.zeros_(self.differ.weight)

    def seen(self, vectors: Tensor, in_time: Tensor) -> Made:
        """One unit row per picture, moved by what differs."""
        (rows,) = super().seen(vectors, in_time)
        if rows.shape[1] < 2:
            return (rows,)
        before = torch.cat([rows[:, 1:2], rows[:, :-1]], dim=1)
        after = torch.cat([rows[:, 1:], rows[:, -2:-1]], dim=1)
        beside = (rows - (before + after) / 2) * in_time[:, None, None]
        apart = rows - rows.mean(dim=1, keepdim=True)
        return (functional.normalize(rows + self.differ(torch.cat([apart, beside], dim=-1)), dim=-1),)


class Blind(BiEncoder):
    """The same without eyes: in place of a picture it is told the place, and whether it is a film.

    What it reaches is what the order of a benchmark's sets gives away.
    """

    def __init__(self, heads: Heads) -> None:
        super().__init__(heads)
        self.places = nn.Parameter(torch.randn(2, MOMENTS, heads.sizes.dim))

    def seen(self, vectors: Tensor, in_time: Tensor) -> Made:
        """The rows of the places, one kind for films and another for the rest."""
        rows = self.places[:, spread(vectors.shape[1])]
        return (functional.normalize(rows[in_time.long()], dim=-1),)


class Wordless(BiEncoder):
    """The same without ears: whatever is said, it looks for one thing that was learned.

    What it reaches is what a benchmark's targets have in common.
    """

    def __init__(self, heads: Heads) -> None:
        super().__init__(heads)
        self.wanted = nn.Parameter(torch.randn(heads.sizes.dim))

    def hear(self, heard: Read) -> Made:
        """The same row for every text."""
        return (functional.normalize(self.wanted, dim=0).expand(len(heard.pieces), -1),)


class ContextModule(nn.Module):
    """Equation 1 of paper 002: a transformer over the products of a text with all pictures of its set.

    m(i) = x_L ⊙ x_V(i), and with `temporal`, in films, t(i) is added; the score is W (Tf(m)_i + m(i)).
    The rows x are taken at length √e, so that the numbers of a product are about one. It begins as the
    encoder's own cosine: what the layers add is nothing at first, and W is the same for all numbers.
    """

    def __init__(self, dim: int, *, layers: int = 2, temporal: bool = False) -> None:
        super().__init__()
        self.dim = dim
        blocks = [Block(dim) for _ in range(layers)]
        for part in (
            part for block in blocks for last in (block.out, block.outer) for part in last.parameters()
        ):
            nn.init.zeros_(part)
        self.blocks = nn.ModuleList(blocks)
        self.weigh = nn.Linear(dim, 1, bias=False)
        self.moments = nn.Parameter(torch.randn(MOMENTS, dim) * _MOMENT) if temporal else None

    def begin(self, sharpness: float) -> None:
        """Let scores be the cosines, this sharp, until something better is learned."""
        nn.init.constant_(self.weigh.weight, sharpness / (2 * self.dim))

    def products(self, said: Tensor, seen: Tensor, in_time: Tensor) -> Tensor:
        """m, (texts, n, e), of unit rows (texts, e) and (texts, n, e)."""
        made = self.dim * said[:, None] * seen
        if self.moments is None:
            return made
        return made + in_time[:, None, None] * self.moments[spread(seen.shape[1])]

    def forward(self, said: Tensor, seen: Tensor, in_time: Tensor) -> Tensor:
        """One number for each picture of each text's set."""
        made = x = self.products(said, seen, in_time)
        heard = torch.ones(made.shape[:2], dtype=torch.bool)
        for block in self.blocks:
            x = block(x, heard)
        score: Tensor = self.weigh(x + made)[..., 0]
        return score


class InContext(BiEncoder):
    """A bi-encoder that learns no more, and the module that compares all pictures of a set."""

    def __init__(self, heads: Heads, module: ContextModule) -> None:
        super().__init__(heads)
        self.heads.requires_grad_(False)
        self.module = module

    def compare(self, said: Made, seen: Made, in_time: Tensor) -> Tensor:
        """The module's word."""
        score: Tensor = self.module(said[0], seen[0], in_time)
        return score


def spread(count: int) -> Tensor:
    """Which of the moments each of so many pictures has.

    >>> spread(4).tolist(), spread(12).tolist()
    ([0, 3, 6, 9], [0, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 9])
    """
    return torch.linspace(0, MOMENTS - 1, count).round().long()
