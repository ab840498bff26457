"""Descriptions as facts: every wording that is taught, numbers and pronouns, who covers whom."""

import random
import re
from importlib.resources import files

import pytest

from circlet.data.tableaux.world.kinds import Kind, kind
from circlet.data.tableaux.world.words import AT, DUSK, MOOD, NUMBERS, TIME, WEATHER
from circlet.language.frame_facts import ABOUTS, FrameFact
from circlet.language.frame_words import Vocabulary, mark, read_frame, stated

NAMES = ("dog", "fire engine", "sheep", "steam train", "hut", "butterfly", "piece of cheese")
VOCABULARY = Vocabulary(
    {word: name for name in NAMES for word in (name, kind(name).plural)},
    {"beach": "beach", "meadow": "meadow"},
)
TABLE = files("circlet.data.tableaux.tasks").joinpath("frames.tsv").read_text(encoding="utf-8")
TAUGHT = [
    (about, words)
    for about, split, words in (line.split("\t") for line in TABLE.splitlines() if not line.startswith("#"))
    if split == "train"
]
NOT_SINGLE = ("count", "arrived", "left")


def facts(text: str) -> list[FrameFact]:
    return [one.fact for one in read_frame(text, VOCABULARY)]


def filled(words: str, thing: Kind, other: Kind, count: int, values: dict[str, str]) -> str:
    """A wording about so many of a thing, beside one of another."""
    slots = {
        "noun": thing.named(count),
        "nouns": thing.plural,
        "one": thing.name,
        "other": other.name,
    } | values
    words = re.sub(r"<<([^/>]*)/([^>]*)>>", r"\1", words)
    words = re.sub(r"<([^/>]*)/([^>]*)>", lambda match: match[1 if count == 1 else 2], words)
    said = re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], words)
    return said[0].upper() + said[1:] + "."


def test_every_fact_is_taught() -> None:
    assert {about for about, _ in TAUGHT} == set(ABOUTS)


@pytest.mark.parametrize(("about", "words"), TAUGHT)
def test_every_taught_wording_is_read(about: str, words: str) -> None:
    rng = random.Random(words)
    for _ in range(6):
        thing, other = (kind(name) for name in rng.sample(NAMES, 2))
        count = rng.randint(1, 4) if about in NOT_SINGLE else rng.choice((1, 1, 2))
        side, at = rng.choice(("left", "right")), rng.choice(tuple(AT))
        time, weather, place = (
            rng.choice(tuple(TIME)),
            rng.choice(tuple(WEATHER)),
            rng.choice(("beach", "meadow")),
        )
        where = {"beach": "on a beach", "meadow": "in a meadow"}[place]
        text = filled(
            words, thing, other, count,
            {"number": NUMBERS[count], "side": side, "at": AT[at], "colour": "red", "where": where}
            | {"dusk": DUSK[time], "time": TIME[time], "mood": MOOD[weather], "weather": WEATHER[weather]},
        )  # fmt: skip
        value = {"column": at, "colour": "red", "setting": place, "time": time, "weather": weather}.get(
            about, ""
        )
        value = side if "{side}" in words else value
        meant = FrameFact(
            about,
            thing.name if re.search(r"\{(noun|one|nouns)\}", words) else "",
            other.name if "{other}" in words else "",
            value,
            count if about in NOT_SINGLE else 1,
        )
        assert facts(text) == [meant], text


def test_clauses_are_told_apart_and_pronouns_go_back_to_what_was_spoken_of() -> None:
    first = "The dog is to the left of the hut. It faces right, and half of it is showing"
    said = facts(f"{first}, while two sheep can be seen.")
    assert said == [
        FrameFact("beside", "dog", "hut", "left"),
        FrameFact("facing", "dog", value="right"),
        FrameFact("half", "dog"),
        FrameFact("count", "sheep", count=2),
    ]
    assert facts("The butterflies are close to the ground, and they are yellow.") == [
        FrameFact("low", "butterfly"),
        FrameFact("colour", "butterfly", value="yellow"),
    ]


@pytest.mark.parametrize(
    ("text", "thing", "other"),
    [
        ("The hut hides a part of the dog.", "dog", "hut"),
        ("The hut is covering some of the dog.", "dog", "hut"),
        ("The dog is partly covered by the hut.", "dog", "hut"),
        ("The hut stands in front of a part of the dog.", "dog", "hut"),
        ("A bit of the dog peeks out from behind the hut.", "dog", "hut"),
        ("Because of the hut only a part of the dog can be seen.", "dog", "hut"),
    ],
)
def test_whoever_covers_is_the_other(text: str, thing: str, other: str) -> None:
    assert facts(text) == [FrameFact("partly", thing, other)]


@pytest.mark.parametrize(
    ("text", "about", "count"),
    [
        ("There are three sheep in all.", "count", 3),
        ("Not a single dog can be found.", "none", 1),
        ("There are two dogs left after one disappeared.", "left", 2),
        ("A further dog turned up just now so there are four.", "arrived", 4),
        ("No part of the dog is hidden.", "uncovered", 1),
        ("Only a small part of the dog is missing.", "most", 1),
        ("The dog won't be visible much longer.", "soon", 1),
        ("The image lacks sharpness.", "blurry", 1),
        ("The shot is underexposed.", "dark", 1),
    ],
)
def test_wordings_that_nobody_taught(text: str, about: str, count: int) -> None:
    [fact] = facts(text)
    assert (fact.about, fact.count) == (about, count)


def test_what_is_not_understood_is_left_out() -> None:
    assert facts("") == [] == facts("Hello there, how do you do?")
    assert facts("The dog sings. The hut is blue.") == [FrameFact("colour", "hut", value="blue")]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        # Who is called "it" is the one before, but what is said of one thing is of the one that is named.
        ("Two sheep can be seen. Half of it is the sheep's.", FrameFact("half", "sheep")),
        ("Two sheep can be seen. Call it half of the dog.", FrameFact("half", "dog")),
        ("The dog is right up against the left margin.", FrameFact("edge", "dog", value="left")),
        ("Only two sheep remain since one took off.", FrameFact("left", "sheep", count=2)),
        ("The dog is big and the camera is very near to it.", FrameFact("large", "dog")),
    ],
)
def test_small_words_do_not_lead_astray(text: str, fact: FrameFact) -> None:
    assert facts(text)[-1] == fact


def test_right_is_a_side_after_a_verb_and_none_before_now() -> None:
    turned, near = (
        mark(text, VOCABULARY) for text in ("the dog looks right now", "the dog is right now here")
    )
    assert stated("facing", turned) == FrameFact("facing", "dog", value="right")
    assert stated("facing", near) is None
