"""From requirements to words: many wordings, some of which only validation and testing ever see."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.settings import setting
from circlet.data.tableaux.world.truth import Need
from circlet.language import Aspect

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
AT = {"left": "on the left", "middle": "in the middle", "right": "on the right"}
TO = {"left": "to the left", "middle": "to the middle", "right": "to the right"}
TIME = {"dawn": "at dawn", "day": "in daylight", "sunset": "at sunset", "night": "at night"}
DUSK = {"dawn": "dawn", "day": "daytime", "sunset": "sunset", "night": "night"}
WEATHER = {
    "clear": "under a clear sky",
    "cloudy": "under a cloudy sky",
    "rain": "in the rain",
    "snow": "in falling snow",
    "fog": "in the fog",
}
MOOD = {"clear": "clear", "cloudy": "cloudy", "rain": "rainy", "snow": "snowy", "fog": "foggy"}


@dataclass(frozen=True)
class Wording:
    """One way to ask for one thing, and the split that may use it."""

    about: str
    split: str
    words: str


@cache
def wordings(about: str, split: str) -> tuple[Wording, ...]:
    """Every way to say this in this split."""
    return tuple(each for each in every_wording() if (each.about, each.split) == (about, split))


@cache
def every_wording() -> tuple[Wording, ...]:
    """The whole table of wordings."""
    table = files("circlet.data.tableaux.world").joinpath("wordings.tsv").read_text(encoding="utf-8")
    return tuple(Wording(*line.split("\t")) for line in table.splitlines() if not line.startswith("#"))


@dataclass(frozen=True)
class Sentence:
    """A text, the needs it states, and its skeleton: the wordings it is made of, without the things."""

    text: str
    needs: tuple[Need, ...]
    skeleton: str


def counted(count: int, noun: str, colour: str = "") -> str:
    """So many of something, as a noun phrase.

    >>> counted(1, "elephant"), counted(1, "car", "orange"), counted(3, "cars", "red")
    ('an elephant', 'an orange car', 'three red cars')
    """
    described = f"{colour} {noun}" if colour else noun
    return f"{article(described)} {described}" if count == 1 else f"{NUMBERS[count]} {described}"


def article(word: str) -> str:
    """The article that a word takes."""
    return "an" if word[0] in "aeiou" else "a"


def place_of(name: str) -> str:
    """A setting as a noun phrase.

    >>> place_of("sea floor")
    'the bottom of the sea'
    """
    return setting(name).where.split(" ", 1)[1]


def say(needs: Sequence[Need], reference: Scene, rng: random.Random, split: str) -> Sentence:
    """A text of this split that states these needs, in this order."""
    clauses, skeletons = [], []
    for need in needs:
        wording = rng.choice(_usable(need, split))
        clauses.append(filled(wording.words, need, reference))
        skeletons.append(wording.words)
    joins = [each.words for each in wordings("join", split)]
    text, skeleton = clauses[0], skeletons[0]
    for clause, plan in zip(clauses[1:], skeletons[1:], strict=True):
        join = rng.choice(joins)
        text, skeleton = text + join + clause, skeleton + join + plan
    if len(needs) > 1 and rng.random() < 0.3:
        opening = rng.choice(wordings("opening", split)).words
        text, skeleton = opening + text, opening + skeleton
    if rng.random() < (0.35 if len(needs) < 3 else 0.75):
        text = ". ".join(part[0].upper() + part[1:] for part in text.split(". ")) + "."
    return Sentence(text, tuple(needs), skeleton)


def _usable(need: Need, split: str) -> list[Wording]:
    """The wordings of a need; those that name a place are for needs that do."""
    return [each for each in wordings(need.about, split) if need.column or "{at} of" not in each.words]


def filled(words: str, need: Need, reference: Scene) -> str:
    """The words with the scene's things in their slots."""
    if need.about == "add" and not need.column:
        words = words.replace(" {at}", "")
    number = need.count or reference.count(need.kind) or 1
    slots = _slots(need, reference, number)
    words = re.sub(r"<([^/>]*)/([^>]*)>", lambda match: match[1] if number == 1 else match[2], words)
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], words)


def _slots(need: Need, reference: Scene, number: int) -> dict[str, str]:
    slots = {"word": need.value, "colour": need.value, "side": need.value}
    slots |= {"hair": need.value, "tone": need.value}
    if need.kind:
        of = kind(need.kind)
        noun = of.named(number)
        slots |= {
            "the": f"the {noun}",
            "noun": noun,
            "one": of.name,
            "nouns": of.plural,
            "number": NUMBERS[number],
            "thing": counted(number, noun, need.colour),
            "acolour": f"{article(need.value)} {need.value}" if number == 1 and need.value else need.value,
        }
    if need.other:
        was = f"the {kind(need.other).named(reference.count(need.other) or 1)}"
        slots |= {"old": was, "other": was}
    column = need.column or need.value
    if column in AT:
        slots |= {"at": AT[column], "to": TO[column]}
    if need.about == "setting":
        slots |= {"where": setting(need.value).where, "place": place_of(need.value)}
    elif need.about == "time":
        slots |= {"time": TIME[need.value], "dusk": DUSK[need.value]}
    elif need.about == "weather":
        slots |= {"weather": WEATHER[need.value], "mood": MOOD[need.value]}
    return slots


def caption(scene: Scene) -> str:
    """The whole scene in one sentence.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> caption(Scene(setting="beach", things=(Thing(kind="crab", count=3, column="left"),), time="sunset"))
    'three crabs on the left, on a beach at sunset'
    """
    parts = []
    for thing in scene.things:
        phrase = counted(thing.count, thing.of.named(thing.count), thing.colour if not thing.tone else "")
        parts.append(f"{phrase} {AT[thing.column]}")
    light = "" if scene.time == "day" else f" {TIME[scene.time]}"
    weather = "" if scene.weather == "clear" else f" {WEATHER[scene.weather]}"
    return f"{', '.join(parts)}, {setting(scene.setting).where}{light}{weather}"


# The nine semantic aspects of CIRR's analysis (paper's table 1), read off the needs and the words.
_BY_NEED: dict[Aspect, set[str]] = {
    Aspect.CARDINALITY: {"count", "more", "fewer"},
    Aspect.ADDITION: {"add", "sign"},
    Aspect.NEGATION: {"remove", "no sign"},
    Aspect.COMPARE_CHANGE: {"replace", "colour", "shirt", "hair", "tone"},
    Aspect.COMPARATIVE_STATEMENT: {"more", "fewer", "larger", "smaller"},
    Aspect.SPATIAL_RELATIONS_BACKGROUND: {
        "column", "front", "back", "facing", "left of", "setting", "time", "weather",
    },
    Aspect.VIEWPOINT: {"closer", "wider"},
}  # fmt: skip
_BY_WORDS = {
    Aspect.DIRECT_ADDRESSING: r"\b(show|i want|has|have|with|there (is|are)|we (see|need))\b",
    Aspect.COMPARE_CHANGE: r"\b(same|instead|rather|swap|change|turn|replace|become)\b",
    Aspect.COMPARATIVE_STATEMENT: (
        r"\b(more|fewer|larger|bigger|smaller|closer|nearer|further|farther|wider|than)\b"
    ),
    Aspect.NEGATION: r"\b(no|not|without|nowhere)\b",
}


def aspects(sentence: Sentence) -> tuple[Aspect, ...]:
    """Which of the nine semantic aspects a text touches, in the order of the paper's table."""
    found = {
        name for name, abouts in _BY_NEED.items() if any(need.about in abouts for need in sentence.needs)
    }
    found |= {name for name, words in _BY_WORDS.items() if re.search(words, sentence.text.lower())}
    if any(need.about in ("add", "replace") and need.count > 1 for need in sentence.needs):
        found.add(Aspect.CARDINALITY)
    if any(need.about == "add" and need.column for need in sentence.needs):
        found.add(Aspect.SPATIAL_RELATIONS_BACKGROUND)
    if len(sentence.needs) > 1:
        found.add(Aspect.STATEMENT_WITH_CONJUNCTION)
    return tuple(aspect for aspect in Aspect if aspect in found)
