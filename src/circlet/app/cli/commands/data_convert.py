"""`circlet data convert`: any benchmark as one circlet JSONL file, without loss."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  circlet data convert cirr:data/cirr:val cirr-val.jsonl
  circlet data convert 'fashioniq:data/fashioniq?captions=joined' joined.jsonl
"""
)
@click.argument("name")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--protocol", multiple=True, metavar="NAME=VALUE", help="A deviation from the default protocol."
)
def convert(name: str, out: Path, protocol: tuple[str, ...]) -> None:
    """Write any benchmark as one circlet JSONL file; picture paths are relative to the file."""
    from circlet.core import UsageError
    from circlet.data import load_benchmark, write_benchmark
    from circlet.experiments.bench import options

    if out.suffix != ".jsonl":
        raise UsageError(f"{out}: a circlet benchmark file is named .jsonl")
    asked = {option: str(value) for option, value in options(protocol, "--protocol").items()}
    benchmark = load_benchmark(name, protocol=asked)
    write_benchmark(benchmark, out)
    click.echo(f"{out}: {len(benchmark):,} queries, {benchmark.header()}")
