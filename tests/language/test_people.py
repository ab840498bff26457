"""Words about people: how many are asked for, and what counting cannot answer."""

import pytest

from circlet.language.people import MANY, Heads, about_people, heads_in


@pytest.mark.parametrize(
    ("words", "heads", "rest"),
    [
        ("two people", Heads(2, 2), ""),
        ("two people on a beach", Heads(2, 2), "on a beach"),
        ("The two people on the left", Heads(2, 2), "on the left"),
        ("a person with a dog", Heads(1), "with a dog"),
        ("one person", Heads(1, 1), ""),
        ("only a person", Heads(1, 1), ""),
        ("people", Heads(1), ""),
        ("someone", Heads(1), ""),
        ("nobody", Heads(0, 0), ""),
        ("no one", Heads(0, 0), ""),
        ("a group", Heads(3), ""),
        ("group photo", Heads(3), ""),
        ("a group of people at a table", Heads(3), "at a table"),
        ("a crowd", Heads(5), ""),
        ("many people", Heads(3), ""),
        ("a street full of people", Heads(3), "a street"),
        ("at least four people", Heads(4), ""),
        ("more than 2 persons", Heads(3), ""),
        ("a dog and two people", Heads(2, 2), "a dog"),
        ("a portrait", Heads(1, 1, portrait=True), ""),
        ("self-portrait", Heads(1, 1, portrait=True), ""),
        ("a portrait of a person", Heads(1, 1, portrait=True), ""),
    ],
)
def test_what_is_asked_of_people(words: str, heads: Heads, rest: str) -> None:
    told = heads_in(words)
    assert told is not None
    assert (told.heads, told.rest) == (heads, rest)
    assert about_people(words)


@pytest.mark.parametrize(
    "words",
    [
        "a red car", "a portrait of a dog", "a group of dogs", "people's car", "a happy person",
        "two more people", "two women", "a snowman", "",
    ],
)  # fmt: skip
def test_what_counting_does_not_answer(words: str) -> None:
    assert heads_in(words) is None


def test_kinds_of_people_are_known_to_be_people_though_they_cannot_be_told_apart() -> None:
    assert about_people("two women")
    assert about_people("a child on a swing")
    assert not about_people("a snowman")
    assert not about_people("a manhole, a womanly chair, a childish drawing")
    assert Heads(3).most == MANY
