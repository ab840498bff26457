"""What every encoder here shares: stacks of prepared pictures, cut-offs, a repr that can be pasted back."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import Encoder, PictureEncoder, Prepared
from circlet.core.vectors import Vectors


class BaseEncoder(ABC):
    """A `PictureEncoder` from four things: a fingerprint, `prepare`, `encode_prepared` and `texts`."""

    batch = 32
    # The score that a picture should reach to be called a match; None where nobody has measured it.
    cutoff: float | None = None
    # What `load_encoder` calls it.
    name: str

    @cached_property
    @abstractmethod
    def fingerprint(self) -> str:
        """Names the space: changes with the weights, the preprocessing and the recipe."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of a vector."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The short edge, in pixels, that a picture should have at least when it is handed over."""

    @abstractmethod
    def prepare(self, picture: Image.Image) -> Prepared:
        """One picture as the model's input."""

    @abstractmethod
    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""

    @abstractmethod
    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts, in the pictures' space."""

    @abstractmethod
    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """Spatial tokens of a stack, (n, places, channels): what the model saw where."""

    def both_prepared(self, pictures: Prepared) -> tuple[Vectors, Vectors]:
        """Unit rows and spatial tokens of a stack; an encoder that can, finds both in one pass."""
        return self.encode_prepared(pictures), self.tokens_prepared(pictures)

    def images(self, pictures: Sequence[Image.Image]) -> Vectors:
        """Unit rows for pictures, in batches of bounded memory."""
        parts = [self.encode_prepared(stack) for stack in self._stacks(pictures)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), np.float32)

    def tokens(self, pictures: Sequence[Image.Image]) -> Vectors:
        """Spatial tokens of pictures, in batches of bounded memory."""
        parts = [self.tokens_prepared(stack) for stack in self._stacks(pictures)]
        return np.concatenate(parts) if parts else np.zeros((0, 0, 0), np.float32)

    def cutoffs(self, queries: Vectors) -> Vectors | None:
        """For each query row the score that a match should reach; None where nobody has measured it."""
        return None if self.cutoff is None else np.full(len(queries), self.cutoff, np.float32)

    def subject(self, vectors: Vectors) -> Vectors:
        """What pictures' vectors say of the things shown, whatever their light and colour."""
        return vectors

    @property
    def sees_people(self) -> bool:
        """Whether its pictures' vectors say anything of people."""
        return True

    def known(self, texts: Vectors) -> Vectors:
        """How much of what each text says, by its vector, this encoder can see, 0 to 1."""
        return np.ones(len(texts), np.float32)

    def _stacks(self, pictures: Sequence[Image.Image]) -> list[Prepared]:
        starts = range(0, len(pictures), self.batch)
        return [np.stack([self.prepare(one) for one in pictures[at : at + self.batch]]) for at in starts]

    def __repr__(self) -> str:
        return f"load_encoder({self.name!r})"


class Plain(BaseEncoder):
    """An encoder of somebody's own that has nothing but `images` and `texts`, made to fit the rest."""

    SIDE = 256

    def __init__(self, encoder: Encoder, name: str = "") -> None:
        self.encoder = encoder
        self.name = name or repr(encoder)

    def __repr__(self) -> str:
        return repr(self.encoder)

    @cached_property
    def fingerprint(self) -> str:
        return self.encoder.fingerprint

    @property
    def dim(self) -> int:
        return self.encoder.dim

    @property
    def size(self) -> int:
        return self.SIDE

    def prepare(self, picture: Image.Image) -> Prepared:
        """The picture itself, in an array of one: pictures of different shapes do not stack otherwise."""
        held: np.ndarray[Any, Any] = np.empty((), object)
        held[()] = picture
        return held

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        return self.encoder.images(list(pictures))

    def texts(self, words: Sequence[str]) -> Vectors:
        return self.encoder.texts(words)

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """The whole vector as the only token: such an encoder does not say what is where."""
        return self.encode_prepared(pictures)[:, None]


def subject_of(encoder: Encoder, vectors: Vectors) -> Vectors:
    """What pictures show, less what a change of light or colour changes, where the encoder can tell."""
    return encoder.subject(vectors) if isinstance(encoder, BaseEncoder) else vectors


def known_to(encoder: Encoder, texts: Vectors) -> Vectors:
    """How much of what each text says the encoder can see, 0 to 1; all of it where it cannot tell."""
    return encoder.known(texts) if isinstance(encoder, BaseEncoder) else np.ones(len(texts), np.float32)


def judges_people(encoder: Encoder) -> bool:
    """Whether an encoder can judge words about people; one that does not say so is taken at its word."""
    return encoder.sees_people if isinstance(encoder, BaseEncoder) else True


def complete(encoder: Encoder, name: str = "") -> PictureEncoder:
    """The encoder with everything that reading many pictures needs.

    >>> from circlet.testing import ToyEncoder
    >>> complete(ToyEncoder()).size
    256
    """
    return encoder if isinstance(encoder, PictureEncoder) else Plain(encoder, name)
