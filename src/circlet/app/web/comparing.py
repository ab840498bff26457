"""The page that holds two methods against each other."""

from collections.abc import Mapping
from typing import Any

from circlet.app.http.library import Library
from circlet.app.http.reranking import OFF
from circlet.app.web.telling import address
from circlet.app.web.view_models import frame
from circlet.collection import SearchOptions
from circlet.core import UsageError


def compare(library: Library, s: str, options: SearchOptions, *, text: str, a: str, b: str) -> dict[str, Any]:
    """Two methods side by side over the same session and filters, or over words given on the page."""
    session = library.session(s, options)
    if text and not session.turns:
        session = session.say(text)
        s = library.word(session)
    methods = library.methods()
    a, b = a or "default", b or "image"
    view: dict[str, Any] = {
        **frame(library, s, options, session),
        "page": "compare",
        "home": address("/", s, options),
        "a": a,
        "b": b,
        "text": text,
        "sides": [],
        "problem": "",
    }
    if not session.turns:
        return view
    try:
        # In their own order: one scorer behind both would make them look alike.
        own = options.but(rerank=options.rerank or OFF)
        sides = [library.find(session, own.but(method=name), top=24).hits for name in (a, b)]
    except UsageError as error:
        return {**view, "problem": library.scrub(str(error))}
    ranks: list[Mapping[str, int]] = [{hit.path: hit.rank for hit in hits} for hits in sides]
    for name, hits, other in zip((a, b), sides, reversed(ranks), strict=True):
        tiles = [
            {
                "key": library.keys.key(hit.path),
                "name": library.name(hit.path),
                "rank": hit.rank,
                "score": hit.scored,
                "other": other.get(hit.path),
                "link": address("/act", s, options, pick=library.keys.key(hit.path)),
            }
            for hit in hits
        ]
        view["sides"].append({"method": {"name": name, "line": methods.get(name, "")}, "cards": tiles})
    both = len(ranks[0].keys() & ranks[1].keys())
    view["agreement"] = f"{both} of the best {len(ranks[0])} pictures are found by both."
    return view
