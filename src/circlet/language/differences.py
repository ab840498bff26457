"""What leads from one description to another, as instructions: by rule, without a language model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from circlet.language.aspects import Aspect
from circlet.language.edits import Edit
from circlet.language.lexicon import COLOURS, any_of

# Where a thing stands is not told: left and right mean little in a search.
_PLACES = re.compile(
    r"\s*\b(?:on|in|to|at) the (?:left|right|middle|centre|center)\b(?: side)?", re.IGNORECASE
)
_PARTS = re.compile(
    r"\s*[,;.]\s*(?:and\s+)?|\s+and\s+|\s+with\s+|\s+(?=(?:at (?:night|dawn|sunset|noon)|"
    r"in the (?:rain|snow|fog)|in falling snow|in daylight|under an? \w+ sky)\b)",
    re.IGNORECASE,
)
_NUMBERS = (
    "an?",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "several",
    "many",
)
_COUNT = re.compile(rf"^(?:{'|'.join(_NUMBERS)}|\d+)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|some)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Instruction:
    """One change as an imperative sentence, with what it brings and the semantic aspect that it is of."""

    text: str
    brings: str
    aspect: Aspect


@dataclass(frozen=True)
class _Part:
    """A phrase of a description: how many, and of which thing."""

    words: str

    @property
    def backdrop(self) -> bool:
        return Edit("describe", text=self.words).circumstance

    @property
    def count(self) -> str:
        found = _COUNT.match(self.words)
        word = found[0].strip().lower() if found else ""
        return "one" if word in ("a", "an") else word

    @property
    def thing(self) -> str:
        """The thing as it is described, without its number."""
        return _COUNT.sub("", _ARTICLE.sub("", self.words)).lower()

    @property
    def kind(self) -> str:
        """The thing itself: its last word, singular, without a colour."""
        words = any_of(*COLOURS).sub("", self.thing).split() or self.thing.split()
        last = words[-1] if words else ""
        return last[:-1] if last.endswith("s") and not last.endswith("ss") else last


def instructions(before: str, after: str) -> list[Instruction]:
    """Everything that changes one description into another, the backdrop first.

    >>> for one in instructions("two red cars, a dog on the left, in a park", "three red cars, at a beach"):
    ...     print(one.text, "|", one.aspect)
    Set the scene at a beach | spatial_relations_background
    Show three red cars instead of two | cardinality
    Remove the dog | negation
    """
    old, new = _parts(before), _parts(after)
    told = [
        Instruction(f"Set the scene {part.words}", part.words, Aspect.SPATIAL_RELATIONS_BACKGROUND)
        for part in new
        if part.backdrop and part.words.lower() not in {one.words.lower() for one in old}
    ]
    was = {part.kind: part for part in old if not part.backdrop}
    now = {part.kind: part for part in new if not part.backdrop}
    gone = [part for kind, part in was.items() if kind not in now]
    for kind, part in now.items():
        if kind in was:
            told += _altered(was[kind], part)
        elif gone:
            text = f"Replace the {gone.pop(0).thing} with {part.words}"
            told.append(Instruction(text, part.words, Aspect.COMPARE_CHANGE))
        else:
            told.append(Instruction(f"Add {part.words}", part.words, Aspect.ADDITION))
    return told + [
        Instruction(f"Remove the {part.thing}", f"no {part.thing}", Aspect.NEGATION) for part in gone
    ]


def _altered(was: _Part, now: _Part) -> list[Instruction]:
    """What changed about a thing that stayed."""
    told = []
    if was.count and now.count and was.count != now.count:
        text = f"Show {now.words} instead of {was.count}"
        told.append(Instruction(text, now.words, Aspect.CARDINALITY))
    elif was.thing != now.thing:
        told.append(Instruction(f"Turn the {was.thing} into {now.words}", now.words, Aspect.COMPARE_CHANGE))
    return told


def _parts(description: str) -> list[_Part]:
    plain = _PLACES.sub("", description).strip(" .,;")
    return [_Part(words) for words in dict.fromkeys(_PARTS.split(plain)) if words and words.strip()]


def difference(before: str, after: str, said: Sequence[str] = ()) -> str:
    """One imperative sentence that leads from one description to the other and was not said yet.

    Where everything was said, the first is said again; where nothing differs, nothing is.

    >>> difference("a red car", "a blue car, at night")
    'Set the scene at night'
    >>> difference("a red car", "a blue car, at night", said=["Set the scene at night"])
    'Turn the red car into a blue car'
    """
    told = instructions(before, after)
    heard = " ".join(said).lower()
    new = [one for one in told if one.brings.lower() not in heard and one.text not in said]
    return next((one.text for one in (*new, *told)), "")
