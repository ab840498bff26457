"""Results for a person at a terminal and for programs: lines, JSON, CSV, sheets."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli import graphics
from circlet.app.cli.terminal import harmless, say
from circlet.collection import Check, Hit, Results
from circlet.collection.results import percent
from circlet.core import CircletError
from circlet.images.files import shown

if TYPE_CHECKING:
    from circlet.collection import Collection, SearchOptions
    from circlet.dialogue import Session

_THUMB = 120
_FIRST = 10


def as_json(results: Results) -> str:
    """One object: `query`, `results` and what they mean."""
    return json.dumps(results.to_dict(), ensure_ascii=False, indent=2)


def as_csv(results: Results) -> str:
    """A heading and one line a hit; near-identical pictures are joined by a vertical bar."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["rank", "score", "path", "folded", "below", "relevance"])
    for hit in results:
        likely = "" if hit.relevance is None else f"{hit.relevance:.6f}"
        lines.writerow([hit.rank, f"{hit.score:.6f}", hit.path, "|".join(hit.folded), int(hit.below), likely])
    return out.getvalue()


def tell(results: Results, *, everything: bool = False) -> None:
    """Rank, score and path, a line each; a query that nothing matches says so instead."""
    for id in results.left_out:
        say(click.style(f"left out: {shown(id)} (it is part of the question)", dim=True))
    tell_notes(results)
    if not results.hits:
        say(none(results))
    elif not results.matched and not everything:
        say(f"{nothing(results)}; --all shows the nearest anyway")
        return
    for hit in results.hits:
        click.echo(line(hit))
        if hit.checks:
            click.echo(reasons(hit.checks))


def tell_notes(results: Results) -> None:
    """What of the question was not checked, with the remedy."""
    for note in results.notes:
        say(click.style(harmless(note), dim=True))


def nothing(results: Results) -> str:
    """The sentence for a query whose best result is below the cut-off, with the reason where it is known."""
    why = f": {results.missed}" if results.missed else ""
    return harmless(f"nothing matches {', then '.join(map(str, results.query.turns))}{why}")


def none(results: Results) -> str:
    """The sentence for a page without a single picture."""
    if results.matched:
        return "these were all the results"
    return "no picture is left to show: the filters, and leaving out what was asked with, pass none"


def line(hit: Hit) -> str:
    """One hit as a line, with a percentage where one was fitted.

    >>> line(Hit(2, 0.5, "/p/a.jpg", folded=("/p/b.jpg",)))
    '  2  0.500  /p/a.jpg  (+1 alike)'
    >>> line(Hit(2, 0.5, "/p/a.jpg", relevance=0.874))
    '  2  0.500   87 %  /p/a.jpg'
    """
    alike = f"  (+{len(hit.folded)} alike)" if hit.folded else ""
    weak = "  (below the cut-off)" if hit.below else ""
    likely = "" if hit.relevance is None else f"{percent(hit.relevance):>5}  "
    text = f"{hit.rank:>3}  {hit.score:.3f}  {likely}{shown(hit.path)}{alike}{weak}"
    return click.style(text, dim=True) if hit.below else text


def reasons(checks: Sequence[Check]) -> str:
    """Which clauses hold in a picture, as a line under its own.

    >>> click.unstyle(reasons([Check("at night", 0.93), Check("no people", 0.21), Check("two dogs", None)]))
    '     at night ✓ 0.93 · no people ✗ 0.21 · two dogs not checked'
    """
    return click.style(f"     {' · '.join(map(_reason, checks))}", dim=True)


def moved_by(collection: "Collection", session: "Session", options: "SearchOptions") -> str:
    """What the last turn changed, in a line: what came into the first results, and what it brought there."""
    from circlet.collection.moving import moved

    told = moved(collection, session.query, session.results.ids[:_FIRST], options)
    if told is None:
        return ""
    if not told.new:
        return click.style(f"     the last turn brought nothing new into the first {told.first}", dim=True)
    by = ""
    if told.by is not None:
        named = Path(told.by.what).name if told.by.of_picture else told.by.what
        by = f"; {shown(Path(told.best).name)} most by {shown(named)}"
    return click.style(f"     the last turn brought {told.new} into the first {told.first}{by}", dim=True)


def _reason(check: Check) -> str:
    if check.probability is None:
        return f"{shown(check.clause)} not checked"
    return f"{shown(check.clause)} {'✓' if check.holds else '✗'} {check.probability:.2f}"


def write_results(collection: "Collection", steps: Sequence[Results], path: Path, *, note: str = "") -> None:
    """Draw a contact sheet of these results, and say where it is."""
    from circlet.app.sheets import Sheet, write_sheet

    note = note or f"{len(steps[-1])} results, {collection.encoder_name} encoder"
    write_sheet(Sheet(steps=tuple(steps), thumbnail=collection.thumbnail, note=note), path)
    say(f"contact sheet: {path}")


def show_pictures(collection: "Collection", results: Results, *, most: int = 8) -> None:
    """The best few as small pictures in one row, in a terminal that can show them."""
    # A pipe shows no pictures, so there is nothing to find out about it.
    way = graphics.here() if sys.stdout.isatty() else None
    if way is None or not results.hits:
        return
    from PIL import Image

    row = Image.new("RGB", (most * (_THUMB + 8), _THUMB), "white")
    for number, hit in enumerate(results.hits[:most]):
        try:
            small = collection.thumbnail(hit.path, _THUMB)
        except CircletError:
            continue  # the list has its line; a picture that is gone leaves its place empty
        row.paste(small, (number * (_THUMB + 8) + (_THUMB - small.width) // 2, (_THUMB - small.height) // 2))
    click.echo(graphics.escape(row, way), nl=False)
