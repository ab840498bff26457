"""A new wish or a refinement, as people word them."""

import pytest

from circlet.core import Turn
from circlet.dialogue.wishes import new_wish

REFINED = {
    "a dog": (
        "in the snow; running; two of them; bigger; black and white; from the side; and a cat; with a ball; "
        "closer; on the left; a close-up; a black and white photo; a drawing; a brown dog; "
        "the same dog in the snow; no people; next to a tree; show me more; show it from the side; "
        "now in the snow; now a brown one; then at night; how about at night?; a cat instead of the dog; "
        "rather dark"
    ),
    "a red car": "at night; blue; a blue one; make it blue; but older; less red; i want it in blue",
    "a beach": "with palm trees; palm trees; sunset; at sunset",
    "a house": "no trees; wooden; made of wood",
}
NEW = {
    "a dog": (
        "a cat; now a cat; a cat instead; instead a cat; I want a cat; no, a boat; actually, a boat; "
        "the eiffel tower; how about a boat?; find boats; pictures of food; a photo of a ship; "
        "an old house at night"
    ),
    "a red car": "a dog; two dogs; a yellow flower; a boat on a lake; show me dogs",
    "cars": "dogs",
    "dog": "cat",
}


def pairs(said: dict[str, str]) -> list[tuple[str, str]]:
    return [(first, then) for first, others in said.items() for then in others.split("; ")]


@pytest.mark.parametrize(("first", "then"), pairs(REFINED))
def test_a_refinement_is_meant_beside_what_was_said(first: str, then: str) -> None:
    assert not new_wish([Turn(text=first)], then)


@pytest.mark.parametrize(("first", "then"), pairs(NEW))
def test_a_new_wish_is_meant_instead(first: str, then: str) -> None:
    assert new_wish([Turn(text=first)], then)
    assert not new_wish([Turn(text=first, picture="a.jpg")], then), "words about a picture are about it"
    assert not new_wish([], then)
