"""What to say next about a collection, on an encoder that sees nothing but colour."""

from pathlib import Path

import pytest
from PIL import Image

from circlet.collection import Collection, SearchOptions
from circlet.core import Query, Turn

COLOURS = {"in red", "in green", "in blue"}


@pytest.fixture
def many(collection: Collection, shades: Path) -> Collection:
    """So many pictures that a gallery can be told from a few: reds, greens and blues."""
    for number in range(5):
        for axis, name in enumerate(("red", "green", "blue")):
            colour = [30 + 8 * number] * 3
            colour[axis] = 230
            Image.new("RGB", (16, 16), tuple(colour)).save(shades / f"{name}{number}.png")
    collection.index()
    return collection


def test_a_colour_tells_the_leading_apart_unless_it_was_said(
    many: Collection, shades: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A third of these few pictures is of each colour, so that none stands far above the rest.
    monkeypatch.setattr("circlet.collection.suggesting._EVEN", 0.5)
    query = Query("q") + Turn(picture=str(shades / "cold/teal.png"))
    told = many.suggestions(query)
    assert [one.kind for one in told] == ["splits"]
    assert told[0].words in COLOURS
    assert told[0].gain > 0.35
    again = many.suggestions(query + Turn(text=told[0].words))
    assert told[0].words not in [one.words for one in again]


def test_a_search_of_several_turns_is_asked_by_its_belief(many: Collection, shades: Path) -> None:
    first = Query("q") + Turn(picture=str(shades / "cold/teal.png"))
    ids = tuple(many.find(first).ids[:5])
    query = first + Turn(picture=ids[0], shown=ids)
    for method in ("default", "sum"):
        for one in many.suggestions(query, SearchOptions(method=method)):
            assert one.words in COLOURS
