"""`tableaux:frames`: ten pictures that differ in little, and a description that is true of one.

Facts about the frames are measured on their layouts; a description joins one to three facts that
together hold for exactly one of the ten, so it is right by construction.
"""

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.tableaux.tasks.films import Film, static_facts, video_facts
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.settings import setting
from circlet.data.tableaux.world.words import AT, DUSK, MOOD, NUMBERS, TIME, WEATHER

SET_SIZE = 10
TARGETS = 3
# What each fact calls upon, in the terms of ImageCoDe's table 2.
PHENOMENA = {
    "count": ("quantities",),
    "none": ("negation", "quantities"),
    "column": ("spatial relations",),
    "time": ("meta properties",),
    "dark": ("meta properties",),
    "hidden": ("visibility", "negation"),
    "partly": ("visibility", "gradable"),
    "clear": ("visibility", "negation"),
    "cut": ("visibility", "spatial relations"),
    "before": ("spatial relations", "temporal"),
    "after": ("spatial relations", "temporal"),
    "most left": ("context", "spatial relations"),
    "most right": ("context", "spatial relations"),
    "just arrived": ("temporal", "quantities"),
    "just left": ("temporal", "quantities"),
    "soon hidden": ("temporal", "visibility"),
    "just shown": ("temporal", "visibility"),
    "biggest": ("context", "gradable"),
    "smallest": ("context", "gradable"),
    "large": ("gradable",),
    "small": ("gradable",),
    "highest": ("context", "spatial relations"),
    "lowest": ("context", "spatial relations"),
    "high": ("gradable", "spatial relations"),
    "low": ("gradable", "spatial relations"),
}


@dataclass(frozen=True)
class Fact:
    """Something that words can say and that is true of some of the ten frames."""

    about: str
    true_of: frozenset[int]
    kind: str = ""
    count: int = 1
    other: str = ""
    other_count: int = 1
    value: str = ""


@dataclass(frozen=True)
class Description:
    """A text that is true of one frame of ten, with the phenomena it calls upon."""

    place: int
    text: str
    tags: tuple[str, ...]
    facts: tuple[Fact, ...]
    skeleton: str


def facts_of(film: Film) -> list[Fact]:
    """Every fact about a film's frames that is true of some and not of all."""
    listed = video_facts(film) if film.mover else static_facts(film)
    facts = [Fact(**fields) for fields in listed]
    return [fact for fact in facts if 0 < len(fact.true_of) < SET_SIZE]


def describe(film: Film, place: int, rng: random.Random, split: str) -> Description | None:
    """Words for one frame; None when no three facts tell it from the others."""
    true = [fact for fact in facts_of(film) if place in fact.true_of]
    rng.shuffle(true)
    for size in rng.choice(((1, 2, 3), (2, 3, 1), (2, 1, 3))):
        for facts in itertools.combinations(true[:14], size):
            together = frozenset.intersection(*(fact.true_of for fact in facts))
            # Every fact must help: none of the others may do without it.
            if together == {place} and _needed(facts):
                return _told(facts, place, rng, split)
    return None


def _needed(facts: Sequence[Fact]) -> bool:
    for left_out in facts if len(facts) > 1 else ():
        rest = [fact.true_of for fact in facts if fact is not left_out]
        if len(frozenset.intersection(*rest)) == 1:
            return False
    return True


@cache
def _wordings(about: str, split: str) -> tuple[str, ...]:
    table = files("circlet.data.tableaux.tasks").joinpath("frames.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return tuple(words for subject, whose, words in rows if (subject, whose) == (about, split))


def _told(facts: Sequence[Fact], place: int, rng: random.Random, split: str) -> Description:
    sentences, skeleton, tags = [], [], set()
    named = ""
    for fact in facts:
        words = rng.choice(_wordings(fact.about, split))
        skeleton.append(words)
        tags |= set(PHENOMENA.get(fact.about, ()))
        sentence = _filled(words, fact)
        subject = f"the {kind(fact.kind).named(fact.count)}" if fact.kind else ""
        # A second sentence about the same thing speaks of it or them.
        if subject and subject == named and sentence.startswith(subject) and rng.random() < 0.7:
            sentence = ("it" if fact.count == 1 else "they") + sentence[len(subject) :]
            tags.add("co-reference")
        named = subject or named
        sentences.append(sentence[0].upper() + sentence[1:])
    text = ". ".join(sentences) + "."
    return Description(place, text, tuple(sorted(tags)), tuple(facts), " | ".join(skeleton))


def _filled(words: str, fact: Fact) -> str:
    slots = {"number": NUMBERS[fact.count], "colour": fact.value, "side": fact.value}
    if fact.kind:
        of = kind(fact.kind)
        slots |= {"noun": of.named(fact.count), "nouns": of.plural, "one": of.name}
    if fact.other:
        slots["other"] = kind(fact.other).named(fact.other_count)
    if fact.about == "column":
        slots["at"] = AT[fact.value]
    elif fact.about == "setting":
        slots["where"] = setting(fact.value).where
    elif fact.about == "time":
        slots |= {"time": TIME[fact.value], "dusk": DUSK[fact.value]}
    elif fact.about == "weather":
        slots |= {"weather": WEATHER[fact.value], "mood": MOOD[fact.value]}
    words = re.sub(r"<<([^/>]*)/([^>]*)>>", lambda m: m[1] if fact.other_count == 1 else m[2], words)
    words = re.sub(r"<([^/>]*)/([^>]*)>", lambda m: m[1] if fact.count == 1 else m[2], words)
    return re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], words)


def described(film: Film, rng: random.Random, split: str) -> list[Description]:
    """Up to three frames of a film in words, drawn at random."""
    places = rng.sample(range(SET_SIZE), SET_SIZE)
    told = (describe(film, place, rng, split) for place in places)
    return list(itertools.islice((each for each in told if each is not None), TARGETS))


def shuffled(film: Film, rng: random.Random) -> Film:
    """A static set in random order: only films keep the order of time."""
    if film.mover:
        return film
    frames: list[Scene] = rng.sample(film.frames, SET_SIZE)
    return replace(film, frames=tuple(frames))


def frames_benchmark(split: str, sets: Sequence[tuple[str, Film, list[Description]]]) -> Benchmark:
    """The benchmark of one split, from named films and what is said of their frames."""
    queries, truths, subsets, aspects, notes = [], {}, {}, {}, {}
    for name, film, told in sets:
        ten = tuple(f"{name}-{place}" for place in range(SET_SIZE))
        for each in told:
            id = ten[each.place]
            queries.append(Query(id, (Turn(text=each.text),)))
            truths[id], subsets[id] = (id,), ten
            aspects[id] = ("video" if film.mover else "static", *each.tags)
            notes[id] = {"skeleton": each.skeleton, "plot": film.plot}
    tags = sorted({tag for tagged in PHENOMENA.values() for tag in tagged} | {"co-reference"})
    used = {tag for touched in aspects.values() for tag in touched}
    return Benchmark(
        name="tableaux-frames",
        split=split,
        cases=cases_of(queries, truths=truths, subsets=subsets, aspects=aspects, notes=notes),
        galleries={},
        measures=(
            "Accuracy",
            *(f"Within('{tag}', Accuracy)" for tag in ("video", "static", *tags) if tag in used),
        ),
    )
