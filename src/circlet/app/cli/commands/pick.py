"""`circlet pick PICTURES… "words"`: the right one of a few that hardly differ."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import harmless, say

if TYPE_CHECKING:
    from circlet.collection import Results


@click.command(
    epilog="""\b
Examples:
  circlet pick burst/*.jpg "the dog looks up"
  circlet pick holidays/ "nobody on the beach" --top 3
  circlet pick kick.mp4 "the ball in the air" --json | jq -r '.results[0].path'
  circlet pick holidays/ "everybody looks up" --bursts
  circlet pick kick.mp4 "the ball is half hidden" --method reader --encoder finest --why
"""
)
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PICTURES...")
@click.argument("words")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many to show.")
@click.option("--bursts", is_flag=True, help="The best of each burst: taken within seconds, and alike.")
@click.option(
    "--method",
    metavar="FOLDER",
    help="What puts them in order instead: a folder of `circlet train context` or `circlet train frames`.",
)
@click.option("--why", "reasons", is_flag=True, help="Under each picture, which parts of the words hold.")
@click.option("--json", "form", flag_value="json", help="One JSON object: query, results.")
@encoder_options(default="builtin", show_default=True, help="builtin, clip, a hub name, a folder.")
def pick(
    pictures: tuple[Path, ...],
    words: str,
    top: int,
    bursts: bool,
    method: str | None,
    reasons: bool,
    form: str | None,
    encoder: str,
) -> None:
    """Order a few pictures that hardly differ by what is said of the one that is meant.

    PICTURES are files, folders or videos, of which frames are looked at; nothing need be indexed. The
    words come last. Each part of them counts by how much a picture stands out in it among the others.
    With --bursts that is done for each burst by itself, and its best is shown.
    """
    from circlet.app.cli.hits import as_json, tell
    from circlet.collection.picking import pick as picked
    from circlet.collection.picking import pick_of_each
    from circlet.core import UsageError
    from circlet.images.moments import file_of
    from circlet.models import load_encoder, load_method

    if bursts and method:
        raise UsageError("--bursts and --method do not go together: leave one out")
    if not words.strip() or Path(words).exists():
        raise UsageError('say last which one is meant, as in circlet pick burst/*.jpg "her eyes are open"')
    sources = [path.expanduser().absolute() for path in pictures]
    for path in sources:
        if not file_of(path).exists():
            raise UsageError(f"{path}: no such file or folder")
    if bursts:
        found, skipped = pick_of_each(sources, words, load_encoder(encoder))
    else:
        chosen = load_encoder(encoder)
        results, skipped = picked(
            sources, words, chosen, method=load_method(method, chosen) if method else None
        )
        found = [replace(results, hits=results.hits[:top])]
    for line in skipped:
        say(harmless(f"skipped {line}"))
    if bursts:
        _tell_bursts(found, reasons=reasons, form=form)
    elif form == "json":
        click.echo(as_json(found[0]))
    else:
        tell(found[0] if reasons else found[0].checked([()] * len(found[0])))


def _tell_bursts(found: "list[Results]", *, reasons: bool, form: str | None) -> None:
    """Each burst by its names, and its best."""
    from circlet.app.cli.hits import line
    from circlet.app.cli.hits import reasons as told
    from circlet.images.bursts import SECONDS

    if form == "json":
        bursts = {"bursts": [results.to_dict() for results in found]}
        click.echo(json.dumps(bursts, ensure_ascii=False, indent=2))
    elif not found:
        say(f"no burst: no pictures that look alike were taken within {SECONDS} seconds, by their cameras")
        raise click.exceptions.Exit(1)
    else:
        for results in found:
            best, names = results.hits[0], sorted(Path(id).name for id in results.ids)
            click.echo(harmless(f"{len(results)} pictures, {names[0]} to {names[-1]}, and the best of them:"))
            click.echo(line(best))
            if reasons and best.checks:
                click.echo(told(best.checks))
