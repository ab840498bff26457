"""From words to ImageNet classes: a text attends to everything the classes are called.

A text that names a class, by whichever of its names, weighs that class alone; one that names a
kind ("dog", "fruit") weighs all its members; any other text weighs the classes whose names a
sentence encoder finds nearest to it.
"""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import combined, kept_array
from circlet.models.encoders.classes import classes
from circlet.models.encoders.sentences import Sentences

CLASSES = 1000
# One search asks for the same few phrases again and again: to rank, to check, to say why.
_FEW, _REMEMBERED = 32, 512
_SHARPNESS = 25.0  # an exact name (similarity 1) drowns a near one (0.8) a hundred times over
_PHRASE = re.compile(
    r"^(?:an? |the |some )?(?:(?:photo|photograph|picture|image|drawing)s? (?:of|showing|with) )?"
    r"(?:an? |the |some )?",
    re.IGNORECASE,
)


class Bridge:
    """Texts to weights over the classes, with how sure the sentence encoder is of the nearest name."""

    def __init__(self, sentences: Sentences) -> None:
        self.sentences = sentences
        self._remembered: dict[str, tuple[Vectors, np.float32]] = {}

    @cached_property
    def names(self) -> dict[str, dict[int, float]]:
        """Everything a class is called, with the classes meant and their weight.

        A kind's weight falls with the root of its size, so that its vector has a name's length.
        """
        named: dict[str, dict[int, float]] = {}
        kinds: dict[str, list[int]] = {}
        for number, one in enumerate(classes()):
            for name in one.names:
                named.setdefault(name.lower(), {})[number] = 1.0
            for kind in one.kinds:
                kinds.setdefault(kind, []).append(number)
        for kind, members in kinds.items():
            meant = named.setdefault(kind, {})
            for number in members:
                meant.setdefault(number, len(members) ** -0.5)
        return named

    @cached_property
    def _members(self) -> Vectors:
        weights = np.zeros((len(self.names), CLASSES), np.float32)
        for row, meant in enumerate(self.names.values()):
            weights[row, list(meant)] = list(meant.values())
        return weights

    @cached_property
    def _vectors(self) -> Vectors:
        listed = list(self.names)
        key = combined(self.sentences.digest, *listed)
        return kept_array(f"names-{key}", lambda: self.sentences.texts(listed))

    def weights(self, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """Unit rows of weights over the classes, and the similarity of the nearest name."""
        if not 0 < len(texts) <= _FEW:
            return self._weights(texts)
        known = self._remembered if len(self._remembered) <= _REMEMBERED else {}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            # A new one each time: another thread may be reading the old.
            known = {**known, **dict(zip(new, zip(*self._weights(new), strict=True), strict=True))}
            self._remembered = known
        rows, best = zip(*(known[text] for text in texts), strict=True)
        return np.stack(rows), np.array(best)

    def _weights(self, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        near = self.sentences.texts([bare(text) for text in texts]) @ self._vectors.T
        best = near.max(axis=1, keepdims=True)
        attention = np.exp((near - best) * _SHARPNESS)
        return unit(attention @ self._members), best[:, 0]


def bare(text: str) -> str:
    """The text without what introduces it.

    >>> bare("a photo of a red car"), bare("The dogs"), bare("photo")
    ('red car', 'dogs', 'photo')
    """
    return _PHRASE.sub("", text.strip(), count=1) or text
