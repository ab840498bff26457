"""A text as rules read it: contractions spelled out, plain quotes, single spaces, lines kept apart."""

import re
from functools import cache

_SPELLED = (
    (r"[‘’`´]", "'"),
    (r"[“”]", '"'),
    # Slips of the hand in the little words that everything hangs on.
    (r"\b(?:w/o|wi?h?tho?u?t|witout|wihtout|withou|whithout|withouth|withought)\b", "without"),
    (r"\b(?:insted|instaed|intead|inteas|istead|instad)\b", "instead"),
    (r"\b(?:remvoe|reomve|removve|rmove|remov)\b", "remove"),
    (r"\b(?:repalce|replce|relpace|replase)\b", "replace"),
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\bcannot\b", "can not"),
    (r"\b(i|you|he|she|it|we|they)'d\b", r"\1 would"),
    (r"\b(i|you|we|they)'ve\b", r"\1 have"),
    (r"\bi'm\b", "i am"),
    (r"\blet's\b", "let us"),
    (r"\b(it|he|she|that|there)'s\b", r"\1 is"),
    (r"\b(they|we|you)'re\b", r"\1 are"),
    # "A car-free street" is a street without a car.
    (r"\b([a-z]{3,30})-free\b(?! (?:of|from)\b)(?: ([a-z]+))?", r"\2 without \1"),
    (r"\bnon-([a-z]+) ([a-z]+)", r"\2 not \1"),
    (r"[^\S\n]+", " "),
    (r" ?\n\s*", "\n"),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), into) for pattern, into in _SPELLED)


def plain(text: str) -> str:
    """The text with contractions spelled out, plain quotes and single spaces.

    >>> plain("There’s a dog  that doesn't bark"), plain("a car-free street")
    ('There is a dog that does not bark', 'a street without car')
    """
    for pattern, into in _patterns():
        text = pattern.sub(into, text)
    return text.strip()
