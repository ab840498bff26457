"""The first composers: what a picture with words means, as a weighted sum in the encoder's space.

`text` and `image` hear one half, `sum` adds the halves, `slerp` walks the great circle between
them. All of them honour a turn's `without`, `emphasis` and `balance`, and a turn that has only one
half is that half: a baseline for words still answers a picture alone.
"""

from collections.abc import Sequence

import numpy as np

from circlet.core import Composer, Contributions, Encoder, Label, Pictures, Turn, Vectors

# How far beyond "not at all" a thing that must not be seen is pushed; see docs/searching.md.
PUSH = 0.5


class Blend(Composer):
    """A picture's vector and the words' vector, each with a weight; what is unwanted, taken away.

    A subclass says in `weights` how the two halves share. `balance` is the picture's share where a
    turn does not say its own; `push` is how strongly unwanted things are pushed away.
    """

    balance = 0.5
    joins_vectors = True

    def __init__(self, encoder: Encoder, *, balance: float | None = None, push: float = PUSH) -> None:
        self.encoder = encoder
        self.fingerprint = encoder.fingerprint
        self.balance = type(self).balance if balance is None else balance
        self.push = push

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.encoder!r}, balance={self.balance}, push={self.push})"

    def weights(self, shares: Vectors, cosines: Vectors) -> tuple[Vectors, Vectors]:
        """The picture's and the words' weight for each turn, from the picture's share in it."""
        raise NotImplementedError

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return self.contributions(turns, pictures).sums()

    def share(self, turn: Turn) -> float | None:
        """The share of a turn with words to look for; what is only ruled out is weighed by `push`."""
        if not turn.text.strip():
            return None
        return self.balance if turn.balance is None else turn.balance

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        count = len(turns)
        seen = self._seen(turns, pictures)
        words_of_turns = self._said(turns)
        picture, words = seen.sums(), words_of_turns.sums()
        has_picture, has_words = picture.any(axis=1), words.any(axis=1)
        shares = np.array([self.balance if t.balance is None else t.balance for t in turns], np.float32)
        of_picture, of_words = self.weights(shares, np.sum(picture * words, axis=1))
        wanted = seen.scaled(np.where(has_words, of_picture, 1)).join(
            words_of_turns.scaled(np.where(has_picture, of_words, 1))
        )
        wanted = wanted.unit()
        return wanted.join(self._unwanted(turns, wanted.sums(), count)).unit()

    def _seen(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        terms = [(row, Label("picture", t.picture)) for row, t in enumerate(turns) if t.picture]
        rows = pictures.vectors_of([label.what for _, label in terms]) if terms else self._none()
        return Contributions.of(len(turns), terms, rows)

    def _said(self, turns: Sequence[Turn]) -> Contributions:
        terms, weights = [], []
        for row, turn in enumerate(turns):
            for phrase, weight in weighed(turn):
                terms.append((row, Label("words", phrase)))
                weights.append(weight)
        rows = self._texts([label.what for _, label in terms])
        return Contributions.of(len(turns), terms, rows * np.array(weights, np.float32)[:, None]).unit()

    def _unwanted(self, turns: Sequence[Turn], wanted: Vectors, count: int) -> Contributions:
        terms = [(row, Label("without", thing)) for row, turn in enumerate(turns) for thing in turn.without]
        rows = self._texts([label.what for _, label in terms])
        owners = np.array([row for row, _ in terms], dtype=np.intp)
        there = np.maximum(np.sum(wanted[owners] * rows, axis=1, keepdims=True), 0)
        return Contributions.of(count, terms, -(there + np.float32(self.push)) * rows)

    def _texts(self, texts: Sequence[str]) -> Vectors:
        """One row per text; each different text goes through the encoder once."""
        different = list(dict.fromkeys(texts))
        if not different:
            return self._none()
        rows = self.encoder.texts(different)
        place = {text: row for row, text in enumerate(different)}
        return rows[[place[text] for text in texts]]

    def _none(self) -> Vectors:
        return np.zeros((0, self.encoder.dim), dtype=np.float32)


def weighed(turn: Turn) -> list[tuple[str, float]]:
    """The lines of a turn's text and its emphasised phrases, each with its weight.

    Every line counts once, so a phrase of the text with weight two is added once more; a phrase
    that the text does not have is added with its full weight.

    >>> weighed(Turn(text="a beach at night", emphasis=(("night", 2.0),)))
    [('a beach at night', 1.0), ('night', 1.0)]
    """
    listed = [(line.strip(), 1.0) for line in turn.text.splitlines() if line.strip()]
    for phrase, weight in turn.emphasis:
        extra = weight - 1 if phrase.lower() in turn.text.lower() else weight
        if extra:
            listed.append((phrase, extra))
    return listed


class TextOnly(Blend):
    """The words alone; a picture without words is still searched by."""

    balance = 0.0

    def share(self, turn: Turn) -> float | None:
        return None

    def weights(self, shares: Vectors, cosines: Vectors) -> tuple[Vectors, Vectors]:
        return np.zeros_like(shares), np.ones_like(shares)


class ImageOnly(Blend):
    """The picture alone; words without a picture are still searched by."""

    balance = 1.0

    def share(self, turn: Turn) -> float | None:
        return None

    def weights(self, shares: Vectors, cosines: Vectors) -> tuple[Vectors, Vectors]:
        return np.ones_like(shares), np.zeros_like(shares)


class Sum(Blend):
    """The picture's share of its vector plus the rest of the words'."""

    balance = 0.3

    def weights(self, shares: Vectors, cosines: Vectors) -> tuple[Vectors, Vectors]:
        return shares, 1 - shares


class Slerp(Blend):
    """The point at the picture's share of the way from the words to the picture, on the sphere."""

    balance = 0.3

    def weights(self, shares: Vectors, cosines: Vectors) -> tuple[Vectors, Vectors]:
        angles = np.arccos(np.clip(cosines, -1, 1))
        sines = np.sin(angles)
        # Where the two nearly agree (or nearly oppose) the arc has no sine to divide by: walk straight.
        flat = sines < 1e-4
        safe = np.where(flat, 1, sines)
        return (
            np.where(flat, shares, np.sin(shares * angles) / safe),
            np.where(flat, 1 - shares, np.sin((1 - shares) * angles) / safe),
        )
