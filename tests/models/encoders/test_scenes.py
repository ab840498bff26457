"""Surroundings: heard apart from the thing that is asked for, and seen by how they look."""

import numpy as np
import pytest
from PIL import Image

from circlet.models.encoders.builtin import Builtin
from circlet.models.encoders.colours import PARTS
from circlet.models.encoders.scenes import LOOKS, scene


@pytest.fixture(scope="module")
def encoder() -> Builtin:
    return Builtin()


@pytest.mark.parametrize(
    ("text", "said", "rest"),
    [
        ("a dog in the snow", "in the snow", "a dog"),
        ("in deep snow, without people", "in deep snow,", "without people"),
        ("a sea lion on the rocks", "on the rocks", "a sea lion"),
        ("at the beach with palm trees", "at the beach", "with palm trees"),
        ("with a snowy background", "snowy background", "with a"),
        ("snow leopard", "", "snow leopard"),
        ("a drink in a water bottle", "", "a drink in a water bottle"),
        ("the sand castle", "", "the sand castle"),
        ("", "", ""),
    ],
)
def test_surroundings_are_told_from_things_named_after_them(text: str, said: str, rest: str) -> None:
    heard = scene(text)
    assert (heard.said, heard.rest) == (said, rest)
    assert bool(heard.look) == bool(said)


def test_a_place_by_itself_is_what_is_asked_for() -> None:
    assert not scene("a beach").around
    assert scene("on a beach").around


def test_the_look_of_an_adjective_has_the_last_word() -> None:
    assert scene("on a snowy mountain").look == LOOKS["snow"]


def test_every_look_is_made_of_parts_that_are_measured() -> None:
    assert {part for look in LOOKS.values() for part in look} <= set(PARTS)


GROUNDS = {
    "in the snow": [(225, 230, 240), (250, 250, 252)],
    "on the grass": [(150, 190, 235), (70, 140, 50)],
    "on a beach": [(120, 175, 225), (222, 198, 155)],
    "in the sea": [(140, 180, 230), (40, 90, 160)],
    "at night": [(10, 12, 25), (20, 20, 22)],
    "on the street": [(190, 190, 190), (120, 120, 122)],
    "in the mud": [(160, 150, 140), (105, 68, 40)],
    "in the forest": [(50, 90, 40), (30, 70, 30)],
    "at sunset": [(240, 135, 60), (45, 35, 40)],
}


def test_a_thing_is_found_where_the_words_say(encoder: Builtin) -> None:
    """The same red disc on plain grounds: two colours each, above and below."""
    pictures = []
    for above, below in GROUNDS.values():
        picture = Image.new("RGB", (224, 224), above)
        picture.paste(below, (0, 90, 224, 224))
        picture.paste((200, 30, 30), (72, 72, 152, 152))
        pictures.append(picture)
    scores = encoder.texts(list(GROUNDS)) @ encoder.images(pictures).T
    assert scores.argmax(axis=1).tolist() == list(range(len(GROUNDS)))


def test_words_for_a_thing_still_find_it_in_its_surroundings(encoder: Builtin) -> None:
    [alone, there] = encoder.texts(["a goldfish", "a goldfish in the snow"])
    [snow] = encoder.texts(["in the snow"])
    assert there @ alone > 0.5
    assert there @ snow > 0.5


def test_the_colour_of_a_background_is_around_the_thing(encoder: Builtin) -> None:
    inside, outside = Image.new("RGB", (224, 224), "white"), Image.new("RGB", (224, 224), "blue")
    inside.paste("blue", (40, 40, 184, 184))
    outside.paste("white", (40, 40, 184, 184))
    scores = encoder.texts(["blue", "a blue background"]) @ encoder.images([inside, outside]).T
    np.testing.assert_array_equal(scores.argmax(axis=1), [0, 1])
