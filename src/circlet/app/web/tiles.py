"""Pictures as they stand on the page: cards with a shape, a place and the visitor's own marks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from circlet.app.http.library import Library
from circlet.app.http.picking import kept
from circlet.collection import Hit
from circlet.collection.results import percent
from circlet.dialogue import Session
from circlet.index import Entry


@dataclass(frozen=True, kw_only=True)
class Card:
    """One picture on the page."""

    key: str
    name: str
    place: str
    # Its shape as the sheet's classes name it: twentieths of width by height.
    shape: int = 20
    rank: int = 0
    score: str | None = None
    # How likely it answers the search, in percent; empty where nobody knows.
    relevance: str = ""
    share: float = 0.0
    below: bool = False
    cut: bool = False
    heading: str = ""
    liked: bool = False
    disliked: bool = False
    # What stands on it where somebody decided to keep it, or one that is folded into it.
    kept: str = ""
    folded: int = 0
    open: bool = False
    copies: tuple["Card", ...] = ()


def card(library: Library, id: str, session: Session, **more: Any) -> Card:
    """A picture as a card, with the visitor's own marks on it."""
    liked = any(id in turn.liked for turn in session.turns)
    disliked = any(id in turn.disliked for turn in session.turns)
    return Card(
        key=library.keys.key(id),
        name=library.name(id),
        place=library.place(id),
        liked=liked,
        disliked=disliked,
        **more,
    )


def _kept(pile: Sequence[str], to_keep: set[str]) -> str:
    """What is kept of a pile, as the card of its first picture says it.

    >>> _kept(["a.jpg", "b.jpg"], {"b.jpg"}), _kept(["a.jpg"], {"a.jpg"}), _kept(["a.jpg"], set())
    ('1 kept', 'Kept', '')
    """
    if pile[0] in to_keep:
        return "Kept"
    inside = sum(id in to_keep for id in pile)
    return f"{inside} kept" if inside else ""


def shape_of(entry: Entry | None) -> int:
    """Width by height in twentieths, from a tall picture's 14 to a panorama's 60.

    >>> shape_of(Entry("/p/a.jpg", 1, 0, "", 1600, 900)), shape_of(None)
    (36, 20)
    """
    if entry is None or not entry.width or not entry.height:
        return 20
    return min(60, max(14, round(20 * entry.width / entry.height)))


def cards(library: Library, hits: tuple[Hit, ...], session: Session, opened: set[str]) -> list[Card]:
    """Results as cards; the first below the cut-off carries the line above it."""
    made: list[Card] = []
    every = [id for hit in hits for id in (hit.path, *hit.folded)]
    known, to_keep = library.entries(every), kept(library, every)
    # Where nothing matches well the heading says so; pale pictures would only be harder to see.
    some = any(not hit.below for hit in hits)
    best = max((hit.score for hit in hits), default=0.0)
    for hit in hits:
        share = max(0.0, min(1.0, hit.score / best)) if best > 0 else 0.0
        below = hit.below and some
        one = card(
            library,
            hit.path,
            session,
            rank=hit.rank,
            score=f"{hit.score:.3f}",
            relevance="" if hit.relevance is None else percent(hit.relevance),
            share=round(share, 3),
            below=below,
            cut=below and bool(made) and not made[-1].below,
            shape=shape_of(known.get(hit.path)),
            kept=_kept((hit.path, *hit.folded), to_keep),
            folded=len(hit.folded),
        )
        if one.key in opened and hit.folded:
            copies = (
                card(library, id, session, shape=shape_of(known.get(id)), kept=_kept([id], to_keep))
                for id in hit.folded
            )
            one = replace(one, open=True, copies=tuple(copies))
        made.append(one)
    return made
