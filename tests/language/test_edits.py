"""Captions and the edits a person reads in them; then a few thousand real ones, for never failing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.language import KINDS, parse_edit, understand

# caption: (kind, what, to) of each edit
READ = {
    "add a red ball": [("add", "red ball", "")],
    "Add human feet and a collar.": [("add", "human feet", ""), ("add", "collar", "")],
    "there is a knife": [("add", "knife", "")],
    "remove the hat": [("remove", "hat", "")],
    "without the people": [("remove", "people", "")],
    "no people in the picture": [("remove", "people", "")],
    "nobody": [("remove", "people", "")],
    "There's no longer a car": [("remove", "car", "")],
    "the car is no longer there": [("remove", "car", "")],
    "rabbit removed": [("remove", "rabbit", "")],
    "the dog doesn't have a collar": [("remove", "collar", "")],
    "Remove the water, trees and log": [
        ("remove", "water", ""),
        ("remove", "trees", ""),
        ("remove", "log", ""),
    ],
    "remove the black and white dog": [("remove", "black and white dog", "")],
    "replace the panda with a group of dogs": [("replace", "panda", "group of dogs")],
    "a cat instead of a dog": [("replace", "dog", "cat")],
    "instead of a dog, a cat": [("replace", "dog", "cat")],
    "has chopped carrots instead of an omelet": [("replace", "omelet", "chopped carrots")],
    "Target on apple tablets rather showing normal mobile": [("replace", "normal mobile", "apple tablets")],
    "change the man to a child": [("replace", "man", "child")],
    "Two dogs have changed to one goat.": [("replace", "Two dogs", "one goat")],
    "the colour has changed from brown to white": [("replace", "brown", "white")],
    "the same, but a tiger": [("keep", "", ""), ("replace", "", "tiger")],
    "the same in red": [("colour", "", "red")],
    "a pelican instead": [("replace", "", "pelican")],
    "but a peach": [("replace", "", "peach")],
    "an orange instead": [("replace", "", "orange")],
    "but orange": [("colour", "", "orange")],
    "orange instead": [("colour", "", "orange")],
    "but a red one": [("colour", "", "red one")],
    "make it a pizza": [("replace", "", "pizza")],
    "and a lion": [("add", "lion", "")],
    "like this but blue": [("keep", "", ""), ("colour", "", "blue")],
    "not red but blue": [("remove", "red", ""), ("colour", "", "blue")],
    "hyena and not leopard": [("describe", "hyena", ""), ("remove", "leopard", "")],
    "not only dogs but also cats": [("describe", "dogs", ""), ("add", "cats", "")],
    "three dogs": [("count", "dogs", "3")],
    "make it two dogs": [("count", "dogs", "2")],
    "only one of the boars": [("count", "boars", "1")],
    "Remove all but one bird": [("count", "bird", "1")],
    "remove one dog": [("count", "dog", "-1")],
    "two fewer chairs": [("count", "chairs", "-2")],
    "one more dog": [("count", "dog", "+1")],
    "more people": [("count", "people", "more")],
    "reduce the number of syringes to one syringe": [("count", "syringes", "1")],
    "are four": [("count", "", "4")],
    "make it red": [("colour", "", "red")],
    "change the sky to blue": [("colour", "sky", "blue")],
    "longer sleeves": [("size", "", "longer sleeves")],
    "the dog is bigger": [("size", "", "dog is bigger")],
    "change the background to snow": [("background", "background", "snow")],
    "has a plain backdrop": [("background", "", "plain backdrop")],
    "at night": [("time", "", "at night")],
    "it is snowing": [("time", "", "snowing")],
    "zoom in": [("view", "", "zoom in")],
    "is seen from a different angle": [("view", "", "seen from a different angle")],
    "facing left": [("move", "", "facing left")],
    "is next to a bench": [("move", "", "next to a bench")],
    "keep the dog": [("keep", "dog", "")],
    "has the same shape": [("keep", "shape", "")],
    "is more feminine": [("compare", "feminine", "more")],
    "is less revealing": [("compare", "revealing", "less")],
    "is shirtless": [("attribute", "", "shirtless")],
    "a doberman on a tree stump": [("describe", "doberman on a tree stump", "")],
    "at night without people": [("time", "", "at night"), ("remove", "people", "")],
    "is upside down and the photo shows no people": [("move", "", "upside down"), ("remove", "people", "")],
    "keep the dog but change the background to snow": [
        ("keep", "dog", ""),
        ("background", "background", "snow"),
    ],
    "no people, at night": [("remove", "people", ""), ("time", "", "at night")],
    "has no sleeves and is bright green": [("remove", "sleeves", ""), ("colour", "", "bright green")],
    "Change the man to a child, remove one dog and the leashes": [
        ("replace", "man", "child"),
        ("count", "dog", "-1"),
        ("remove", "leashes", ""),
    ],
}


@pytest.mark.parametrize("caption", READ)
def test_a_caption_is_read_as_a_person_reads_it(caption: str) -> None:
    assert [(edit.kind, edit.what, edit.to) for edit in parse_edit(caption)] == READ[caption]


@pytest.mark.parametrize(
    ("caption", "wanted", "unwanted"),
    [
        ("the same beach at night, without the people", "beach at night", ("people",)),
        ("remove the hat", "", ("hat",)),
        ("a cat instead of a dog", "cat", ("dog",)),
        ("is less colorful and has two birds", "two birds", ("colorful",)),
        ("remove one dog, make the cat sleep", "dog, cat sleep", ()),
        ("two dogs playing", "two dogs playing", ()),
        ("", "", ()),
    ],
)
def test_what_is_wanted_and_what_is_not(caption: str, wanted: str, unwanted: tuple[str, ...]) -> None:
    assert (understand(caption).wanted, understand(caption).unwanted) == (wanted, unwanted)


@given(st.text(max_size=60))
def test_any_text_is_understood_somehow(text: str) -> None:
    assert all(edit.kind in KINDS for edit in parse_edit(text))


@given(
    st.lists(st.sampled_from(sorted({w for c in READ for w in c.split()} | {",", ".", "but"})), max_size=14)
)
def test_words_in_any_order_are_understood_somehow(words: list[str]) -> None:
    for edit in parse_edit(" ".join(words)):
        assert edit.text
        assert isinstance(edit.wanted + edit.unwanted, str)


def test_real_captions_are_read_without_failing_and_few_stay_vague(captions: list[str]) -> None:
    kinds = [edit.kind for caption in captions for edit in parse_edit(caption)]
    assert len(kinds) >= len(captions)
    assert kinds.count("describe") < 0.3 * len(kinds)
    assert set(kinds) == set(KINDS)


def test_negation_is_heard_in_real_captions(captions: list[str]) -> None:
    """Captions that open with a word of removal take something away, or count."""
    removing = [text for text in captions if text.lower().startswith(("remove ", "without ", "no "))]
    assert len(removing) > 50
    missed = [text for text in removing if not understand(text).unwanted and "count" not in _kinds(text)]
    assert not missed


def _kinds(text: str) -> list[str]:
    return [edit.kind for edit in parse_edit(text)]
