"""Why a picture was found, as the page tells it."""

from collections.abc import Sequence
from typing import Any

from circlet.app.http.library import Library
from circlet.app.web.telling import address
from circlet.app.web.tiles import card
from circlet.app.web.view_models import named
from circlet.collection import Check, SearchOptions
from circlet.collection.results import percent
from circlet.core import Turn
from circlet.dialogue import Contribution


def why(library: Library, s: str, options: SearchOptions, key: str) -> dict[str, Any]:
    """Why a picture was found: which clauses hold in it, and its score in parts."""
    session = library.session(s, options)
    id = library.file(key)
    told = library.why(session, options, id)
    (checks,) = library.checks(session, options, [id])
    return {
        "page": "search",
        "s": s,
        "card": card(library, id, session),
        "home": address("/", s, options),
        "score": None if told.score is None else f"{told.score:.3f}",
        "by_clauses": told.by_clauses,
        "relevance": "" if told.relevance is None else percent(told.relevance),
        "untrained": library.untrained(options),
        "checks": [_check(library, one) for one in checks],
        "halves": _halves(told.parts),
        "parts": _rows(library, told.parts, session.turns),
    }


def _halves(parts: Sequence[Contribution]) -> list[dict[str, Any]]:
    """The pictures' and the words' shares of what speaks for this picture, where there are both.

    >>> parts = (Contribution("picture", "dog.jpg", 1, 0.1), Contribution("words", "in the snow", 1, 0.3))
    >>> [(half["name"], half["percent"]) for half in _halves(parts)]
    [('Picture', 25), ('Words', 75)]
    """
    if {part.of_picture for part in parts} != {True, False} or any(part.kind == "turn" for part in parts):
        return []
    pull = {
        half: max(0.0, sum(part.score for part in parts if part.of_picture is half)) for half in (True, False)
    }
    percent = round(100 * pull[True] / (sum(pull.values()) or 1))
    return [{"name": "Picture", "percent": percent}, {"name": "Words", "percent": 100 - percent}]


def _rows(library: Library, parts: Sequence[Contribution], turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """One row for each picture and each phrase, however often and in however many turns it spoke."""
    same: dict[tuple[bool, str], list[Contribution]] = {}
    for part in parts:
        same.setdefault((part.of_picture, part.what), []).append(part)
    values = {what: sum(part.score for part in those) for what, those in same.items()}
    most = max(map(abs, values.values()), default=0.0) or 1.0
    return [
        {
            "turns": ", ".join(map(str, sorted({part.turn for part in those}))),
            "kind": ", ".join(_kinds(those, turns)),
            "what": what,
            "picture": named(library, what) if of_picture else None,
            "value": values[of_picture, what],
            "share": round(abs(values[of_picture, what]) / most, 3),
        }
        for (of_picture, what), those in same.items()
    ]


def _kinds(parts: Sequence[Contribution], turns: Sequence[Turn]) -> list[str]:
    """What a picture was to the search; picking it counts as liking it, which nobody said."""
    said = {part.what for part in parts if any(part.what in turn.liked for turn in turns)}
    kinds = dict.fromkeys(part.kind for part in parts if part.kind != "liked" or part.what in said)
    return list(kinds or {"picture": None})


def _check(library: Library, check: Check) -> dict[str, Any]:
    """A clause with how likely it holds: a share for the meter, a percentage in words."""
    likely = check.probability
    return {
        "clause": check.clause,
        "picture": named(library, check.picture) if check.picture else None,
        "holds": check.holds,
        "share": None if likely is None else round(likely, 3),
        "likely": None if likely is None else f"{likely:.2f}",
    }
