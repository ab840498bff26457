"""Why it moved, on an encoder that sees nothing but colour."""

from pathlib import Path

from circlet.collection import Collection, SearchOptions
from circlet.collection.moving import Moved, moved
from circlet.core import Query, Turn


def test_what_the_last_turn_brought_and_by_what(collection: Collection, shades: Path) -> None:
    collection.index()
    first = Query("q") + Turn(picture=str(shades / "cold/teal.png"))
    query = first + Turn(text="in red")
    options = SearchOptions(method="sum", top=2)
    before, after = (collection.find(one, options).ids[:2] for one in (first, query))
    told = moved(collection, query, after, options)
    assert told is not None
    assert (told.new, told.first) == (len(set(after) - set(before)), 2)
    assert told.new > 0
    assert told.best == next(id for id in after if id not in before)
    assert told.by is not None
    assert told.by.kind == "words"
    assert "red" in told.by.what


def test_one_turn_moves_nothing_and_the_same_again_brings_nothing(
    collection: Collection, shades: Path
) -> None:
    collection.index()
    first = Query("q") + Turn(picture=str(shades / "cold/teal.png"))
    options = SearchOptions(method="sum", top=3)
    ids = collection.find(first, options).ids
    assert moved(collection, first, ids, options) is None
    twice = first + Turn(picture=str(shades / "cold/teal.png"))
    assert moved(collection, twice, collection.find(twice, options).ids, options) == Moved(0, 3)
