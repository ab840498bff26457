"""What could be said next about a search: phrases checked in its leading candidates."""

import numpy as np

from circlet.collection.asked import Asked
from circlet.core import Encoder, Query, Vectors, WeightsError
from circlet.dialogue.suggest import Suggestion, suggest
from circlet.models.artefacts import combined, kept_array
from circlet.models.encoders.base import known_to
from circlet.models.encoders.classes import classes
from circlet.models.scorers.checked import finder
from circlet.models.standards import standards_of

# So many candidates lead; a phrase so many deviations above the gallery's mean holds as likely as not.
_LEADING = 30
_EVEN, _STEEP = 1.6, 2.5
_KNOWN = 0.5
_COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey")
_AROUND = (
    "at night", "in the snow", "on a beach", "in the water", "in the grass", "in the city", "indoors",
    "in the mountains", "in the forest", "under a blue sky", "with people",
)  # fmt: skip
# The last encoder's phrases, and their vectors.
_KEPT: dict[str, tuple[tuple[str, ...], Vectors]] = {}


def suggestions(asked: Asked, encoder: Encoder) -> list[Suggestion]:
    """What would tell the leading candidates apart, and what the picked and liked ones share.

    None where nothing is known of the words, or where nothing would help much.
    """
    here = standards_of(asked.pictures)
    ranking = asked.best(_LEADING, finder(asked.method))
    if here is None or len(ranking) < 3:
        return []
    words, rows = vocabulary(encoder)
    if not words:
        return []
    # How sure the search is already, where it says; else all that lead are alike.
    scores = np.asarray(ranking.scores, np.float64)
    belief = np.exp(scores - scores.max()) if finder(asked.method).believes else np.ones(len(scores))
    chosen = chosen_pictures(asked.query)
    held = _likely(here.scores(rows, asked.pictures.vectors_of(ranking.ids)))
    picked = _likely(here.scores(rows, asked.pictures.vectors_of(chosen))) if chosen else None
    said = [text for turn in asked.query.turns for text in (turn.text, *turn.without)]
    return suggest(belief / belief.sum(), held, words, chosen=picked, said=said)


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


def vocabulary(encoder: Encoder) -> tuple[tuple[str, ...], Vectors]:
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
    known = known_to(encoder, rows) >= _KNOWN
    _KEPT.clear()
    _KEPT[encoder.fingerprint] = (
        tuple(word for word, yes in zip(words, known, strict=True) if yes),
        rows[known],
    )
    return _KEPT[encoder.fingerprint]


def _likely(deviations: Vectors) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return 1 / (1 + np.exp(_STEEP * (_EVEN - deviations.astype(np.float64))))
