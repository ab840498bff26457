"""Methods that learned nothing from triplets, over the tableaux world's own encoder."""

from collections.abc import Sequence

import numpy as np

from circlet.core import Encoder, Method, Pictures, Vectors
from circlet.data.tableaux.world.kinds import kinds
from circlet.data.tableaux.world.settings import TIMES, settings
from circlet.data.tableaux.world.words import TIME, counted
from circlet.models import load_method
from circlet.models.composers.caption import Caption, Describe

# A second thing is named when it is nearly as near as the first.
_NEARLY = 0.9


def zero_shot(name: str, encoder: Encoder) -> Method:
    """An untrained method by name; `caption` (CIReVL) describes pictures in the world's own words."""
    if name == "caption":
        return Caption(encoder, describe=in_the_worlds_words(encoder))
    return load_method(name, encoder)


def in_the_worlds_words(encoder: Encoder) -> Describe:
    """A describer that names the nearest one or two kinds of things, the setting and the time."""
    things = [counted(1, name) for name in kinds()]
    places = [place.where for place in settings().values()]
    times = [TIME[time] for time in TIMES]
    rows = [encoder.texts(words) for words in (things, places, times)]

    def one(scores: Sequence[Vectors]) -> str:
        first, second = np.argsort(-scores[0])[:2]
        named = [things[first]] + [things[second]] * bool(scores[0][second] >= _NEARLY * scores[0][first])
        return f"{', '.join(named)}, {places[scores[1].argmax()]} {times[scores[2].argmax()]}"

    def describe(ids: Sequence[str], pictures: Pictures) -> list[str]:
        vectors = pictures.vectors_of(ids)
        return [one(scores) for scores in zip(*(vectors @ words.T for words in rows), strict=True)]

    return describe
