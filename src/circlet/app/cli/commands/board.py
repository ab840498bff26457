"""`circlet board`: saved runs and results of a folder as one page."""

from pathlib import Path

import click

from circlet.app.cli.terminal import say


@click.command(
    epilog="""\b
Examples:
  circlet eval --method sum --bench cirr:data/cirr --json > results/sum.json
  circlet board results --out board.html
  circlet board runs --bench cirr:data/cirr --bench fashioniq:data/fashioniq
"""
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--bench",
    "benches",
    multiple=True,
    metavar="NAME",
    help="Measure the saved runs that were made under its protocol. May be repeated.",
)
@click.option("--measure", "measures", multiple=True, metavar="MEASURE", help="R@1, mAP@5, … of saved runs.")
@click.option("--title", default="Results", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("board.html"), show_default=True)
def board(folder: Path, benches: tuple[str, ...], measures: tuple[str, ...], title: str, out: Path) -> None:
    """Collect saved runs and results (what eval --json prints) into one page that can be sorted.

    Method, numbers, seed, fingerprint and file of each. Numbers of different protocols never stand in
    one table; what could not be measured is listed with the reason.
    """
    from circlet.core import UsageError
    from circlet.core.files import write_text
    from circlet.data import load_benchmark
    from circlet.evaluate.measures.parse import parse_measures
    from circlet.evaluate.report.board import board as page
    from circlet.evaluate.report.board import together
    from circlet.experiments.collecting import ENDINGS, collect

    rows, left_out = collect(folder, [load_benchmark(name) for name in benches], parse_measures(measures))
    for file, reason in left_out.items():
        say(f"note: {file}: {reason}")
    if not rows:
        raise UsageError(
            f"{folder}: nothing to show, neither a result nor a run that could be measured "
            f"({', '.join(ENDINGS)}); save what circlet eval --json prints there, or give --bench"
        )
    write_text(out, page(title, rows, left_out))
    counts = ((len(rows), "row"), (len(together(rows)), "table"), (len(left_out), "file"))
    shown, tables, gone = (f"{amount:,} {name}{'' if amount == 1 else 's'}" for amount, name in counts)
    click.echo(f"{out}: {shown} in {tables}, {gone} left out")
