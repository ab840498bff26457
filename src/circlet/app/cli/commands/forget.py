"""`circlet forget PATH`: take pictures out of the index; the files stay where they are."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  circlet forget ~/Pictures/old.jpg         one picture (the next index run finds it again)
  circlet forget ~/Pictures                 an indexed folder with all that is in it
"""
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
def forget(paths: tuple[Path, ...]) -> None:
    """Take a picture or a folder out of the index. No file of yours is touched."""
    from circlet.collection import Collection

    collection = Collection.open()
    for path in paths:
        count = collection.forget(path)
        click.echo(f"{path}: {count:,} picture{'' if count == 1 else 's'} forgotten")
