"""`circlet pick PICTURES… "words"`: the right one of a few that hardly differ."""

from dataclasses import replace
from pathlib import Path

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import harmless, say


@click.command(
    epilog="""\b
Examples:
  circlet pick burst/*.jpg "the dog looks up"
  circlet pick holidays/ "nobody on the beach" --top 3
  circlet pick kick.mp4 "the ball in the air" --json | jq -r '.results[0].path'
"""
)
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PICTURES...")
@click.argument("words")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many to show.")
@click.option("--why", "reasons", is_flag=True, help="Under each picture, which parts of the words hold.")
@click.option("--json", "form", flag_value="json", help="One JSON object: query, results.")
@encoder_options(default="builtin", show_default=True, help="builtin, clip, a hub name, a folder.")
def pick(
    pictures: tuple[Path, ...], words: str, top: int, reasons: bool, form: str | None, encoder: str
) -> None:
    """Order a few pictures that hardly differ by what is said of the one that is meant.

    PICTURES are files, folders or videos, of which frames are looked at; nothing need be indexed. The
    words come last. Each part of them counts by how much a picture stands out in it among the others.
    """
    from circlet.app.cli.hits import as_json, tell
    from circlet.collection.picking import pick as picked
    from circlet.core import UsageError
    from circlet.images.moments import file_of
    from circlet.models import load_encoder

    if not words.strip() or Path(words).exists():
        raise UsageError('say last which one is meant, as in circlet pick burst/*.jpg "her eyes are open"')
    sources = [path.expanduser().absolute() for path in pictures]
    for path in sources:
        if not file_of(path).exists():
            raise UsageError(f"{path}: no such file or folder")
    results, skipped = picked(sources, words, load_encoder(encoder))
    for line in skipped:
        say(harmless(f"skipped {line}"))
    results = replace(results, hits=results.hits[:top])
    if form == "json":
        click.echo(as_json(results))
        return
    if not reasons:
        results = results.checked([()] * len(results))
    tell(results)
