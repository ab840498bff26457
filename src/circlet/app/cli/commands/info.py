"""`circlet info`: what is indexed, with what, and what could not be read."""

import json
from pathlib import Path

import click

from circlet.app.cli.options import store_option
from circlet.images.files import shown


@click.command(
    epilog="""\b
Examples:
  circlet info                 folders, pictures, encoders, size on disk
  circlet info --broken        every file that could not be read, with the reason
  circlet info --json          the same for programs
  circlet info --catalogue pictures.csv    a row a picture: path, size, date, hash (or .json)
"""
)
@click.option("--broken", is_flag=True, help="List every file that could not be read, with the reason.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option(
    "--catalogue",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a row a picture: .csv or .json.",
)
@store_option
def info(broken: bool, as_json: bool, catalogue: Path | None) -> None:
    """Show what is indexed, and what could not be read."""
    from circlet.collection import Collection

    if catalogue is not None:
        from circlet.collection.catalogue import write_catalogue

        count = write_catalogue(Collection.open(), catalogue)
        click.echo(f"{catalogue}: {count:,} pictures")
        return
    known = Collection.open().info()
    if as_json:
        click.echo(json.dumps(known.to_dict(), ensure_ascii=False, indent=2))
    elif broken:
        for path, reason in known.broken.items():
            click.echo(f"{shown(path)}: {reason}")
    else:
        for line in known.lines():
            click.echo(line)
