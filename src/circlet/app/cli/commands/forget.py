"""`circlet forget PATH`: take pictures out of the index; the files stay where they are."""

import click

from circlet.app.cli.options import store_option


@click.command(
    epilog="""\b
Examples:
  circlet forget ~/Pictures/old.jpg         one picture (the next index run finds it again)
  circlet forget ~/Pictures                 an indexed folder with all that is in it
  circlet forget pictures.txt               a list, with what came into the index by it alone
  circlet forget s3://bucket/pictures       a bucket or a part of one
"""
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@store_option
def forget(paths: tuple[str, ...]) -> None:
    """Take a picture or a folder out of the index. No file of yours is touched."""
    from circlet.collection import Collection

    collection = Collection.open()
    for path in paths:
        count = collection.forget(path)
        click.echo(f"{path}: {count:,} picture{'' if count == 1 else 's'} forgotten")
