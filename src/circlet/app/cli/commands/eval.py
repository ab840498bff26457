"""`circlet eval`: measure methods and saved runs on a benchmark."""

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import (
    benchmark_options,
    form_option,
    opened_bench,
    relevance_option,
    rounds_options,
)
from circlet.app.cli.servers import server_options
from circlet.app.cli.terminal import Bar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circlet.evaluate import Measure, Result
    from circlet.evaluate.files.npz import GivenFeatures
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import Bench
    from circlet.experiments.explain import Explained


@click.command(
    name="eval",
    epilog="""\b
Examples:
  circlet eval --run run.jsonl --bench cirr:data/cirr --json
  circlet eval --method sum --method slerp --bench cirr:data/cirr
  circlet eval --method sum --with balance=0.4 --bench fashioniq:data/fashioniq --save run.jsonl
  circlet eval --run submission.json --bench 'circo:data/circo:val?map=truths'
  circlet eval --features mine.npz --bench cirr:data/cirr --measure R@1 --measure Rsub@1
  circlet eval --method text --bench imagecode:data/imagecode --explain length,distance
  circlet eval --method default --bench tableaux:cir:data/tableaux --html report.html
  circlet eval --run run.jsonl --relevance clauses --bench tableaux:relevance:data/tableaux
  circlet eval --method balanced --history belief --bench tableaux:cir:data/tableaux --rounds 5
  circlet eval --method sum --bench cirr:data/cirr --rounds 5 --user instruct --user-with words=10 \\
      --server http://localhost:11434/v1 --model llava
""",
)
@benchmark_options
@click.option(
    "--run",
    "runs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A saved run: circlet JSONL, TREC, .npz, or a test server's submission. May be repeated.",
)
@click.option(
    "--features",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE.npz",
    help="Your own vectors: image_ids, image_vectors, query_ids, query_vectors. May be repeated.",
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
    help="R@10, Rsub@1, mAP@5, 'Hits(turn=3) @ 10', … instead of the benchmark's own. May be repeated.",
)
@relevance_option
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
    help="Save the run; a .trec file is written in TREC form, a .npz file as arrays.",
)
@click.option(
    "--explain",
    metavar="FACTORS",
    help="Pearson's r of every query's score with its length, with the distance in its set, or both.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@rounds_options()
@server_options(without="a simulated user goes by rules", model="Its model, which must see pictures.")
@form_option
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a report page.")
def evaluate(**asked: Any) -> None:
    """Measure a method or a saved run on a benchmark, with the protocol printed beside the numbers.

    Numbers are percentages. A query that a run does not rank scores zero; a picture that scores
    the same as the target counts as ahead of it.
    """
    from circlet.app.cli.tables import print_rows
    from circlet.core import UsageError
    from circlet.evaluate.files.npz import read_features
    from circlet.evaluate.measures.parse import parse_measures
    from circlet.experiments.bench import with_relevance

    runs, others = asked["runs"], len(asked["methods"]) + len(asked["features"])
    if not runs and not others and not asked["relevance"]:
        raise UsageError("nothing to measure: give --method NAME, --features FILE.npz or --run FILE")
    if not others and not asked["relevance"]:
        # It ends soon and hardly makes garbage; looking for some takes longer than measuring.
        gc.disable()
    if asked["save"] and others + (1 if asked["merge"] else len(runs)) != 1:
        raise UsageError("--save keeps one run: give one --method, or parts of a run with --merge")
    if asked["server"] and not asked["rounds"]:
        raise UsageError("--server writes for a simulated user: say how many --rounds it plays")
    if asked["relevance"] and asked["rounds"]:
        raise UsageError("--relevance scores the results of one ranking a query: leave --rounds out")
    factors = _factors(asked["explain"])
    measures = parse_measures(asked["measures"])
    with Bar("encoding", "pictures") as bar:
        bench = opened_bench(asked, bar)
        measures = with_relevance(measures, bench.benchmark, asked["relevance"])
        if asked["relevance"]:
            # A name that is wrong shows before any picture is encoded.
            _ = bench.scorer
        given = [
            read_features(path, {query.id for query in bench.benchmark.queries}) for path in asked["features"]
        ]
        baselines: list[Result] = []
        if asked["rounds"]:
            from circlet.app.cli.commands.eval_rounds import rounds_entries

            entries, baselines = rounds_entries(asked, bench, measures)
        else:
            entries = _entries(asked, bench, given, measures)
        last = entries[-1].judged
        if asked["baselines"] and not asked["rounds"]:
            baselines = bench.baselines(measures) if asked["methods"] else bench.chance(measures, last)
        explained = _explained(bench, entries, given, measures, factors)
    if asked["html"]:
        from circlet.experiments.report import write_report

        write_report(asked["html"], last.benchmark if last else bench.benchmark, entries, baselines)
    rows = [entry.result for entry in entries]
    if asked["average"]:
        rows = _averaged(rows)
    print_rows(rows, baselines, "json" if asked["as_json"] else asked["form"], explained)


def _factors(text: str | None) -> "Sequence[str]":
    if text is None:
        return ()
    from circlet.experiments.explain import factors_of

    return factors_of(text)


def _entries(
    asked: dict[str, Any], bench: "Bench", given: "list[GivenFeatures]", measures: "Sequence[Measure]"
) -> "list[ReportRow]":
    """The rows of runs, features and methods; the one run that is to be kept is saved."""
    from circlet.core import UsageError
    from circlet.evaluate import read_run
    from circlet.evaluate.files.runs import save_run
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import named, options

    entries = []
    runs = [read_run(path, bench.benchmark) for path in asked["runs"]]
    if asked["merge"] and runs:
        runs = [runs[0].merge(runs[1:])]
    for path, run in zip(asked["runs"], runs, strict=False):
        entries.append(ReportRow(bench.run_row(run, named(run, path), measures), run))
    for features in given:
        row, run = bench.features_row(features, measures, top=asked["top"])
        entries.append(ReportRow(row, run))
    for name in asked["methods"]:
        method = bench.method(name, **options(asked["given"], "--with"))
        row, run = bench.row(method, name, measures, top=asked["top"])
        entries.append(ReportRow(row, run))
    if asked["relevance"] and not bench.benchmark.galleries:
        entries.append(ReportRow(*bench.scorer_row(measures)))
    if not entries:
        raise UsageError("--relevance scores what a method finds: give --method NAME or --run FILE")
    if asked["save"] and entries[0].run:
        save_run(entries[0].run, asked["save"])
    return entries


def _explained(
    bench: "Bench",
    entries: "list[ReportRow]",
    given: "list[GivenFeatures]",
    measures: "Sequence[Measure]",
    factors: "Sequence[str]",
) -> "list[Explained]":
    """What goes with the scores of every row; distances are those of its own features or the encoder's."""
    if not factors:
        return []
    from circlet.experiments.explain import distances, explain, lengths

    own = {features.method: features.pictures for features in given}
    rows = []
    for entry in entries:
        if entry.judged is not None:
            on = entry.judged.benchmark
            values = {
                name: lengths(on)
                if name == "length"
                else distances(on, own.get(entry.result.method) or bench.encoded.pictures)
                for name in factors
            }
            rows += explain(entry.result, measures, values)
    return rows


def _averaged(rows: "list[Result]") -> "list[Result]":
    from circlet.evaluate.result import over_seeds

    together: dict[str, list[Result]] = {}
    for row in rows:
        together.setdefault(row.method, []).append(row)
    return [over_seeds(same) for same in together.values()]
