"""What a statement is about, told by its words: time, view, colour, size, place."""

import re
from functools import lru_cache

from circlet.language.edits import EditKind
from circlet.language.lexicon import (
    BACKGROUNDS,
    COLOURS,
    MOVES,
    PLACES,
    SHADES,
    SIZES,
    TIMES,
    VIEWS,
    any_of,
    comparative_forms,
    comparatives,
)

# What a change is about, by the words in it; the first topic that speaks up has it.
# The last column marks details: in a longer description, "on a white plate" is about a plate.
TOPICS: tuple[tuple[EditKind, tuple[str, ...], bool], ...] = (
    ("background", BACKGROUNDS, False),
    ("move", ("facing", "face", "faces", "looking"), False),
    ("view", VIEWS, False),
    ("time", TIMES, False),
    ("colour", ("color", "colour", "colored", "coloured", "colors", "colours", "black and white"), False),
    ("colour", (*COLOURS, "darker", "lighter", "brighter"), True),
    ("size", SIZES, True),
    ("move", (*MOVES, *PLACES), False),
)
_DETAIL_WORDS = 4
_SHADES = {
    *COLOURS,
    *SHADES,
    "a",
    "an",
    "the",
    "and",
    "or",
    "one",
    "ones",
    "color",
    "colour",
    "colors",
    "colours",
}
_COMPARED = re.compile(r"\b(?:colou?r(?:s|ed)?|same|different|similar)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def topic(text: str) -> EditKind | None:
    """What a clause is about, where its words say so.

    >>> topic("with a plain backdrop"), topic("at night"), topic("a dog")
    ('background', 'time', None)
    """
    short = len(text.split()) <= _DETAIL_WORDS
    return next(
        (kind for kind, words, detail in TOPICS if (short or not detail) and any_of(*words).search(text)),
        None,
    )


def shade(text: str) -> bool:
    """Whether a text names a colour and no thing.

    >>> shade("a bright red"), shade("lighter"), shade("a red car")
    (True, True, False)
    """
    return all(word in _SHADES or word in comparative_forms() for word in text.lower().split())


def overall(text: str) -> bool:
    """Whether a text speaks of the whole picture: its light, view, background, or how it differs.

    >>> overall("a closer view"), overall("a red hat")
    (True, False)
    """
    whole = topic(text) in ("background", "view", "time")
    return whole or bool(_COMPARED.search(text)) or bool(comparatives(text))
