"""Facts about one picture of ten in words: the wordings of each split, and how their slots are filled."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from circlet.data.tableaux.tasks.frame_truths import COLOURS
from circlet.data.tableaux.world.kinds import kind, kinds
from circlet.data.tableaux.world.scene import COLUMNS, FACINGS
from circlet.data.tableaux.world.settings import setting, settings
from circlet.data.tableaux.world.words import AT, DUSK, MOOD, NUMBERS, TIME, WEATHER
from circlet.language.frame_facts import FrameFact

# What is said of a thing or of a picture that is no fact of any kind.
NOTHING = "nothing"
# How often a lesson calls its thing "it", and how often it comes after words about something else.
_AGAIN, _ELSE = 0.35, 0.3
_SIDED = ("beside", "cut", "edge", "facing", "turned")


@cache
def every_wording(table: str = "frames.tsv") -> tuple[tuple[str, str, str], ...]:
    """A table of wordings: what is said, whose wording it is, and the words."""
    text = files("circlet.data.tableaux.tasks").joinpath(table).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return tuple((about, whose, words) for about, whose, words in rows)


@cache
def wordings(about: str, split: str) -> tuple[str, ...]:
    """Every way to say this in a split."""
    return tuple(words for subject, whose, words in every_wording() if (subject, whose) == (about, split))


def filled(words: str, fact: FrameFact, *, many: bool, others: bool) -> tuple[str, str]:
    """A wording with its slots filled, and the words for the thing that it is about.

    >>> filled("the {noun} <is/are> to the {side} of the {other}",
    ...        FrameFact("beside", "dog", other="house", value="left"), many=True, others=False)
    ('the dogs are to the left of the house', 'the dogs')
    """
    slots = {"number": NUMBERS[fact.count], "colour": fact.value, "side": fact.value}
    subject = ""
    if fact.kind:
        of = kind(fact.kind)
        slots |= {"noun": of.named(2 if many else 1), "nouns": of.plural, "one": of.name}
        subject = f"the {slots['noun']}"
    if fact.other:
        slots["other"] = kind(fact.other).named(2 if others else 1)
    if fact.about == "column":
        slots["at"] = AT[fact.value]
    elif fact.about == "setting":
        slots["where"] = setting(fact.value).where
    elif fact.about == "time":
        slots |= {"time": TIME[fact.value], "dusk": DUSK[fact.value]}
    elif fact.about == "weather":
        slots |= {"weather": WEATHER[fact.value], "mood": MOOD[fact.value]}
    words = re.sub(r"<<([^/>]*)/([^>]*)>>", lambda match: match[2] if others else match[1], words)
    words = re.sub(r"<([^/>]*)/([^>]*)>", lambda match: match[2] if many else match[1], words)
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], words), subject


def spoken_again(said: str, subject: str, many: bool) -> str:
    """The words with "it" or "they" in the place of the thing; empty where they have no place for that.

    >>> spoken_again("half of the dog is showing", "the dog", False)
    'half of it is showing'
    """
    at = re.search(rf"(^|\b(?:of|see|find|notice|behind) ){re.escape(subject)}\b", said) if subject else None
    if at is None:
        return ""
    pronoun = ("them" if at[1] else "they") if many else "it"
    return said[: at.start()] + at[1] + pronoun + said[at.end() :]


class Lesson(NamedTuple):
    """A clause, the thing that was spoken of before it, and the fact that it states (None: nothing)."""

    words: str
    last: str
    fact: FrameFact | None


def frame_lessons(whose: Sequence[str], each: int, seed: int = 0) -> Iterator[Lesson]:
    """Clauses to learn hearing from: so many of each wording of `frame_lessons.tsv`, and of those of train.

    `whose` are the writers of the table whose wordings are taken, or splits of the frames' own.
    """
    for about, writer, words in (*every_wording("frame_lessons.tsv"), *every_wording()):
        if writer in whose:
            chance = random.Random(f"lesson {seed} {about} {words}")
            yield from (_lesson(about, words, chance) for _ in range(each))


def _lesson(about: str, words: str, chance: random.Random) -> Lesson:
    thing, other, another = chance.sample(tuple(kinds()), 3)
    counted = about in ("count", "arrived", "left")
    count = chance.randint(1, 5) if counted else chance.choice((1, 1, 1, 2, 3))
    values = {
        "column": COLUMNS,
        "colour": COLOURS,
        "setting": tuple(settings()),
        "time": tuple(TIME),
        "weather": tuple(WEATHER),
    }
    able = values.get(about, FACINGS if about in _SIDED else ("",))
    fact = FrameFact(
        about,
        thing if re.search(r"\{(noun|nouns|one)\}", words) else "",
        other if "{other}" in words else "",
        chance.choice(able),
        count if counted else 1,
    )
    said, subject = filled(words, fact, many=count > 1, others=chance.random() < 0.25)
    again = spoken_again(said, subject, count > 1)
    manner = chance.random()
    last = thing if again and manner < _AGAIN else another if manner > 1 - _ELSE else ""
    said = again if last == thing else said
    return Lesson(said[0].upper() + said[1:], last, None if about == NOTHING else fact)
