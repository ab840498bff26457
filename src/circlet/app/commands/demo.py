"""`circlet demo`: thousands of drawings, three turns, a contact sheet."""

from pathlib import Path

import click

from circlet.app.commands.options import sheet_file
from circlet.app.terminal import Bar, say

# Each turn says one thing more; what is found follows.
TURNS = ("an animal", "that lives in the sea", "red")


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
def demo(sheet: Path, page: bool, port: int) -> None:
    """Show a three-turn search over more than 2,000 OpenMoji drawings.

    The drawings are rendered and indexed once, under CIRCLET_HOME; nothing is downloaded.
    """
    from circlet.app.collection import Collection
    from circlet.app.demo import CREDIT, pictures_of, render
    from circlet.app.showing import line, write_results

    folder = pictures_of(Collection.open().home)
    with Bar("drawing", "pictures") as bar:
        count = render(folder, bar)
    collection = Collection.open(folder, encoder="builtin")
    with Bar("reading", "pictures") as bar:
        report = collection.index(bar)
    say(f"{count:,} drawings in {folder} ({report.encoded:,} of them read just now)")
    if page:
        from circlet.app.commands.serve import run

        click.echo(CREDIT)
        run(collection, port=port, credit=CREDIT)
        return
    session, steps = collection.session(top=20), []
    for number, words in enumerate(TURNS, start=1):
        session = session.say(words)
        steps.append(session.results)
        click.echo(f"\nturn {number}: {words}")
        for hit in session.results.hits[:5]:
            click.echo(line(hit))
    click.echo()
    write_results(collection, steps, sheet, note=CREDIT)
    click.echo(CREDIT)
