"""An encoder that was trained on captions: its base's vectors and, beside them, those of the learned heads.

A vector is [√(1 − w) · what the base knows, √w · what was learned], so a cosine is the mixture of both
cosines. Of words that resemble none of those taught the learned part has nothing to say and weighs as
much less: they find what they find with the base. Of the base's part those directions are kept that its
words and pictures use most, which makes room for the learned part: a search reads no more numbers than
it would with the base.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from circlet.core import PictureEncoder, Prepared
from circlet.core.errors import MismatchError, WeightsError
from circlet.core.files import parse_json
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import combined, digest, session
from circlet.models.encoders.base import BaseEncoder
from circlet.models.joint.reading import embedded, familiar, read

FORMAT = 2
RECIPE = "2"  # part of the fingerprint: change it when vectors of the same folder change
KIND = "encoder"
CONFIG, PICTURES, WORDS = "config.json", "pictures.onnx", "words.onnx"
BASE, TAUGHT = "base.npy", "taught.npy"
_FILES = (PICTURES, WORDS, BASE, TAUGHT)


class Joint(BaseEncoder):
    """The encoder in a folder that `circlet train encoder` wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.expanduser().absolute()
        self.name = str(folder)

    @cached_property
    def config(self) -> dict[str, Any]:
        """What the folder says of itself."""
        config = read_config(self.folder)
        if config is None:
            raise WeightsError(
                f"{self.folder} holds no trained encoder: make one with `circlet train encoder`"
            )
        if config.get("format") != FORMAT:
            raise WeightsError(f"{self.folder} is no encoder of format {FORMAT}: train it again")
        if lacking := [name for name in _FILES if not (self.folder / name).is_file()]:
            raise WeightsError(f"{self.folder / lacking[0]} is missing: train or copy the encoder again")
        return config

    @cached_property
    def base(self) -> PictureEncoder:
        """The encoder below, which must be the one that it was trained over."""
        from circlet.models.encoders.load import load_encoder

        base = load_encoder(self.config["base"])
        if base.fingerprint != self.config["over"]:
            raise MismatchError(
                f"{self.folder} was trained over {self.config['over']}, and {self.config['base']} is now "
                f"{base.fingerprint}: train it again, or install what it was trained with"
            )
        return base

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: the base's, the heads and how both are mixed."""
        mix, below = self.config["mix"], self.base.fingerprint
        files = digest(*(self.folder / name for name in _FILES))
        return f"{KIND}-{RECIPE}-{combined(files, repr(mix), below)}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self.learned_from + int(self.config["dim"])

    @property
    def learned_from(self) -> int:
        """Where in a vector the learned numbers begin; before them stand the base's."""
        return int(self._turn.shape[1])

    @property
    def size(self) -> int:
        """The short edge that a picture should have at least."""
        return self.base.size

    @property
    def cutoff(self) -> float | None:  # type: ignore[override]
        """The score that nine in ten captions' own pictures reach, as found on val."""
        return self.config["cutoff"]

    @cached_property
    def _turn(self) -> Vectors:
        return self._part(BASE, _array)

    @cached_property
    def _taught(self) -> Vectors:
        return embedded(self._part(TAUGHT, _array))

    @cached_property
    def _pictures(self) -> Any:
        return self._part(PICTURES, session)

    @cached_property
    def _words(self) -> Any:
        return self._part(WORDS, session)

    def _part(self, name: str, read: Callable[[Path], Any]) -> Any:
        try:
            return read(self.folder / name)
        except Exception as error:  # each reader has its own way to say that a file is damaged
            raise WeightsError(f"{self.folder / name} is damaged: train or copy the encoder again") from error

    def prepare(self, picture: Image.Image) -> Prepared:
        """One picture as the base takes it."""
        return self.base.prepare(picture)

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        return self.over(self.base.encode_prepared(pictures))

    def over(self, vectors: Vectors) -> Vectors:
        """Unit rows for pictures whose vectors the base has made already."""
        return self._mixed(vectors @ self._turn, self._pictures.run(["learned"], {"vectors": vectors})[0])

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts."""
        if not len(words):
            return np.zeros((0, self.dim), np.float32)
        meanings = self.config["meanings"]
        inputs = read(words, meanings=meanings)._asdict()
        if not meanings:
            inputs = {name: inputs[name] for name in ("pieces", "piece_mask")}
        learned = self._words.run(["learned"], inputs)[0] * familiar(words, self._taught)[:, None]
        told = self.base.texts(words)
        # A base that looks at places says nothing of them in words: a tenth of the product is left.
        said = int(np.flatnonzero(told.any(axis=0)).max(initial=-1)) + 1
        return self._mixed(told[:, :said] @ self._turn[:said], learned)

    def _mixed(self, kept: Vectors, learned: Vectors) -> Vectors:
        return mixed(kept, learned, self.config["mix"])

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """The base's spatial tokens."""
        return self.base.tokens_prepared(pictures)

    def both_prepared(self, pictures: Prepared) -> tuple[Vectors, Vectors]:
        """Unit rows and the base's spatial tokens, from one pass of the base."""
        vectors, tokens = self.base.both_prepared(pictures)
        return self.over(vectors), tokens


def _array(path: Path) -> NDArray[Any]:
    return np.load(path, allow_pickle=False)


def mixed(base: Vectors, learned: Vectors, mix: float) -> Vectors:
    """Unit rows whose cosine is that of the base and that of the learned part, mixed.

    Words that mean little to the base have little length there, and the learned part says more.

    >>> print(mixed(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), 0.36))
    [[0.8 0.  0.  0.6]]
    """
    kept, new = np.sqrt(np.array([1 - mix, mix], np.float32))
    return unit(np.concatenate([base * kept, learned * new], axis=1))


def read_config(folder: Path) -> dict[str, Any] | None:
    """The configuration of a trained encoder; None where the folder holds something else."""
    try:
        config = parse_json((folder.expanduser() / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return config if isinstance(config, dict) and config.get("circlet_kind") == KIND else None
