"""`circlet compare`: saved runs against the first of them."""

import json
from dataclasses import asdict
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import (
    bench_options,
    form_option,
    opened_bench,
    relevance_option,
)
from circlet.app.cli.terminal import Bar, harmless, say

if TYPE_CHECKING:
    from circlet.evaluate import Evidence
    from circlet.evaluate.compare import Comparison


@click.command(
    epilog="""\b
Examples:
  circlet compare sum.jsonl slerp.jsonl --bench cirr:data/cirr
  circlet compare a.jsonl b.jsonl c.jsonl --bench circo:data/circo --measure mAP@5 --json
  circlet compare a.jsonl b.jsonl --bench cirr:data/cirr --measure R@1 --measure Rsub@1 --format latex
  circlet compare a.jsonl b.jsonl --bench tableaux:relevance:data/tableaux --measure Grade@10 \\
      --measure Rel@10 --relevance clauses
"""
)
@click.argument("runs", nargs=-1, type=click.Path(path_type=Path), required=True)
@bench_options
@click.option("--measure", "measures", multiple=True, metavar="MEASURE")
@relevance_option
@click.option("--draws", type=click.IntRange(100), default=10_000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@form_option
def compare(runs: tuple[Path, ...], measures: tuple[str, ...], **asked: Any) -> None:
    """Compare runs with the first: difference with its 95% interval, and whether it is significant.

    Paired randomisation test, corrected by Holm's rule over all comparisons printed; * is p < 0.05,
    ** is p < 0.01 after correction. The t-test's p stands beside it, uncorrected. Spearman and
    PreferenceRate are compared by a bootstrap over queries.
    """
    from circlet.evaluate import Evidence, read_run
    from circlet.evaluate.compare import compare as compared
    from circlet.evaluate.measures.parse import parse_measures
    from circlet.evaluate.report.tables import comparison_table
    from circlet.evaluate.result import default_measures
    from circlet.experiments.bench import named, with_relevance

    given: dict[str, Evidence] = {}
    with Bar("encoding", "pictures") as bar:
        bench = opened_bench(asked, bar)
        benchmark, seed, draws = bench.benchmark, asked["seed"], asked["draws"]
        chosen = with_relevance(parse_measures(measures), benchmark, asked["relevance"])
        chosen = chosen or default_measures(benchmark)
        for path in runs:
            run = read_run(path, benchmark)
            names = (named(run, path), path.stem, str(path))
            name = next((name for name in names if name not in given), str(path))
            given[name] = Evidence(benchmark, run, scored=bench.scored(run, benchmark, chosen))
    comparisons = compared(given, chosen, draws=draws, seed=seed)
    notes = [f"note: {name}: {remark}" for name, one in given.items() for remark in _remarks(one)]
    as_json, form = asked["as_json"], asked["form"]
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


def _remarks(one: "Evidence") -> list[str]:
    """What is to be said of a run's ranks, and of who scored its results."""
    said = [*one.counted.remarks] if one.counted else []
    return said + ([one.scored.said, *one.scored.remarks] if one.scored else [])


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
