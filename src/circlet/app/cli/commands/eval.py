"""`circlet eval`: measure methods and saved runs on a benchmark."""

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import benchmark_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circlet.core import Benchmark
    from circlet.evaluate import Measure, Result
    from circlet.evaluate.report.page import ReportRow


@click.command(
    name="eval",
    epilog="""\b
Examples:
  circlet eval --run run.jsonl --bench cirr:data/cirr --json
  circlet eval --method sum --method slerp --bench cirr:data/cirr
  circlet eval --method sum --with balance=0.4 --bench fashioniq:data/fashioniq --save run.jsonl
  circlet eval --run submission.json --bench 'circo:data/circo:val?map=truths'
  circlet eval --method default --bench tableaux:cir:data/tableaux --html report.html
""",
)
@benchmark_options
@click.option(
    "--run",
    "runs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A saved run: circlet JSONL, TREC, or a test server's submission. May be repeated.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="A method by name, or the folder of a trained one. May be repeated.",
)
@click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="An option of the method.")
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="'Recall @ 10', 'MAP @ 5', … instead of the benchmark's own. May be repeated.",
)
@click.option(
    "--baselines/--no-baselines", default=True, show_default=True, help="Rows that give the numbers a scale."
)
@click.option("--merge", is_flag=True, help="The runs are parts of one.")
@click.option("--average", is_flag=True, help="Runs of one method become one row: mean ± spread over seeds.")
@click.option("--top", type=click.IntRange(1), default=50, show_default=True, help="Depth of a saved run.")
@click.option(
    "--save",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the run; a .trec file is written in TREC form.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--format", "form", type=click.Choice(["table", "csv", "markdown", "latex"]), default="table")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report page.")
def evaluate(**asked: Any) -> None:
    """Measure a method or a saved run on a benchmark, with the protocol printed beside the numbers.

    Numbers are percentages. A query that a run does not rank scores zero; a picture that scores
    the same as the target counts as ahead of it.
    """
    from circlet.app.cli.tables import print_rows
    from circlet.core import UsageError
    from circlet.evaluate.measures.parse import parse_measures

    runs, methods = asked["runs"], asked["methods"]
    if not runs and not methods:
        raise UsageError("nothing to measure: give --method NAME or --run FILE")
    if not methods:
        # It ends soon and hardly makes garbage; looking for some takes longer than measuring.
        gc.disable()
    if asked["save"] and len(methods) + (1 if asked["merge"] else len(runs)) != 1:
        raise UsageError("--save keeps one run: give one --method, or parts of a run with --merge")
    benchmark, entries, baselines = _entries(asked, parse_measures(asked["measures"]))
    if asked["html"]:
        from circlet.experiments.report import write_report

        write_report(asked["html"], benchmark, entries, baselines)
    rows = [entry.result for entry in entries]
    if asked["average"]:
        rows = _averaged(rows)
    print_rows(rows, baselines, "json" if asked["as_json"] else asked["form"])


def _entries(
    asked: dict[str, Any], measures: "Sequence[Measure]"
) -> "tuple[Benchmark, list[ReportRow], list[Result]]":
    """The rows of runs and methods, the baselines beside them, and the benchmark as it was measured."""
    from circlet.app.cli.options import opened_bench
    from circlet.app.cli.terminal import Bar
    from circlet.evaluate import measure, read_run, write_run
    from circlet.evaluate.files.trec import write_trec
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import named, options

    with Bar("encoding", "pictures") as bar:
        bench = opened_bench(asked, bar)
        entries = []
        runs = [read_run(path, bench.benchmark) for path in asked["runs"]]
        if asked["merge"] and runs:
            runs = [runs[0].merge(runs[1:])]
        for path, run in zip(asked["runs"], runs, strict=False):
            entries.append(ReportRow(measure(run, bench.benchmark, measures, method=named(run, path)), run))
        for name in asked["methods"]:
            method = bench.method(name, **options(asked["given"], "--with"))
            row, run = bench.row(method, name, measures, top=asked["top"])
            entries.append(ReportRow(row, run))
        if asked["save"] and entries[0].run:
            write = write_trec if asked["save"].suffix == ".trec" else write_run
            write(entries[0].run, asked["save"])
        baselines: list[Result] = []
        if asked["baselines"]:
            baselines = bench.baselines(measures) if asked["methods"] else bench.chance(measures)
        benchmark = bench.encoded.benchmark if asked["methods"] else bench.benchmark
    return benchmark, entries, baselines


def _averaged(rows: "list[Result]") -> "list[Result]":
    from circlet.evaluate.result import over_seeds

    together: dict[str, list[Result]] = {}
    for row in rows:
        together.setdefault(row.method, []).append(row)
    return [over_seeds(same) for same in together.values()]
