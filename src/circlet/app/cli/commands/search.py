"""`circlet search PICTURE WORDS`: one question, one answer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from circlet.app.cli.options import (
    collection_options,
    opened,
    options_of,
    search_options,
    sheet_file,
    weight,
)
from circlet.app.cli.terminal import say


@click.command(
    epilog="""\b
Examples:
  circlet search beach.jpg "at night"             a picture, and what should be different
  circlet search "two dogs playing"               words alone; a picture alone works too
  circlet search beach.jpg "at night" --not people --weight 2:night
  circlet search "red car" --in ~/Pictures/2024 --orientation landscape --top 5
  circlet search beach.jpg --json | jq -r '.results[].path'
  circlet search beach.jpg "at night" --method 'image % 100 >> text'
  circlet search beach.jpg "at night" --sheet out.html
  circlet search beach.jpg "at night, no people" --why
  circlet search beach.jpg "at night" --rerank models/relevance

\b
Exit code: 0 when something matches, 1 when nothing does (as grep; with --json, --csv and --all
it is 0, since the answer says so itself), 2 when the command is wrong.
"""
)
@click.argument("asked", nargs=-1, required=True, metavar="[PICTURE] [WORDS]...")
@click.option("--not", "without", multiple=True, metavar="THING", help="What must not be seen; repeatable.")
@click.option(
    "--weight",
    "emphasis",
    multiple=True,
    type=weight,
    metavar="N:PHRASE",
    help="A phrase that counts more: 2:night.",
)
@click.option(
    "--balance",
    type=click.FloatRange(0, 1),
    help="The picture's share against the words, 0 to 1 (default: the method's own).",
)
@click.option("--all", "everything", is_flag=True, help="Also show what is below the cut-off.")
@click.option("--why", "reasons", is_flag=True, help="Under each result, which parts of the question hold.")
@click.option("--json", "form", flag_value="json", help="One JSON object: query, results.")
@click.option("--csv", "form", flag_value="csv", help="Comma-separated lines with a heading.")
@click.option("--sheet", type=sheet_file, metavar="FILE", help="Draw a contact sheet: .png or .html.")
@click.option("--pictures/--no-pictures", default=True, help="Thumbnails in the terminal (where it can).")
@search_options()
@collection_options
def search(
    asked: tuple[str, ...],
    everything: bool,
    reasons: bool,
    form: str | None,
    sheet: Path | None,
    pictures: bool,
    without: tuple[str, ...],
    emphasis: tuple[tuple[str, float], ...],
    balance: float | None,
    **where: Any,
) -> None:
    """Find pictures by a picture, words or both.

    An argument that names a file is the picture, everything else is words. Each further picture
    begins another turn, which changes what the turns before it found.
    """
    from circlet.app.cli.hits import as_csv, as_json, show_pictures, tell, write_results

    collection = opened(where)
    options = options_of(where)
    results = collection.search(*asked, without=without, emphasis=emphasis, balance=balance, options=options)
    if reasons or form == "json":
        results = results.checked(collection.checks(results.query, results.ids, options))
    if reasons and (untrained := collection.untrained(options)):
        results = replace(results, notes=tuple(dict.fromkeys((*results.notes, untrained))))
    if unread := collection.unread():
        say(
            f"{unread:,} indexed pictures are not searched, because this encoder has not read them: "
            f"run circlet index --encoder {collection.encoder_name}"
        )
    if form == "json":
        click.echo(as_json(results))
    elif form == "csv":
        click.echo(as_csv(results), nl=False)
    else:
        tell(results, everything=everything)
        if pictures and (results.matched or everything):
            show_pictures(collection, results)
    if sheet is not None:
        write_results(collection, (results,), sheet)
    if not results.matched and not everything and form is None:
        raise click.exceptions.Exit(1)
