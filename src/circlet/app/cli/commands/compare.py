"""`circlet compare`: saved runs against the first of them."""

import json
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import form_option
from circlet.app.cli.terminal import harmless, say

if TYPE_CHECKING:
    from circlet.evaluate.compare import Comparison


@click.command(
    epilog="""\b
Examples:
  circlet compare sum.jsonl slerp.jsonl --bench cirr:data/cirr
  circlet compare a.jsonl b.jsonl c.jsonl --bench circo:data/circo --measure mAP@5 --json
  circlet compare a.jsonl b.jsonl --bench cirr:data/cirr --measure R@1 --measure Rsub@1 --format latex
"""
)
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), required=True)
@click.option("--bench", required=True, metavar="NAME")
@click.option(
    "--protocol", multiple=True, metavar="NAME=VALUE", help="A deviation from the default protocol."
)
@click.option("--measure", "measures", multiple=True, metavar="MEASURE")
@click.option("--draws", type=click.IntRange(100), default=10_000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@form_option
def compare(
    runs: tuple[Path, ...],
    bench: str,
    protocol: tuple[str, ...],
    measures: tuple[str, ...],
    draws: int,
    seed: int,
    as_json: bool,
    form: str,
) -> None:
    """Compare runs with the first: difference with its 95% interval, and whether it is significant.

    Paired randomisation test, corrected by Holm's rule over all comparisons printed; * is p < 0.05,
    ** is p < 0.01 after correction. The t-test's p stands beside it, uncorrected.
    """
    from circlet.core import UsageError
    from circlet.data import load_benchmark
    from circlet.evaluate import RankMeasure, judge_run, read_run
    from circlet.evaluate.compare import compare as compared
    from circlet.evaluate.measures.parse import parse_measures
    from circlet.evaluate.report.tables import comparison_table
    from circlet.evaluate.result import default_measures
    from circlet.experiments.bench import named, options

    asked = {name: str(value) for name, value in options(protocol, "--protocol").items()}
    benchmark = load_benchmark(bench, protocol=asked)
    chosen = [
        one for one in parse_measures(measures) or default_measures(benchmark) if isinstance(one, RankMeasure)
    ]
    if not chosen:
        raise UsageError(
            "runs are compared by ranks, query by query: give --measure 'Recall @ 10' or the like"
        )
    judged = {}
    for path in runs:
        run = read_run(path, benchmark)
        names = (named(run, path), path.stem, str(path))
        judged[next((name for name in names if name not in judged), str(path))] = judge_run(run, benchmark)
    comparisons = compared(judged, chosen, draws=draws, seed=seed)
    notes = [f"note: {name}: {remark}" for name, one in judged.items() for remark in one.remarks]
    if as_json or form in ("table", "csv"):
        for note in notes:
            say(harmless(note))
    if as_json:
        rows = [_plain(asdict(one) | {"difference": one.difference, "mark": one.mark}) for one in comparisons]
        document = {"protocol": benchmark.header(), "seed": seed, "draws": draws, "comparisons": rows}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
    elif form != "table":
        click.echo(comparison_table(comparisons, form, benchmark.header(), notes), nl=False)
    else:
        click.echo(benchmark.header())
        _print(comparisons)


def _print(comparisons: "list[Comparison]") -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from circlet.app.cli.tables import print_table
    from circlet.evaluate.report.tables import HEAD, compared

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in HEAD:
        table.add_column(head, justify="left" if head in HEAD[:2] else "right", no_wrap=True)
    for line in compared(comparisons):
        # As plain text: a bracket is no markup here.
        table.add_row(*map(Text, line))
    print_table(table)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row for JSON, which has no NaN: what was not ranked is null."""
    return {name: None if isinstance(value, float) and isnan(value) else value for name, value in row.items()}
