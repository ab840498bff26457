"""What every learned composer is: queries and candidates to unit rows of one space."""

import math
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from circlet.core import UsageError
from circlet.models.learned.table import spec_of
from circlet.models.learned.words import Language, Lstm


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The sizes a network is built for: the encoder's vector, its spatial tokens, the space learned.

    >>> Shape(dim=384, tokens=49, channels=1280).grid
    7
    """

    dim: int
    tokens: int = 0
    channels: int = 0
    width: int = 512

    @property
    def grid(self) -> int:
        """The side of the square that the spatial tokens form."""
        side = math.isqrt(self.tokens)
        if not self.tokens or side * side != self.tokens:
            raise UsageError(f"this model needs spatial tokens in a square; the encoder gives {self.tokens}")
        return side


@dataclass(frozen=True)
class QueryBatch:
    """A batch of queries as tensors: pictures' vectors, words with their mask, and what else is known.

    `tokens` are the spatial tokens of the pictures, `sentences` the encoder's vectors of the words,
    `kinds` and `phrases` the words as clauses (see `models.phrases.as_clauses`).
    """

    vectors: Tensor
    words: Tensor
    mask: Tensor
    tokens: Tensor | None = None
    sentences: Tensor | None = None
    kinds: Tensor | None = None
    phrases: Tensor | None = None

    def __len__(self) -> int:
        return len(self.vectors)

    def to(self, device: torch.device) -> "QueryBatch":
        """The same batch on another device."""
        held = (getattr(self, field.name) for field in fields(self))
        return QueryBatch(*(part if part is None else part.to(device) for part in held))  # type: ignore[arg-type]

    @property
    def seen(self) -> Tensor:
        """The spatial tokens, which a spatial model cannot do without."""
        assert self.tokens is not None, "a spatial model was given no tokens"
        return self.tokens

    @property
    def spoken(self) -> Tensor:
        """The encoder's vectors of the words, for the models that compose in its space."""
        assert self.sentences is not None, "the encoder's vectors of the words are missing"
        return self.sentences

    @property
    def clauses(self) -> tuple[Tensor, Tensor]:
        """The words as clauses, for the models that read them so: kinds and phrases."""
        assert self.kinds is not None, "the words were not read as clauses"
        assert self.phrases is not None, "the words were not read as clauses"
        return self.kinds, self.phrases


class Standard(nn.Linear):
    """A linear layer over numbers that are first brought to mean zero and a spread of one.

    An encoder's vectors are of length one, so each number is small, some hardly vary and some never
    change sign: unscaled, a learning rate that suits one of them is a hundred times off for another.
    """

    def __init__(self, dim: int, width: int) -> None:
        super().__init__(dim, width)
        self.register_buffer("centre", torch.zeros(dim))
        self.register_buffer("spread", torch.ones(dim))
        self.centre: Tensor
        self.spread: Tensor

    def prepare(self, vectors: Tensor) -> None:
        """Take mean and spread from a sample; what hardly varies in it is not blown up."""
        if bool((vectors == vectors[:1]).all()):
            return  # one picture says nothing of how others differ
        spread = vectors.std(dim=0)
        self.centre.copy_(vectors.mean(dim=0))
        self.spread.copy_(spread.clamp(min=0.1 * float(spread.mean()) + 1e-6))

    def forward(self, vectors: Tensor) -> Tensor:
        # Folded into the layer, a gallery still costs one product and no copy of itself.
        weight = self.weight / self.spread
        return functional.linear(vectors, weight, self.bias - weight @ self.centre)


class Network(nn.Module):
    """A composition to be learned; a subclass says in `compose` what a picture with words means.

    Candidates pass through one linear layer and the L2 norm, whatever the model: a gallery is
    projected by one matrix product. `scale` is the learned length of both sides in the losses.
    """

    spatial = False
    """Whether it reads the picture's spatial tokens."""
    projects = True
    """Whether candidates move into a space of its own; else the gallery is compared as it stands."""
    speaks = False
    """Whether it needs the encoder's own vectors of the words."""
    hears = False
    """Whether it reads the words as clauses."""
    built: Shape
    """The sizes it was asked for; `shape` has the width it chose."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.image = Standard(shape.dim, shape.width)
        self.scale = nn.Parameter(torch.tensor(4.0))

    def candidates(self, vectors: Tensor) -> Tensor:
        """One unit row per picture's vector."""
        return functional.normalize(self.image(vectors), dim=-1)

    def pictures(self, vectors: Tensor) -> Tensor:
        """Unit rows of pictures without words, for a model that learns from pictures alone."""
        raise UsageError(f"{type(self).__name__} learns from triplets, not from pictures alone")

    def compose(self, asked: QueryBatch) -> Tensor:
        """One row per query, of any length."""
        raise NotImplementedError

    def forward(self, asked: QueryBatch) -> Tensor:
        """One unit row per query."""
        return functional.normalize(self.compose(asked), dim=-1)

    def prepare(self, vectors: Tensor, asked: QueryBatch) -> None:
        """Look once at a sample of the training pictures and queries, before the first step."""
        self.image.prepare(vectors)


class PlaceNetwork(Network):
    """A network that reads the places of a picture beside words: what such a model begins with."""

    spatial = True

    def __init__(self, shape: Shape, language: Language) -> None:
        super().__init__(shape)
        self.grid = shape.grid
        self.reader = Lstm(language, shape.width)


def build(name: str, shape: Shape, language: Language, **options: Any) -> Network:
    """The network of this name, with fresh weights (pretrained where the language has them)."""
    spec = spec_of(name)
    module = import_module(f"circlet.models.learned.{spec.module}")
    network = getattr(module, spec.network)(shape, language, **{**spec.options, **options})
    assert isinstance(network, Network)
    network.built = shape
    return network
