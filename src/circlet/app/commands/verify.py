"""`circlet verify`: read the whole index back."""

import click


@click.command(
    epilog="""\b
Examples:
  circlet verify               exit code 0 when everything is whole, 1 when something is not
"""
)
def verify() -> None:
    """Check the index from end to end: the catalogue, every vector, and that they belong together."""
    from circlet.app.collection import Collection

    collection = Collection.open()
    faults = collection.verify()
    for fault in faults:
        click.echo(fault)
    if not faults:
        click.echo(f"{collection.home}: whole")
    raise click.exceptions.Exit(1 if faults else 0)
