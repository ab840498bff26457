"""The default encoder: an ImageNet network and a sentence encoder that come in wheels, joined by names.

A vector has four segments. *Meaning*: the network's class probabilities, on nearly orthogonal
codes; *look*: its pooled features along the directions its classifier uses most; *colour*:
measured shares of named colours and of light; and one place that only words fill, by as much as
they say nothing that the network knows. A text becomes weights over the classes (see `bridge`),
which fill meaning and look as a picture of these classes would; colour words fill the third.
"""

import hashlib
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import Prepared
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import combined, digest, kept_array
from circlet.models.encoders import colours, convnet
from circlet.models.encoders.base import BaseEncoder
from circlet.models.encoders.bridge import CLASSES, Bridge
from circlet.models.encoders.classes import classes
from circlet.models.encoders.sentences import Sentences
from circlet.models.encoders.torchfile import read_tensors

RECIPE = "3"  # part of the fingerprint: change it when vectors change
# 768 numbers in all: of a hundred simulated photographs (benchmarks/right.py) 512 numbers lose one
# more, and all thousand classes with the look beside them find one more.
MEANING, LOOK = 384, 339
DIM = MEANING + LOOK + colours.DIM + 1
_SHARES = np.sqrt(np.array([0.45, 0.45, 0.1], np.float32))  # of a picture's squared length
_FLATTEN = 0.5  # probabilities to this power: what else the picture might show counts, too
_REMEMBERED = 5_000  # texts, 15 MB
_PLACE = 0.3  # of surroundings that a text names: what the network would call them, beside how they look
_NAMED = 0.9  # a text this near to a name is that name
_WIDEST = 1.5  # a longer picture is cropped to this ratio, a shorter one squeezed


class Builtin(BaseEncoder):
    """EfficientNet-Lite0 and MiniLM, with no download beyond the wheels.

    >>> encoder = Builtin()
    >>> pictures = encoder.images([Image.new("RGB", (64, 64), colour) for colour in ("red", "blue")])
    >>> (encoder.texts(["red", "blue"]) @ pictures.T).argmax(axis=1).tolist()
    [0, 1]
    """

    name = "builtin"
    # Nine in ten texts that name something in a folder reach it, seven in ten of the others stay
    # below (benchmarks/cutoff.py).
    cutoff = 0.22
    # What a vector is made of, as the network's graph names it.
    seen: tuple[str, ...] = ("logits", "features", "thumb")

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return DIM

    @property
    def size(self) -> int:
        """The short edge that a picture should have at least."""
        return convnet.SIZE

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: changes with the weights, the preprocessing and the recipe."""
        names = (f"{one.names}{one.kinds}" for one in classes())
        parts = (digest(convnet.weights_file()), self._sentences.digest, *names)
        return f"builtin-{RECIPE}-{combined(*parts)}"

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences()

    @cached_property
    def _bridge(self) -> Bridge:
        return Bridge(self._sentences)

    @cached_property
    def _network(self) -> Any:
        return convnet.load()

    @cached_property
    def _looks(self) -> tuple[Vectors, Vectors]:
        """From pooled features to the look segment, and the classes' own rows in it."""

        def make() -> Vectors:
            weights = read_tensors(convnet.weights_file())["_fc.weight"]
            weights = weights - weights.mean(0)
            # The same directions as a singular value decomposition's, in a tenth of the time.
            spread, mixes = np.linalg.eigh(weights.astype(np.float64) @ weights.T)
            directions = (mixes[:, ::-1][:, :LOOK] / np.sqrt(spread[::-1][:LOOK])).T @ weights
            # The sign of a direction is a whim of the linear algebra library: settle it.
            largest = np.abs(directions).argmax(axis=1)
            directions *= np.sign(directions[np.arange(LOOK), largest])[:, None]
            return np.concatenate([directions.T, weights @ directions.T]).astype(np.float32)

        both = kept_array(f"looks-{RECIPE}-{digest(convnet.weights_file())}", make)
        return both[:-CLASSES], both[-CLASSES:]

    def prepare(self, picture: Image.Image) -> Prepared:
        """The picture at 224 × 224, uint8: squeezed up to 3:2, the ends of longer ones cut."""
        width, height = picture.size
        wide, high = min(width, height * _WIDEST), min(height, width * _WIDEST)
        left, top = (width - wide) / 2, (height - high) / 2
        colour = picture if picture.mode == "RGB" else picture.convert("RGB")
        small = colour.resize(
            (convnet.SIZE, convnet.SIZE),
            Image.Resampling.BICUBIC,
            box=(left, top, left + wide, top + high),
            reducing_gap=3.0,
        )
        return np.asarray(small)

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        return self.join(*self._network.run(self.seen, {"pixels": pictures}))

    def join(self, *seen: Vectors) -> Vectors:
        """Unit rows from what the network says of pictures, in the order of `seen`."""
        logits, features, thumb = seen
        shares = np.exp((logits - logits.max(axis=1, keepdims=True)) * np.float32(_FLATTEN))
        segments = (unit(shares @ codes()), unit(features @ self._looks[0]), colours.measure(thumb))
        rows = np.zeros((len(logits), DIM), np.float32)
        rows[:, :-1] = np.concatenate([s * w for s, w in zip(segments, _SHARES, strict=True)], axis=1)
        return unit(rows)

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts: what they mean, and the colours and light they speak of.

        What was said lately is remembered: one search hears the same phrases several times.
        """
        heard = self._heard
        if len(heard) > _REMEMBERED:
            heard = self._heard = {}
        if new := [text for text in dict.fromkeys(words) if text not in heard]:
            heard.update(zip(new, self._hear(new), strict=True))
        return np.array([heard[text] for text in words], np.float32).reshape(len(words), DIM)

    @cached_property
    def _heard(self) -> dict[str, Vectors]:
        return {}

    def _hear(self, words: Sequence[str]) -> Vectors:
        rows = np.zeros((len(words), DIM), np.float32)
        said = [colours.spoken(text) for text in words]
        colour = unit(np.stack([one.row for one in said]))
        parts = [*words, *(one.rest for one in said), *(one.scene for one in said)]
        weights, near = self._bridge.weights(parts)
        (whole, rest, _), (asked, left, places) = np.split(near, 3), np.split(weights, 3)
        # "Red fox" is a name: its colour word stays in it. "Red car" is a car, and red. "Beach" is a name,
        # "on the beach" a place where something else is to be.
        around = np.array([one.around for one in said])
        named = (whole >= _NAMED) & ~around
        asked = np.where(named[:, None], asked, left)
        sure = np.clip((np.where(named, whole, rest) - 0.25) / 0.25, 0.15, 1)
        sure *= np.array([bool(text.strip()) for text in words])
        # Words that speak of nothing but colour, light or surroundings have no thing to say.
        silent = colour.any(axis=1) & ~named & np.array([not one.rest for one in said])
        thing = np.where(silent, 0, sure).astype(np.float32)[:, None]
        place = np.where(around, _PLACE, 0).astype(np.float32)[:, None]
        for segment, of_classes, share in (
            (slice(MEANING), codes(), _SHARES[0]),
            (slice(MEANING, MEANING + LOOK), self._looks[1], _SHARES[1]),
        ):
            rows[:, segment] = share * (thing * unit(asked @ of_classes) + place * unit(places @ of_classes))
        rows[:, MEANING + LOOK : -1] = colour * np.where(named, _SHARES[2], 1)[:, None]
        rows[:, -1] = np.where(silent, 0, np.sqrt(1 - sure**2))
        return unit(rows)

    def cutoffs(self, queries: Vectors) -> Vectors:
        """For each query row the score that a match should reach.

        It is `cutoff` for a query that names one class. A kind spreads its weight over its members,
        so that no picture comes as near to "bird" as one does to "toucan"; and what a query says of
        colour counts for less, as colour weighs less in a picture.
        """
        ideal = np.concatenate([codes() * _SHARES[0], unit(self._looks[1]) * _SHARES[1]], axis=1)
        reach = (queries[:, : MEANING + LOOK] @ ideal.T).max(axis=1, initial=0) / (1 - _SHARES[2] ** 2)
        colour = np.linalg.norm(queries[:, MEANING + LOOK : -1], axis=1)
        asked = np.sqrt(reach) + _SHARES[2] * colour
        return (self.cutoff * np.maximum(asked, np.abs(queries[:, -1]))).astype(np.float32)

    def subject(self, vectors: Vectors) -> Vectors:
        """Meaning and look, without the measured colours and light."""
        rows = np.array(vectors, np.float32)
        rows[:, MEANING + LOOK : DIM] = 0
        return rows

    @property
    def sees_people(self) -> bool:
        """ImageNet has a class for a groom, a diver and a ballplayer, and none for anybody else."""
        return False

    def known(self, texts: Vectors) -> Vectors:
        """How near each text is to something that the network knows, or that can be measured."""
        return np.asarray(1 - texts[:, DIM - 1] ** 2, np.float32)

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """The network's last map: (n, 49, 1280)."""
        return placed(self._network.run(["map"], {"pixels": pictures})[0])

    def both_prepared(self, pictures: Prepared) -> tuple[Vectors, Vectors]:
        """Unit rows and the last map from one run of the network."""
        *seen, last = self._network.run([*self.seen, "map"], {"pixels": pictures})
        return self.join(*seen), placed(last)


def placed(maps: Vectors) -> Vectors:
    """Feature maps as tokens: (n, places, channels)."""
    return maps.reshape(*maps.shape[:2], -1).transpose(0, 2, 1)


@cache
def codes() -> Vectors:
    """A code for each class: rows of a Hadamard matrix at columns that a hash picks.

    Any two are nearly orthogonal, and the same on every machine: no random generator, no linear
    algebra library has a say.

    >>> codes().shape, bool(np.abs(codes() @ codes().T - np.eye(CLASSES)).max() < 0.2)
    ((1000, 384), True)
    """
    picked = sorted(
        range(1, 1024), key=lambda column: hashlib.sha256(bytes([column % 256, column // 256])).digest()
    )
    columns = np.array(sorted(picked[:MEANING]))
    parity = np.bitwise_count(np.arange(CLASSES)[:, None] & columns) % 2
    return ((1 - 2.0 * parity) / np.sqrt(MEANING)).astype(np.float32)
