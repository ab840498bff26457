"""Noun phrases: without their articles, taken apart, and whether one speaks of another."""

import re
from functools import lru_cache

from circlet.language.lexicon import COLOURS, any_of
from circlet.language.patterns import ready

_DETERMINERS = "((the|an?|any|all|some|of|its|his|her|my|your|our|their|those|these|this|that|every|most) )+"
_TAIL = (
    "(,? (in|from|of|out of|into) [the |this ]({picture}|view|it))+$|,? (at all|any ?more|anywhere|please)$"
)
_LITTLE = (
    "((in|on|at|to|by|for|with|from|of|as|into|onto|it|they|them|he|she|him|be|been|being|have|has|had|"
    "only|just|so|"
    "very|too|also|more|less|any|and|or|but|than|when|what|which|who|there|is|are|was|making|showing|"
    "the|an?|its|his|"
    "her|their|all|some|this|that|not|no|while|over|most|does|do) )+(?=\\S)"
)
# What joins the parts of a description; a part that goes takes its joint along.
_JOINTS = re.compile(
    r"(\s*[,;.]\s+(?:and )?|\s+(?:with|and|on|in|at|near|behind|under|over|beside|next to|wearing|holding|"
    r"carrying|in front of|surrounded by)\s+)",
    re.IGNORECASE,
)

_LIST = re.compile(r"(\s*,\s*(?:and |or )?|\s+(?:and|or|nor)\s+)")
_SAYINGS = re.compile(r"(\s*[,;.]\s*|\s+(?:and|but)\s+)")

# A description is taken apart into (joint, part) pairs; the first joint is empty.
Parts = list[tuple[str, str]]


def split(text: str, joints: re.Pattern[str]) -> Parts:
    """A text cut at its joints, except between two colours of one thing.

    >>> split("a black and white dog and a cat", _LIST)
    [('', 'a black and white dog'), (' and ', 'a cat')]
    """
    pieces = joints.split(text)
    parts: Parts = []
    for joint, piece in zip(["", *pieces[1::2]], pieces[0::2], strict=True):
        if parts and _is_colour(parts[-1][1].split()[-1:]) and _is_colour(tidy(piece).split()[:1]):
            parts[-1] = (parts[-1][0], parts[-1][1] + joint + piece)
        elif piece:
            parts.append((joint, piece))
    return parts


def _is_colour(words: list[str]) -> bool:
    return bool(words) and any_of(*COLOURS).fullmatch(words[0]) is not None


def phrases(text: str) -> tuple[str, ...]:
    """The pieces of what somebody said that can be weighed one by one, each once.

    >>> phrases("at night, with a black and white dog and two people")
    ('at night', 'with a black and white dog', 'two people')
    """
    return tuple(dict.fromkeys(part for _, part in split(text.strip(" ,;."), _SAYINGS)))


def items(phrase: str) -> list[str]:
    """The items of a list, without articles; a phrase that lists nothing is one.

    >>> items("water, the trees and log"), items("black and white dog")
    (['water', 'trees', 'log'], ['black and white dog'])
    """
    return [item for item in (tidy(part) for _, part in split(phrase, _LIST)) if item] or [phrase]


def tidy(phrase: str) -> str:
    """A phrase without its article and without "in the picture".

    >>> tidy("the people in the photo."), tidy("A dog")
    ('people', 'dog')
    """
    phrase = ready(_TAIL).sub("", phrase.strip(" ,.;:\"'"))
    return without_start(_DETERMINERS, phrase)


def bare(thing: str) -> str:
    """A thing to be taken away without the little words that lead to it.

    >>> bare("on the grass"), bare("it in a cage"), bare("in")
    ('grass', 'cage', 'in')
    """
    return without_start(_LITTLE, tidy(thing))


def without_start(pattern: str, phrase: str) -> str:
    """A phrase less what a pattern (see `patterns`) finds at its start."""
    start = ready(pattern).match(phrase)
    return phrase[start.end() :].strip() if start else phrase.strip()


def apart(description: str) -> Parts:
    """A description in parts; "black and white dog" is one.

    >>> apart("a black and white dog on grass")
    [('', 'a black and white dog'), (' on ', 'grass')]
    """
    return split(description.strip(" .,"), _JOINTS)


def together(parts: Parts) -> str:
    """The parts as one description again.

    >>> together([(" on ", "grass"), (", ", "at night")])
    'grass, at night'
    """
    return "".join(joint + part if place else part for place, (joint, part) in enumerate(parts))


def about(phrase: str, thing: str) -> bool:
    """Whether a phrase speaks of a thing: the thing's last word, in singular or plural, is in it.

    >>> about("two red balls", "the ball"), about("football", "ball")
    (True, False)
    """
    last = _last_word(thing)
    return bool(last) and _roots(last) <= _roots(phrase)


@lru_cache(maxsize=4096)
def _last_word(thing: str) -> str:
    return (tidy(thing).split() or [""])[-1]


@lru_cache(maxsize=4096)
def _roots(phrase: str) -> frozenset[str]:
    """The words of a phrase with plurals cut and articles left out."""
    words = re.findall(r"[\w'-]+", tidy(phrase).lower())
    return frozenset(word if word.endswith("ss") else word.removesuffix("s") for word in words)
