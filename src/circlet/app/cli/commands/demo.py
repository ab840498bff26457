"""`circlet demo`: thousands of drawings, three turns, a contact sheet."""

from pathlib import Path

import click

from circlet.app.cli.options import sheet_file
from circlet.app.cli.terminal import Bar, say

# The first turn shows a drawing, each further one says what should be different.
REFERENCE = "automobile.png"
TURNS = ("", "a truck", "red")


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
    default="circlet-demo.png",
    show_default=True,
    metavar="FILE",
    help="Where to draw the contact sheet: .png or .html.",
)
@click.option("--serve", "page", is_flag=True, help="Open the search page over the drawings.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="With --serve.")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Only so many drawings, for a quick look.")
def demo(sheet: Path, page: bool, port: int, count: int | None) -> None:
    """Show a three-turn search over more than 2,000 OpenMoji drawings.

    The drawings are rendered and indexed once, under CIRCLET_HOME; nothing is downloaded.
    """
    from circlet.app.cli.drawings import CREDIT, pictures_of, render
    from circlet.app.cli.hits import line, write_results
    from circlet.collection.collection import Collection
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
    session, steps = collection.session(top=20), []
    for number, words in enumerate(TURNS, start=1):
        session = session.say(words, picture=str(folder / REFERENCE) if number == 1 else None)
        steps.append(session.results)
        click.echo(f"\nturn {number}: {session.history[-1]}")
        for hit in session.results.hits[:5]:
            click.echo(line(hit))
    click.echo()
    write_results(collection, steps, sheet, note=CREDIT)
    click.echo(CREDIT)
    click.echo(f"The drawings are in your index now; circlet forget {folder} takes them out again.")
