"""Why a picture was found, as the page tells it."""

from typing import Any

from circlet.app.http.library import Library
from circlet.app.web.view_models import address, card, named
from circlet.collection import Check, SearchOptions


def why(library: Library, s: str, options: SearchOptions, key: str) -> dict[str, Any]:
    """Why a picture was found: which clauses hold in it, and its score in parts."""
    session = library.session(s, options)
    id = library.file(key)
    told = library.why(session, options, id)
    (checks,) = library.checks(session, options, [id])
    most = max((abs(part.score) for part in told.parts), default=0.0) or 1.0
    return {
        "page": "search",
        "s": s,
        "card": card(library, id, session),
        "home": address("/", s, options),
        "score": None if told.score is None else f"{told.score:.3f}",
        "by_clauses": told.by_clauses,
        "checks": [_check(library, one) for one in checks],
        "parts": [
            {
                "turn": part.turn,
                "kind": part.kind,
                "what": part.what,
                "picture": named(library, part.what) if part.of_picture else None,
                "value": part.score,
                "share": round(abs(part.score) / most, 3),
            }
            for part in told.parts
        ],
    }


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
