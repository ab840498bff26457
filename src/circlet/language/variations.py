"""Texts that differ from a text in one fact: what a picture of it must not be taken for."""

import random
import re
from functools import cache

from circlet.language.lexicon import any_of

# Words that take each other's place; one of them said of a picture rules out the others.
_RIVALS: tuple[tuple[str, ...], ...] = (
    ("one", "two", "three", "four", "five", "six"),
    ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey"),
    ("left", "right", "middle"),
    ("top", "bottom"),
    ("above", "below"),
    ("in front of", "behind"),
    ("inside", "outside"),
    ("indoors", "outdoors"),
    ("day", "night", "dawn", "sunset"),
    ("sunny", "cloudy", "rainy", "snowy", "foggy"),
    ("summer", "winter", "spring", "autumn"),
    ("small", "large"),
    ("short", "long"),
    ("young", "old"),
    ("open", "closed"),
    ("empty", "full"),
    ("with", "without"),
)


@cache
def _rivals() -> dict[str, tuple[str, ...]]:
    return {word: tuple(other for other in row if other != word) for row in _RIVALS for word in row}


def variation(text: str, chance: random.Random) -> str | None:
    """The text with one fact changed: a number, a colour, a place, a time, with or without.

    None where it has no fact that could be another.

    >>> variation("two boats", random.Random(0))
    'five boats'
    >>> variation("a cup without a handle", random.Random(0)), variation("a cup", random.Random(0))
    ('a cup with a handle', None)
    """
    found = list(any_of(*_rivals()).finditer(text))
    if not found:
        return None
    at = chance.choice(found)
    return swapped(text, at.span(), chance.choice(_rivals()[at[0].lower()]))


def swapped(text: str, span: tuple[int, int], new: str) -> str:
    """The text with other words in one place, and the articles that they want.

    >>> swapped("a red car", (2, 5), "orange")
    'an orange car'
    """
    return _articles(text[: span[0]] + new + text[span[1] :])


_ARTICLE = re.compile(r"\b(an?) (?=(\w))", re.IGNORECASE)


def _articles(text: str) -> str:
    """The text with "a" and "an" as the word behind them wants."""

    def right(match: re.Match[str]) -> str:
        wanted = "an" if match[2].lower() in "aeiou" else "a"
        return f"{wanted.capitalize() if match[1][0].isupper() else wanted} "

    return _ARTICLE.sub(right, text)
