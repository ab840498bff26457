"""Readings that papers count: comparing or direct, parts of bodies, colours."""

import pytest

from circlet.language.readings import compares, manner, names_body_part, names_colour


@pytest.mark.parametrize("text", ["A bigger pub", "another dog", "only one of the boars", "zoomed in"])
def test_what_sets_one_picture_against_the_other_compares(text: str) -> None:
    assert compares(text)


@pytest.mark.parametrize("text", ["two dogs on grass", "add a flower", "show the water"])
def test_what_says_only_what_is_there_does_not(text: str) -> None:
    assert not compares(text)


def test_a_caption_is_direct_or_comparing_or_both() -> None:
    assert manner("is white and has a collar") == "direct"
    assert manner("has longer sleeves and is darker") == "comparing"
    assert manner("has a print with flowers, and longer sleeves") == "both"
    assert manner("") == "direct"


def test_parts_and_colours_are_whole_words() -> None:
    assert names_body_part("her teeth show")
    assert names_body_part("two Hands")
    assert not names_body_part("a handle of the armchair")
    assert names_colour("Dark red walls")
    assert not names_colour("a hundred tanks")
