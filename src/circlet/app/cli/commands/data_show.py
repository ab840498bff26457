"""`circlet data show`: random examples of a benchmark as a page."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  circlet data show cirr:data/cirr:val --out cirr.html
  circlet data show tableaux:cir:data/tableaux --amount 40 --seed 3
"""
)
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), default=Path("examples.html"), show_default=True)
@click.option("--amount", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def show(name: str, out: Path, amount: int, seed: int) -> None:
    """Draw random examples as one page: reference, text, target and subset; the same for the same seed.

    Pictures that are not there are shown by their names.
    """
    from circlet.data import load_benchmark
    from circlet.experiments.report import write_examples

    benchmark = load_benchmark(name)
    write_examples(out, benchmark, amount=amount, seed=seed)
    click.echo(f"{out}: {min(amount, len(benchmark)):,} of {len(benchmark):,} queries")
