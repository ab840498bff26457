"""`circlet submit`: files for the test servers, written and checked."""

from pathlib import Path
from typing import Any

import click

from circlet.app.cli.options import benchmark_options
from circlet.app.cli.terminal import harmless

# Of a wrong file every line may be wrong; so many are shown.
SHOWN = 20


@click.group()
def submit() -> None:
    """Write and check files for the test servers of CIRR, CIRCO and ImageCoDe."""


@submit.command(
    epilog="""\b
Examples:
  circlet submit make --method sum --bench cirr:data/cirr:test1 recall.json
  circlet submit make --run run.jsonl --bench cirr:data/cirr:test1 --metric recall_subset subset.json
  circlet submit make --run run.jsonl --bench circo:data/circo:test circo.json
  circlet submit make --run run.jsonl --bench imagecode:data/imagecode:test places.json
"""
)
@benchmark_options
@click.option("--run", type=click.Path(path_type=Path), metavar="FILE", help="A saved run.")
@click.option("--method", metavar="NAME", help="A method by name, or the folder of a trained one.")
@click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="An option of the method.")
@click.option("--metric", default="", help="CIRR has two files: recall (default) and recall_subset.")
@click.argument("out", type=click.Path(path_type=Path))
def make(**asked: Any) -> None:
    """Write a run as a server wants it; what the server would refuse is refused here, with the reason."""
    from circlet.app.cli.options import opened_bench
    from circlet.app.cli.terminal import Bar
    from circlet.core import UsageError
    from circlet.evaluate import read_run
    from circlet.evaluate.files.submissions import server_of, unchecked, write_submission
    from circlet.experiments.bench import options

    if bool(asked["run"]) == bool(asked["method"]):
        raise UsageError("give either --run FILE or --method NAME")
    with Bar("encoding", "pictures") as bar:
        bench = opened_bench(asked, bar)
        server = server_of(bench.benchmark, asked["metric"])
        if asked["run"]:
            run = read_run(asked["run"], bench.benchmark)
        else:
            method = bench.method(asked["method"], **options(asked["given"], "--with"))
            run = bench.ranked(method, asked["method"], top=server.depth)
    write_submission(run, bench.benchmark, asked["out"], metric=asked["metric"])
    done = f"{asked['out']}: {len(bench.benchmark):,} queries for the {server.name} server"
    click.echo(done + _not_checked(unchecked(bench.benchmark)))


@submit.command(
    epilog="""\b
Examples:
  circlet submit check recall.json --bench cirr:data/cirr:test1
"""
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--bench", required=True, metavar="NAME", help="cirr:ROOT:test1, circo:ROOT:test or imagecode:ROOT:test."
)
def check(file: Path, bench: str) -> None:
    """Say why a server would refuse this file; exit code 1 if it would."""
    from circlet.core.files import not_endless, unread
    from circlet.data import load_benchmark
    from circlet.evaluate.files.submissions import lint_submission, unchecked

    benchmark = load_benchmark(bench)
    not_endless(file, "name a submission file")
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise unread(file, error, "name a submission file") from None
    problems = lint_submission(text, benchmark)
    for problem in problems[:SHOWN]:
        click.echo(harmless(problem))
    if len(problems) > SHOWN:
        click.echo(f"and {len(problems) - SHOWN:,} more")
    if not problems:
        rest = unchecked(benchmark)
        found = "nothing was found that" if rest else "nothing that"
        click.echo(f"{file}: {found} the server would refuse" + _not_checked(rest))
    raise click.exceptions.Exit(1 if problems else 0)


def _not_checked(rest: str) -> str:
    return f"; not checked: {rest}" if rest else ""
