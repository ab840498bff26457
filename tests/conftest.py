"""A toy encoder whose space can be read off: one axis a word, a picture is the words it shows."""

from collections.abc import Sequence

import numpy as np
import pytest

from circlet.core import Gallery, Vectors, unit

WORDS = ("beach", "night", "people", "dog", "cat", "red", "blue", "city")


class Toy:
    """Texts and pictures (strings too) are counted word by word, on the axes of `WORDS`."""

    fingerprint = "toy:words"
    dim = len(WORDS)

    def texts(self, words: Sequence[str]) -> Vectors:
        return unit(np.array([[text.lower().split().count(word) for word in WORDS] for text in words]))

    images = texts

    def gallery(self, *scenes: str) -> Gallery:
        """A gallery in which every picture is named by what it shows."""
        return Gallery(scenes, self.images(scenes), self.fingerprint)


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def album(toy: Toy) -> Gallery:
    return toy.gallery(
        "beach", "beach night", "beach people", "beach night people", "dog", "dog red", "dog blue",
        "cat", "cat red", "cat blue", "city", "city night", "city people", "night",
    )  # fmt: skip
