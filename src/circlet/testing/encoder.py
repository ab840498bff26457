"""A toy encoder whose space can be read off: one axis a word, a picture is the words it shows."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from circlet.core import Gallery, Vectors, unit

WORDS = ("beach", "night", "people", "dog", "cat", "red", "blue", "city")


class ToyEncoder:
    """Texts, and pictures that are named by what they show, counted word by word on the axes of `WORDS`.

    >>> ToyEncoder().texts(["a dog, a red dog"])[0, 3:6].round(2).tolist()
    [0.8899999856948853, 0.0, 0.44999998807907104]
    """

    fingerprint = "toy:words"
    dim = len(WORDS)

    def __repr__(self) -> str:
        return "ToyEncoder()"

    def texts(self, words: Sequence[str]) -> Vectors:
        """One row per text."""
        counts = [[re.findall(r"\w+", text.lower()).count(word) for word in WORDS] for text in words]
        return unit(np.array(counts, np.float32).reshape(len(words), len(WORDS)))

    def images(self, pictures: Sequence[Any]) -> Vectors:
        """One row per picture, which is a text here."""
        return self.texts([str(picture) for picture in pictures])

    def gallery(self, *scenes: str) -> Gallery:
        """A gallery in which every picture is named by what it shows."""
        return Gallery(scenes, self.images(scenes), self.fingerprint)
