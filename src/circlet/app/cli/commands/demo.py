"""`circlet demo`: thousands of drawings, three turns, a contact sheet."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.options import sheet_file, store_option
from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.dialogue import Session

REFERENCE = "automobile.png"


@click.command(
    epilog="""\b
Examples:
  circlet demo                         everything by itself; the second time it is instant
  circlet demo --sheet demo.html       the contact sheet as a page
  circlet demo --serve                 the search page over the drawings
"""
)
@click.option(
    "--sheet",
    type=sheet_file,
    metavar="FILE",
    help="Where to draw the contact sheet: .png or .html; else under CIRCLET_HOME.",
)
@click.option("--serve", "page", is_flag=True, help="Open the search page over the drawings.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="With --serve.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Only so many drawings, for a quick look.")
@store_option
def demo(sheet: Path | None, page: bool, port: int, count: int | None) -> None:
    """Show a three-turn search over more than 2,000 OpenMoji drawings.

    The drawings are rendered and indexed once, under CIRCLET_HOME; nothing is downloaded.
    """
    from circlet.app.cli.hits import line, write_results
    from circlet.app.cli.openmoji import CREDIT, pictures_of, render
    from circlet.collection import Collection
    from circlet.models import load_encoder

    folder = pictures_of(Collection.open().home)
    with Bar("drawing", "pictures") as bar:
        drawn = render(folder, bar, first=REFERENCE, most=count)
    # Handed over ready-made: which encoder your own folders use is not the demo's to decide.
    collection = Collection.open(folder, encoder=load_encoder("builtin"))
    with Bar("reading", "pictures") as bar:
        report = collection.index(bar)
    say(f"{drawn:,} drawings in {folder} ({report.encoded:,} of them read just now)")
    if page:
        from circlet.app.cli.commands.serve import run

        click.echo(CREDIT)
        run(collection, port=port, credit=CREDIT)
        return
    steps = []
    for number, session in enumerate(_turns(collection.session(top=20), folder), start=1):
        steps.append(session.results)
        click.echo(f"\nturn {number}: {session.history[-1]}")
        for hit in session.results.hits[:5]:
            click.echo(line(hit))
    click.echo()
    write_results(collection, steps, sheet or collection.home / "demo" / "circlet-demo.png", note=CREDIT)
    click.echo(CREDIT)
    click.echo(f"The drawings are in your index now; circlet forget {folder} takes them out again.")


def _turns(session: "Session", folder: Path) -> "Iterator[Session]":
    """A picture with what should be different, more words, and more like what was found."""
    session = session.say("a truck", picture=str(folder / REFERENCE))
    yield session
    session = session.say("red")
    yield session
    yield session.like(1)
