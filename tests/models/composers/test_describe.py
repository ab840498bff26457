"""The built-in describer names things and colours from vectors alone."""

import numpy as np

from circlet.core import Vectors, unit
from circlet.models.composers.describe import Describer
from circlet.models.encoders.classes import classes

NAMES = [one.names[0] for one in classes()]


class Axes:
    """Every class name and colour on an axis of its own."""

    fingerprint = "axes"
    words = (
        *NAMES,
        "red",
        "orange",
        "yellow",
        "green",
        "blue",
        "purple",
        "pink",
        "brown",
        "black",
        "white",
        "grey",
    )
    dim = len(words)

    def texts(self, words) -> Vectors:
        return np.eye(self.dim, dtype=np.float32)[[self.words.index(word) for word in words]]

    images = texts


def picture(*words: str) -> Vectors:
    return unit(Axes().texts(words).sum(axis=0, keepdims=True))


def test_a_thing_and_its_colour_are_named() -> None:
    assert Describer(Axes())(picture("goldfish", "yellow")) == ["yellow goldfish"]


def test_a_second_thing_is_named_when_it_is_as_near_and_of_another_kind() -> None:
    both = np.concatenate([picture("goldfish", "banana", "red"), picture("goldfish", "tench", "red")])
    described = Describer(Axes())(both)
    assert set(described[0].removeprefix("red ").split(" and ")) == {"goldfish", "banana"}
    assert described[1] in ("red goldfish", "red tench")
