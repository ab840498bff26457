"""Pictures in words without a language model: the phrases whose vectors lie nearest to the picture's."""

from functools import cached_property

import numpy as np

from circlet.core import Encoder, Vectors
from circlet.models.encoders.classes import classes

# A second thing is named when it is nearly as near as the first and of another kind.
_NEARLY = 0.85
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey")


class Describer:
    """Describes pictures from their vectors, with any encoder whose words and pictures share a space.

    A description names the nearest of a thousand things, the next one where it is nearly as near,
    and the nearest colour: "lion, brown".
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    @cached_property
    def _things(self) -> tuple[list[str], Vectors]:
        names = [one.names[0] for one in classes()]
        return names, self.encoder.texts(names)

    @cached_property
    def _colours(self) -> Vectors:
        return self.encoder.texts(_COLOURS)

    def __call__(self, vectors: Vectors) -> list[str]:
        """One description per picture vector."""
        names, things = self._things
        near = vectors @ things.T
        order = np.argsort(-near, axis=1)[:, :2]
        colours = np.argmax(vectors @ self._colours.T, axis=1)
        descriptions = []
        for scores, (first, second), colour in zip(near, order.tolist(), colours.tolist(), strict=True):
            phrases = [names[first]]
            if scores[second] > _NEARLY * scores[first] and not _akin(first, second):
                phrases.append(names[second])
            descriptions.append(f"{_COLOURS[colour]} {' and '.join(phrases)}")
        return descriptions


def _akin(first: int, second: int) -> bool:
    """Whether two classes share a kind, so that naming both would say the same thing twice."""
    named = classes()
    return bool(set(named[first].kinds) & set(named[second].kinds))
