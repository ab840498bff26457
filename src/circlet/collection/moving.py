"""Why did it move: what the last turn of a search brought into the first results, and by what."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from circlet.core import Query

if TYPE_CHECKING:
    from circlet.collection.collection import Collection
    from circlet.collection.options import SearchOptions
    from circlet.dialogue import Contribution


@dataclass(frozen=True)
class Moved:
    """How many of the `first` results the last turn brought there; the best of them, and what lifted it most.

    `best` is a picture's id, `by` a part of the last turn: its words, its picture, a like. Both are empty
    where nothing came, or where no part of the turn speaks for it.
    """

    new: int
    first: int
    best: str = ""
    by: "Contribution | None" = None


def moved(
    collection: "Collection", query: Query, first: Sequence[str], options: "SearchOptions"
) -> Moved | None:
    """What the last turn changed; None where there is only one turn, or nothing was found.

    `first` are the first results of the query, best first.

    >>> moved(collection, session.query, session.results.ids[:10], SearchOptions())    # doctest: +SKIP
    Moved(new=4, first=10, best='/p/beach.jpg', by=Contribution(kind='words', what='at night', …))
    """
    if len(query.turns) < 2 or not first:
        return None
    before = set(collection.find(query.undo(), options.but(top=len(first), start=0)).ids)
    new = [id for id in first if id not in before]
    if not new:
        return Moved(0, len(first))
    last, number = query.last, len(query.turns)
    parts = [
        one
        for one in collection.why(query, new[0], options).parts
        # Words that were heard together with those before them are counted with the first of these.
        if one.turn == number or (not one.of_picture and one.what.lower() in last.text.lower())
    ]
    by = max(parts, key=lambda one: one.score, default=None)
    return Moved(len(new), len(first), new[0], by if by is not None and by.score > 0 else None)
