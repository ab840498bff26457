"""Depth of sentences by word classes: an estimate whose rules can be followed by hand."""

import pytest

from circlet.language.depth import depths


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("dog", [0]),
        ("a dog", [1]),
        ("a dog sits", [2]),
        # sits > on > grass > the
        ("a dog sits on the grass", [3]),
        # sits > on > grass > of > park > the
        ("a dog sits on grass of the park", [5]),
        ("with a dog", [1]),
        ("on", [0]),
        ("", []),
        ("Two dogs. A cat sleeps on it!", [1, 2]),
    ],
)
def test_steps_from_the_root_to_the_deepest_word(text: str, steps: list[int]) -> None:
    assert depths(text) == steps


def test_every_sentence_has_an_end() -> None:
    words = ["with", "of", "and", "is", "dog", "the", "two", "sitting"]
    for first in words:
        for second in words:
            for third in words:
                assert 0 <= depths(f"{first} {second} {third} dog of and")[0] < 8
