"""What to say next about a collection, on an encoder that sees nothing but colour."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from circlet.collection import Collection, SearchOptions
from circlet.collection.suggesting import Vocabulary
from circlet.core import Query, Turn
from circlet.models.standards import Standards
from circlet.testing import ToyEncoder

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


THINGS = ("dog", "cat", "city", "beach", "tin", "hook", "bib", "puck", "reel", "gong", "coil", "stole")


def test_kinds_of_what_was_named_may_follow_and_nothing_far_fetched() -> None:
    words = ("in red", "in blue", "at night", *THINGS)
    known = Vocabulary(words, ToyEncoder().texts(words))

    def follow(*said: str) -> tuple[str, ...]:
        return known.fitting(said, ToyEncoder()).words

    assert follow("a dog") == ("in red", "in blue", "at night", "dog")
    assert follow("a dog", "in red") == ("at night", "dog"), "one colour is enough"
    assert follow("something blue") == ("at night",)
    assert follow("") == ("in red", "in blue", "at night"), "nothing was named whose kinds could be asked for"


def test_a_phrase_holds_only_where_a_search_would_call_it_a_match(collection: Collection) -> None:
    class Strict(type(collection.encoder)):  # type: ignore[misc]
        def cutoffs(self, queries: "np.ndarray") -> "np.ndarray":
            return np.full(len(queries), 0.9, np.float32)

    rows = np.eye(3, dtype=np.float32)[:1]
    pictures = np.array([[1, 0, 0], [0.8, 0.6, 0]], np.float32)
    here = Standards(np.array([[0, 1, 0], [0, 0, 1], [0.1, 1, 0]] * 4, np.float32))
    loose = Vocabulary(("in red",), rows).holds(here, pictures, ToyEncoder())
    strict = Vocabulary(("in red",), rows).holds(here, pictures, Strict())
    assert loose.min() > 0.9, "both stand far above the rest"
    assert strict[0].tolist() == [loose[0, 0], 0.0]
