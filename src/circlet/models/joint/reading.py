"""What the head for words reads of texts: word pieces as embedded, and the meaning of each phrase.

And how familiar a text is to it: a head knows the words that it was taught, and those that resemble them.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from circlet.core.vectors import Vectors, unit
from circlet.language import phrases
from circlet.models.encoders.sentences import DIM, Sentences

# Vectors in memory, 300 MB at most: a training says the same phrases again and again.
KEPT = 200_000
# Phrases of a text that are read; what is longer is still read piece by piece.
MOST_PHRASES = 8
# Pieces that say nothing of what is seen.
_PLAIN = frozenset(
    ("[CLS]", "[SEP]", "a", "an", "the", "this", "that", "it", "its", "is", "are", "be", "of", "in", "on",
     "at", "to", "by", "from", "for", "with", "and", "or", "but", "as", "some", "one", *",.;:!?-'()")
)  # fmt: skip
# Two pieces whose embeddings have the first of these cosines are strangers, with the second they are
# as good as one word: "pig" and "dog" have 0.27, "boat" and "boats" 0.78.
_STRANGE, _SAME = 0.3, 0.7


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


def taught(texts: Sequence[str], most: int = 4000) -> NDArray[np.int32]:
    """The pieces of these texts that say something, by their numbers, those said most often first.

    >>> len(taught(["two dogs", "a dog"]))
    3
    """
    said = Counter(
        id for pieces in sentences().numbered(texts) for id, piece in pieces if piece not in _PLAIN
    )
    return np.array([id for id, _ in said.most_common(most)], np.int32)


def embedded(known: NDArray[np.int32]) -> Vectors:
    """Unit rows of these pieces, as `familiar` compares with them.

    >>> embedded(taught(["boats"])).shape
    (1, 384)
    """
    return unit(sentences().embedded(known))


def familiar(texts: Sequence[str], known: Vectors) -> Vectors:
    """How much of each text is known or resembles what is, from zero to one; what says nothing is known.

    >>> print(familiar(["the boat", "a pig", "boats and a pig", "", "with"], embedded(taught(["boats"]))))
    [1.  0.  0.5 1.  1. ]
    """
    rows = np.ones(len(texts), np.float32)
    for row, pieces in enumerate(sentences().numbered(texts)):
        if said := [id for id, piece in pieces if piece not in _PLAIN]:
            near = (embedded(np.array(said, np.int32)) @ known.T).max(axis=1, initial=0)
            rows[row] = np.clip((near - _STRANGE) / (_SAME - _STRANGE), 0, 1).mean()
    return rows
