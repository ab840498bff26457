"""Captions as papers count them, beyond the nine aspects: comparing or direct, parts of bodies, colours."""

import re
from typing import Literal

from circlet.language.lexicon import BODY_PARTS, COLOURS, RARE_COLOURS, any_of, comparatives

Manner = Literal["direct", "comparing", "both"]
_COMPARING = re.compile(
    r"\b(?:same|different\w*|similar\w*|instead|rather|opposite|unlike|like|another|other|only|just|chang\w+|"
    r"replac\w+|swap\w*|switch\w*|turn(?:ed|s)? into|zoom(?:ed)? (?:in|out))\b",
    re.IGNORECASE,
)
PARTS = re.compile(r"\b(?:and|but)\b|[,;.]", re.IGNORECASE)


def compares(text: str) -> bool:
    """Whether a caption sets one picture against the other in any way: "same", "another", "only", "bigger".

    Wider than the aspect of comparative statements, which CIRCO's annotators give to comparative forms
    alone.

    >>> compares("the same dog, but at night"), compares("a dog at night")
    (True, False)
    """
    return bool(_COMPARING.search(text) or comparatives(text))


def manner(text: str) -> Manner:
    """Which of three kinds a caption is: every part says what is there, every part compares, or both.

    >>> manner("is red and has a bow"), manner("is longer and darker"), manner("is red and longer")
    ('direct', 'comparing', 'both')
    """
    comparing = [compares(part) for part in PARTS.split(text) if part.strip()]
    return "direct" if not any(comparing) else "comparing" if all(comparing) else "both"


def names_body_part(text: str) -> bool:
    """Whether a text names a part of a body, of people or of animals.

    >>> names_body_part("both feet on the ground"), names_body_part("a red car")
    (True, False)
    """
    return any_of(*BODY_PARTS, *(f"{part}s" for part in BODY_PARTS)).search(text) is not None


def names_colour(text: str) -> bool:
    """Whether a text names a colour.

    >>> names_colour("a crimson car"), names_colour("a fast car")
    (True, False)
    """
    return any_of(*COLOURS, *RARE_COLOURS).search(text) is not None
