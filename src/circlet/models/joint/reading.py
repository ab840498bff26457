"""What the head for words reads of texts: word pieces as embedded, and the meaning of each phrase."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from circlet.core.vectors import Vectors
from circlet.language import phrases
from circlet.models.encoders.sentences import DIM, Sentences

# Vectors in memory, 300 MB at most: a training says the same phrases again and again.
KEPT = 200_000
# Phrases of a text that are read; what is longer is still read piece by piece.
MOST_PHRASES = 8


class Read(NamedTuple):
    """A batch of texts: rows of phrases (n, p, 384) and of word pieces (n, t, 384), with their masks."""

    phrases: Vectors
    phrase_mask: Vectors
    pieces: Vectors
    piece_mask: Vectors


@cache
def sentences() -> Sentences:
    """The one sentence encoder that all of these share, with what it remembers."""
    return Sentences(KEPT)


def read(texts: Sequence[str], *, meanings: bool = True) -> Read:
    """What there is to read of these texts; without the phrases' meanings it is several times as fast.

    >>> read(["two dogs, at night"]).phrases.shape, read(["two dogs"], meanings=False).phrases.shape
    ((1, 2, 384), (1, 0, 384))
    """
    pieces, piece_mask = sentences().pieces(texts)
    if not meanings:
        none = np.zeros((len(texts), 0), np.float32)
        return Read(np.zeros((len(texts), 0, DIM), np.float32), none, pieces, piece_mask)
    parts = [phrases(text)[:MOST_PHRASES] or (text,) for text in texts]
    rows = sentences().texts([part for several in parts for part in several])
    mask = np.zeros((len(parts), max(map(len, parts), default=1)), np.float32)
    for row, several in zip(mask, parts, strict=True):
        row[: len(several)] = 1
    held = np.zeros((*mask.shape, DIM), np.float32)
    held[mask > 0] = rows
    return Read(held, mask, pieces, piece_mask)
