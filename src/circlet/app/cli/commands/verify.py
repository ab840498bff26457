"""`circlet verify`: read the whole index back."""

import click

from circlet.app.cli.options import store_option


@click.command(
    epilog="""\b
Examples:
  circlet verify               exit code 0 when everything is whole, 1 when something is not
  circlet verify --repair      drop damaged vectors; the next `circlet index` makes them again
"""
)
@click.option(
    "--repair", is_flag=True, help="Drop the vectors that are damaged, so that they are made again."
)
@store_option
def verify(repair: bool) -> None:
    """Check the index from end to end: the catalogue, every vector, and that they belong together."""
    from circlet.collection import Collection
    from circlet.index import public_address

    collection = Collection.open()
    if repair:
        for line in collection.repair():
            click.echo(f"dropped, run circlet index: {line.partition(': `')[0]}")
    faults = collection.verify()
    for fault in faults:
        click.echo(fault)
    if not faults:
        click.echo(f"{public_address(collection.location)}: whole")
    raise click.exceptions.Exit(1 if faults else 0)
