"""From sessions and results to what the templates show: plain values, no paths, no markup."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from circlet.app.http.library import Library
from circlet.app.web.browsing import begin
from circlet.app.web.running import in_bytes, job
from circlet.app.web.telling import address, chips, none, of_all, strange
from circlet.app.web.tiles import card, cards
from circlet.collection import SearchOptions
from circlet.core import CircletError, StoreError, Turn
from circlet.dialogue import HISTORIES, Session, heard
from circlet.dialogue.moves import SHOWN
from circlet.images.addresses import address_of
from circlet.language import phrases

PAGE = 40
# What one page shows at most when it is loaded anew after a long scroll.
LONGEST = 400
EXAMPLES = ("a red car", "a truck", "a ball", "something blue")


def search(
    library: Library,
    s: str,
    options: SearchOptions,
    *,
    start: int,
    shown: int,
    opened: set[str],
    by_date: bool = False,
) -> dict[str, Any]:
    """Everything the search page shows."""
    session = library.session(s, options)
    view = {
        **frame(library, s, options, session),
        "problem": "",
        "took": None,
        "start": start,
        "place": {"start": start, "shown": shown},
        "opened": sorted(opened),
        "seen": [],
        "cards": [],
        "more": "",
        "notes": (),
        "nothing": "",
        "years": [],
        "places": [],
        "by_date": False,
        "cut_words": "Weaker matches from here on",
        "next": [],
        "moved": "",
    }
    top = max(PAGE, min(shown, LONGEST, library.limits.depth - start))
    try:
        view |= (
            _found(library, session, options, start, top, opened)
            if session.turns
            else begin(library, options, start, top, by_date=by_date)
        )
    except StoreError:
        view |= none(library, options)
    except CircletError as error:
        view |= {"summary": "No results", "problem": library.scrub(str(error))}
    by = {"by": "date"} if by_date and not session.turns else {}
    if start:
        view["earlier"] = address("/", s, options, start=max(0, start - PAGE), **by)
    if view["more"]:
        view["more"] = address("/", s, options, start=start + top, **by)
    return view


def _found(
    library: Library, session: Session, options: SearchOptions, start: int, top: int, opened: set[str]
) -> dict[str, Any]:
    there = library.count(options)
    if not there:
        return none(library, options)
    began = time.perf_counter()
    # From the first on: the bars are drawn against the best, and the cut-off line needs what came before.
    results = library.find(session, options, top=start + top)
    took = time.perf_counter() - began
    summary = "Best matches" if results.matched else "Nothing matches well; these come closest"
    why = str(results.missed) if results.missed else ""
    return {
        "cards": cards(library, results.hits, session, opened)[start:],
        # What a picture is picked from: the ones that everybody sees first.
        "seen": [library.keys.key(hit.path) for hit in results.hits[:SHOWN]],
        "notes": (*filter(None, [f"{why[:1].upper()}{why[1:]}"]), *results.notes),
        "summary": summary if not start else f"Matches from {start + 1} on",
        "took": f"{of_all(library, there)} in {took * 1000:.0f} ms",
        "more": results.more and start + top + PAGE <= library.limits.depth,
        **({} if start else _next(library, session, options, [hit.path for hit in results.hits[:SHOWN]])),
    }


def _next(library: Library, session: Session, options: SearchOptions, first: Sequence[str]) -> dict[str, Any]:
    """What could be said next, and what the last turn changed among the first results."""
    told = [{"words": one.words, "kind": one.kind} for one in library.suggestions(session, options)]
    moved = library.moved(session, options, first)
    if moved is None:
        return {"next": told}
    if not moved.new:
        return {"next": told, "moved": f"The last turn brought nothing new into the first {moved.first}."}
    by = ""
    if moved.by is not None:
        named = library.name(moved.by.what) if moved.by.of_picture else f"“{moved.by.what}”"
        by = f"; {library.name(moved.best)} most by {named}"
    return {"next": told, "moved": f"The last turn brought {moved.new} of the first {moved.first}{by}."}


def frame(library: Library, s: str, options: SearchOptions, session: Session) -> dict[str, Any]:
    """What stands around the results: the way here, the weights, the filters."""
    turns, standing = session.turns, session.query.turns
    last_picture = next((turn.picture for turn in reversed(standing) if turn.picture), None)
    weighed = next((turn for turn in reversed(standing) if turn.text), Turn())
    try:
        share = library.share(session, options)
    except CircletError:
        # The search itself says what is wrong.
        share = None
    headline = " → ".join(sentence_of(library, turn) for turn in turns) or "Search"
    running = library.jobs.running
    return {
        "page": "search",
        "s": s,
        "options": options.params,
        "headline": headline[:120],
        "turns": [
            {**_step(library, turn, number), "past": number <= len(turns) - len(standing)}
            for number, turn in enumerate(turns, start=1)
        ],
        "words": turns[at - 1].text if (at := words_at(turns)) else "",
        "paths": [
            {
                "name": name,
                "words": " → ".join(sentence_of(library, turn) for turn in others)[:80] or "the beginning",
            }
            for name, others in session.branches.items()
            if name != session.current
        ],
        "reference": named(library, last_picture) if last_picture else None,
        "balance": None if share is None else f"{share:.2f}".rstrip("0").rstrip("."),
        "percent": None if share is None else round(100 * share),
        "phrases": [
            {"words": phrase, "weight": dict(weighed.emphasis).get(phrase, 1)}
            for phrase in phrases(weighed.text)
        ],
        "heard": [
            {"words": str(one), "unwanted": not one.wanted, "changeable": one.changeable}
            for one in heard(turns)
        ],
        "methods": [{"name": name, "line": line} for name, line in library.methods().items()],
        "chosen": options.method,
        "rerankers": library.rerankers.offered(str(options.rerank)),
        "folders": library.folders(options),
        "shapes": library.tally(options.but(orientation=None)).shapes,
        "histories": [{"name": name, "line": line} for name, (_, line) in HISTORIES.items()],
        "joined": options.history,
        "advanced": bool(options.changed.keys() & {"method", "rerank", "history", "fold"}),
        "filtered": options.narrowed,
        "unfiltered": address("/", s, options.unfiltered),
        "filters": chips(s, options),
        "strange": strange(library, standing),
        "compared": address("/compare", s, options),
        "indexing": job(library, running) if running else None,
        "limits": library.limits,
        "originals": library.config.originals,
        "examples": EXAMPLES,
        "earlier": "",
    }


def sentence_of(library: Library, turn: Turn) -> str:
    """A turn in one line, with an upload called what it is."""
    if turn.picture and library.keys.uploaded(turn.picture):
        turn = replace(turn, picture="your picture")
    return str(turn)


def words_at(turns: Sequence[Turn]) -> int:
    """The number of the turn whose words stay in the field: the last that said any, marks apart; 0: none."""
    last = max((at for at, turn in enumerate(turns, start=1) if turn.text or turn.picture), default=0)
    return last if last and turns[last - 1].text else 0


def _step(library: Library, turn: Turn, number: int) -> dict[str, Any]:
    words = str(replace(turn, picture=None, liked=(), disliked=(), emphasis=()))
    return {
        "number": number,
        "picture": named(library, turn.picture) if turn.picture else None,
        "words": words,
        "line": sentence_of(library, turn),
        "text": turn.text,
        "editable": bool(turn.text or turn.picture),
        "joined": ("instead" if turn.instead else "also") if number > 1 and turn.text else "",
        "liked": [named(library, id) for id in turn.liked],
        "disliked": [named(library, id) for id in turn.disliked],
    }


def named(library: Library, id: str) -> dict[str, str]:
    """A picture by its key and its name."""
    return {"key": library.keys.key(id), "name": library.name(id)}


def picture(library: Library, s: str, options: SearchOptions, key: str) -> dict[str, Any]:
    """The large view, with the pictures before and after it in the results."""
    session = library.session(s, options)
    id = library.file(key)
    around: list[str] = []
    if session.turns:
        around = [hit.path for hit in library.find(session, options, top=200).hits]
    else:
        around = library.browse(options, 0, 200)[0]
    at = around.index(id) if id in around else None

    def link(step: int) -> str:
        if at is None or not 0 <= at + step < len(around):
            return ""
        return address(f"/picture/{library.keys.key(around[at + step])}", s, options)

    about = library.about(id)
    return {
        "page": "search",
        "s": s,
        "options": options.params,
        "card": card(library, id, session),
        "size": f"{about['width']} × {about['height']} {about['format']}, {in_bytes(about['bytes'])}",
        "when": about["taken"] or f"file from {about['modified'][:10]}",
        "original": about["original"] or "",
        "film": "#t=" in (about["original"] or ""),
        "at_home": library.config.at_home and not library.keys.uploaded(id) and not address_of(id),
        "before": link(-1),
        "after": link(1),
        "home": address("/", s, options),
    }
