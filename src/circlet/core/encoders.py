"""Who turns pictures and words into vectors, and who is told how far long work has come."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from circlet.core.vectors import Vectors

# One picture, or a stack of them, as a model takes it in.
Prepared = np.ndarray[Any, Any]


class Progress(Protocol):
    """Told along the way: how much is done, and of how much once that is known."""

    def __call__(self, done: int, total: int | None) -> None: ...


@runtime_checkable
class Encoder(Protocol):
    """Pictures or words to unit-length float32 rows of one space, named by its fingerprint."""

    @property
    def fingerprint(self) -> str:
        """Names the space: changes with the weights, the preprocessing and the recipe."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def images(self, pictures: Sequence[Any]) -> Vectors:
        """One row per picture (Pillow images)."""
        ...

    def texts(self, words: Sequence[str]) -> Vectors:
        """One row per text, in the pictures' space."""
        ...


@runtime_checkable
class JointEncoder(Encoder, Protocol):
    """An encoder that reads pictures and words of a query in one pass, as universal embedders do."""

    def together(self, parts: Sequence[Sequence[Any]], *, instruction: str = "") -> Vectors:
        """One row per query, whose pictures (Pillow images) and texts are read in their order.

        `instruction` says what is looked for; without one the model has its own for queries.
        """
        ...


@runtime_checkable
class PictureEncoder(Encoder, Protocol):
    """An encoder that reads many pictures fast, says what is where, and knows what a match is.

    Decoding and the model overlap: `prepare` turns one picture into the array that the model wants
    (threads may call it at once), `encode_prepared` runs the model on a stack of them.
    """

    @property
    def size(self) -> int:
        """The short edge, in pixels, that a picture should have at least when it is handed over."""
        ...

    def prepare(self, picture: Any) -> Prepared:
        """One picture as the model's input."""
        ...

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        ...

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """Spatial tokens of a stack, (n, places, channels): what the model saw where."""
        ...

    def both_prepared(self, pictures: Prepared) -> tuple[Vectors, Vectors]:
        """Unit rows and spatial tokens of a stack, from one pass where the encoder can."""
        ...

    def cutoffs(self, queries: Vectors) -> Vectors | None:
        """For each query row the score that a match should reach; None where nobody has measured it."""
        ...
