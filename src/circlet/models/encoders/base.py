"""One call for every encoder: `load_encoder("builtin")`, a hub name, or a folder."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from circlet.core.errors import UsageError
from circlet.core.vectors import Vectors

ALIASES = {
    "clip": "openai/clip-vit-base-patch32",
    "siglip": "google/siglip2-base-patch16-224",
    "blip": "Salesforce/blip-itm-base-coco",
}
Prepared = np.ndarray[Any, Any]


class PictureEncoder(ABC):
    """What every encoder here does beyond `core.Encoder`: decoding and the model can overlap.

    `prepare` turns one picture into the array the model wants (threads may call it at once),
    `encode_prepared` runs the model on a stack of them; `images` does one after the other.
    """

    batch = 32
    # The score that a picture should reach to be called a match; None where nobody has measured it.
    cutoff: float | None = None

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
    def tokens(self, pictures: Sequence[Image.Image]) -> Vectors:
        """Spatial tokens (n, places, channels): what the model saw where."""

    def both(self, pictures: Sequence[Image.Image]) -> tuple[Vectors, Vectors]:
        """Unit rows and spatial tokens; an encoder that can, finds both in one pass."""
        return self.images(pictures), self.tokens(pictures)

    def images(self, pictures: Sequence[Image.Image]) -> Vectors:
        """Unit rows for pictures, in batches of bounded memory."""
        parts = [self.encode_prepared(stack) for stack in self._stacks(pictures)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), np.float32)

    def cutoffs(self, queries: Vectors) -> Vectors | None:
        """For each query row the score that a match should reach; None where nobody has measured it."""
        return None if self.cutoff is None else np.full(len(queries), self.cutoff, np.float32)

    def _stacks(self, pictures: Sequence[Image.Image]) -> list[Prepared]:
        starts = range(0, len(pictures), self.batch)
        return [np.stack([self.prepare(one) for one in pictures[at : at + self.batch]]) for at in starts]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.fingerprint}>"


def load_encoder(name: str = "builtin") -> PictureEncoder:
    """The encoder of this name: builtin, fine, clip, siglip, blip, a hub name or a local folder.

    Weights are read on first use, so loading costs nothing and a search by words never loads the
    picture half.

    >>> load_encoder("builtin").dim
    768
    """
    if name == "builtin":
        from circlet.models.encoders.builtin import Builtin

        return Builtin()
    if name == "fine":
        from circlet.models.encoders.fine import Fine

        return Fine()
    known = ALIASES.get(name, name)
    if "/" in known or Path(known).is_dir():
        from circlet.models.encoders.hub import Checkpoint

        return Checkpoint(known)
    raise UsageError(
        f"unknown encoder {name!r}: pick builtin, fine, {', '.join(ALIASES)}, a checkpoint's hub name such "
        f"as {ALIASES['clip']}, or its folder"
    )
