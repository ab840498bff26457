"""Descriptions changed by words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circlet.language import merge


@pytest.mark.parametrize(
    ("description", "text", "merged"),
    [
        ("a beach with people", "at night, remove the people", "a beach, at night"),
        ("a brown dog on grass", "but a cat", "cat on grass"),
        ("a brown dog on grass", "a cat instead of the dog", "cat on grass"),
        ("a brown dog on grass", "replace the grass with snow", "a brown dog on snow"),
        ("a brown dog", "make it black", "black dog"),
        ("a black and white dog, sleeping", "make it red", "red dog, sleeping"),
        ("dogs on grass", "three dogs", "three dogs on grass"),
        ("a dog", "add a red ball and a hat", "a dog, red ball, hat"),
        ("a dog with a hat", "without the hats", "a dog"),
        ("a dog, colourful", "is less colourful", "a dog"),
        ("a dog", "keep the dog", "a dog"),
        ("a dog", "remove the dog", ""),
        ("a dog", "replace the cat with a bird", "a dog, bird"),
        ("", "a dog", "dog"),
        ("a dog", "", "a dog"),
    ],
)
def test_a_description_is_changed(description: str, text: str, merged: str) -> None:
    assert merge(description, text) == merged.removeprefix(", ")


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None)
def test_any_two_texts_can_be_merged(description: str, text: str) -> None:
    assert isinstance(merge(description, text), str)
