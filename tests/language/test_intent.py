"""What stands after several turns of talk: later lines have the last word."""

import pytest

from circlet.language import understand


@pytest.mark.parametrize(
    ("said", "wanted", "unwanted"),
    [
        (["a beach", "at night", "add a boat"], "beach, at night, boat", ()),
        (["a beach at night", "but a mountain"], "night, mountain", ()),
        (["red dog", "but a cat"], "cat", ()),
        (["in red", "but a cat"], "in red, cat", ()),
        (["at night", "but a mountain"], "at night, mountain", ()),
        (["a tiger and a violin", "without the violin"], "tiger", ("violin",)),
        (["add a boat", "remove the boat"], "", ("boat",)),
        (["without people", "add two people"], "two people", ()),
        (["in red", "make it blue"], "in blue", ()),
        (["is black and has red letters", "with a hat"], "in black, red letters, hat", ()),
        (["a cat instead of the dog", "but a bird"], "bird", ("dog",)),
        (["a dog", "a cat instead of the dog"], "cat", ("dog",)),
        (["zoom in", "without people", "at night"], "zoom in, at night", ("people",)),
    ],
)
def test_later_lines_have_the_last_word(said: list[str], wanted: str, unwanted: tuple[str, ...]) -> None:
    found = understand("\n".join(said))
    assert (found.wanted, found.unwanted) == (wanted, unwanted)


def test_the_edits_that_stand_are_told() -> None:
    assert [edit.kind for edit in understand("a dog\nbut a cat\nat night").edits] == ["replace", "time"]
