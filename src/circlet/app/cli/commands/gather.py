"""`circlet gather`: pictures from shards, datasets or a table of addresses, as a folder to index."""

from pathlib import Path

import click

from circlet.app.cli.terminal import Bar, say


@click.command(
    epilog="""\b
Examples:
  circlet gather shards/000*.tar --into pictures      webdataset shards; texts beside pictures come along
  circlet gather products.csv --into pictures         a column of addresses, fetched once each
  circlet gather food.parquet --into pictures         a Hugging Face dataset, or the folder of one
  circlet index pictures
"""
)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SOURCE...")
@click.option("--into", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--column", default="", help="The column of pictures or addresses, if its name does not tell.")
def gather(sources: tuple[Path, ...], into: Path, column: str) -> None:
    """Bring pictures from elsewhere into a folder that can be indexed.

    SOURCE is a webdataset shard (.tar), a table (.csv, .tsv) with a column of addresses, or a Hugging
    Face dataset (a parquet file, or a folder that `datasets` reads). Safe to repeat: what is there is not
    fetched again. Everything that fails is named with the reason.
    """
    from circlet.images.gathering import gather as gathered

    failed = 0
    for source in sources:
        with Bar("gathering", "pictures") as bar:
            if source.is_dir() or source.suffix == ".parquet":
                from circlet.core.extras import needed

                needed("datasets")
                from circlet.data.foreign import gather_rows

                done = gather_rows(source, into, column=column, progress=bar)
            else:
                done = gathered(source, into, column=column, progress=bar)
        for what, reason in done.failed:
            say(f"not gathered {what}: {reason}")
        failed += len(done.failed)
        click.echo(f"{source}: {done}")
    raise click.exceptions.Exit(1 if failed else 0)
