"""What could be said next about a search: phrases checked in its leading candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from circlet.collection.asked import Asked
from circlet.core import Encoder, Query, Vectors, WeightsError
from circlet.dialogue.suggest import Suggestion, suggest
from circlet.language.lexicon import COLOURS, any_of
from circlet.models.artefacts import combined, kept_array
from circlet.models.encoders.base import BaseEncoder, known_to
from circlet.models.encoders.classes import classes
from circlet.models.scorers.checked import finder
from circlet.models.standards import Standards, standards_of

# So many candidates lead; a phrase so many deviations above the gallery's mean holds as likely as not.
_LEADING = 30
_EVEN, _STEEP = 1.6, 2.5
_KNOWN = 0.5
# What a picture may lack of the score that a match should reach, and a phrase still hold in it.
_SLACK = 0.02
# A thing is named that stands so many deviations nearer to what was said than others do.
_KIN = 2.5
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey")
_AROUND = (
    "at night", "in the snow", "on a beach", "in the water", "in the grass", "in the city", "indoors",
    "in the mountains", "in the forest", "under a blue sky", "with people",
)  # fmt: skip
_COLOUR = any_of(*COLOURS)
# Words that name no thing whose kinds could be asked for.
_NAMELESS = any_of(
    *COLOURS, "something", "anything", "thing", "things", "one", "ones", "it", "make", "in", "the", "a", "an"
)


@dataclass(frozen=True)
class Vocabulary:
    """Phrases that an encoder knows, with their vectors: colours, places, things."""

    words: tuple[str, ...]
    rows: Vectors

    def only(self, which: NDArray[np.bool_]) -> "Vocabulary":
        """Some of them."""
        return Vocabulary(
            tuple(word for word, yes in zip(self.words, which, strict=True) if yes), self.rows[which]
        )

    def fitting(self, said: Sequence[str], encoder: Encoder) -> "Vocabulary":
        """What could follow these words: no second colour, and of things only kinds of what was named.

        A picture is like a thousand things a little, and the likeliest may be far-fetched: who was shown
        flags is not asked about dogs.
        """
        colours = np.isin(self.words, [f"in {colour}" for colour in _COLOURS])
        things = ~(colours | np.isin(self.words, _AROUND))
        fits = ~(colours | things)
        if not any(_COLOUR.search(text) for text in said):
            fits |= colours
        named = [text for text in said if _NAMELESS.sub("", text).strip(" ,;.")]
        if named and things.any():
            near = (self.rows @ encoder.texts(named).T).max(axis=1)
            usual = near[things]
            fits |= things & (near > usual.mean() + _KIN * usual.std())
        return self.only(fits)

    def holds(self, here: Standards, vectors: Vectors, encoder: Encoder) -> NDArray[np.float64]:
        """How likely each phrase holds in each picture; not at all where a search would find no match."""
        deviations = here.scores(self.rows, vectors).astype(np.float64)
        likely = 1 / (1 + np.exp(_STEEP * (_EVEN - deviations)))
        reached = encoder.cutoffs(self.rows) if isinstance(encoder, BaseEncoder) else None
        if reached is None:
            return likely
        return np.where(self.rows @ vectors.T >= reached[:, None] - _SLACK, likely, 0.0)


# The last encoder's phrases.
_KEPT: dict[str, Vocabulary] = {}


def suggestions(asked: Asked, encoder: Encoder) -> list[Suggestion]:
    """What would tell the leading candidates apart, and what the picked and liked ones share.

    None where nothing is known of the words, or where nothing would help much.
    """
    here = standards_of(asked.pictures)
    ranking = asked.best(_LEADING, finder(asked.method))
    if here is None or len(ranking) < 3:
        return []
    said = [text for turn in asked.query.turns for text in (turn.text, *turn.without)]
    vocabulary = vocabulary_of(encoder).fitting(said, encoder)
    if not vocabulary.words:
        return []
    # How sure the search is already, where it says; else all that lead are alike.
    scores = np.asarray(ranking.scores, np.float64)
    belief = np.exp(scores - scores.max()) if finder(asked.method).believes else np.ones(len(scores))
    chosen = chosen_pictures(asked.query)
    held = vocabulary.holds(here, asked.pictures.vectors_of(ranking.ids), encoder)
    picked = vocabulary.holds(here, asked.pictures.vectors_of(chosen), encoder) if chosen else None
    return suggest(belief / belief.sum(), held, vocabulary.words, chosen=picked, said=said)


def chosen_pictures(query: Query) -> list[str]:
    """The pictures that were liked, and those that were picked from what was shown.

    >>> from circlet.core import Turn
    >>> picked = Query("q") + Turn(picture="a") + Turn(picture="b", shown=("b", "c"))
    >>> chosen_pictures(picked + Turn(liked=("d",)))
    ['b', 'd']
    """
    named = [
        id
        for turn in query.turns
        for id in ((turn.picture,) if turn.picture in turn.shown else ()) + turn.liked
        if id
    ]
    return list(dict.fromkeys(named))


def vocabulary_of(encoder: Encoder) -> Vocabulary:
    """Phrases that the encoder knows: colours, places, and a thousand things; encoded once and kept."""
    if encoder.fingerprint in _KEPT:
        return _KEPT[encoder.fingerprint]
    words = (*(f"in {colour}" for colour in _COLOURS), *_AROUND, *(one.names[0] for one in classes()))
    try:
        name = f"phrases-{combined(encoder.fingerprint, *words)}"
        rows = kept_array(name, lambda: np.asarray(encoder.texts(words)))
    except WeightsError:
        # A home that nothing can be written to costs a moment, not the search.
        rows = encoder.texts(words)
    _KEPT.clear()
    _KEPT[encoder.fingerprint] = Vocabulary(words, rows).only(known_to(encoder, rows) >= _KNOWN)
    return _KEPT[encoder.fingerprint]
