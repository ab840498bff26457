"""`circlet data judge`: what built sessions are worth, by paper 003's five scores."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.servers import server_options, tell_cost, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from circlet.build.sessions.judging import SessionScore
    from circlet.core import Benchmark, Case
    from circlet.experiments.users import Cost, Writer


@click.command(
    epilog="""\b
Examples:
  circlet data judge sessions.jsonl sessions.unfiltered.jsonl --concat tableaux:cir:world:val
  circlet data judge sessions.jsonl --server http://localhost:11434/v1 --model llava --most 60
"""
)
@click.argument("files", nargs=-1, required=True)
@click.option("--concat", metavar="BENCH", help="Beside them, single queries of this benchmark put together.")
@server_options(
    without="rules (tableaux)",
    model="Its model, which must see pictures; not the one that wrote the sessions.",
)
@click.option(
    "--most", type=click.IntRange(1), default=500, show_default=True, help="Sessions of each source."
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write every session's scores.")
def judge(
    files: tuple[str, ...],
    concat: str | None,
    server: str | None,
    model: str | None,
    most: int,
    out: Path | None,
) -> None:
    """Score sessions from 1 to 5: natural, coherence, progress, redundancy, overall.

    FILES are benchmarks of sessions, as `circlet build sessions` writes them. By rule, progress is read off
    the scene graphs, redundancy off the likeness of texts and coherence off what was asked and is true.
    """
    from circlet.build.sessions.judging import concatenated, table
    from circlet.core.files import write_lines
    from circlet.data import load_benchmark

    sources = {name: load_benchmark(name) for name in files}
    if concat:
        sources["concatenated"] = concatenated(load_benchmark(concat), most)
    cut = {name: bench.only(bench.queries[:most]) for name, bench in sources.items()}
    with writing(server, model) as writer:
        if writer.chat is not None:
            tell_cost(_cost(cut))
        judged = {name: _judge_of(bench, writer)(bench.cases) for name, bench in cut.items()}
    rows = table(judged)
    click.echo("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
    for row in rows[1:]:
        click.echo("| " + " | ".join(row) + " |")
    if out:
        write_lines(
            out,
            (
                {"source": name, "session": one.id, "turns": one.turns}
                | {score: value if value == value else None for score, value in one.scores.items()}
                for name, each in judged.items()
                for one in each
            ),
        )


def _judge_of(bench: "Benchmark", writer: "Writer") -> "Callable[[Sequence[Case]], list[SessionScore]]":
    from circlet.build.sessions.judging import by_model, by_rule, read_scores
    from circlet.core import UsageError
    from circlet.experiments.users import scenes_of
    from circlet.images import open_picture
    from circlet.models.encoders.sentences import Sentences

    # An answer without scores is not kept: the next run asks again.
    ask = writer.asking(lambda answer: read_scores(answer) is not None)
    if ask is not None:
        return by_model(ask, lambda id: open_picture(bench.images[id]))
    try:
        scenes = scenes_of(bench)
    except UsageError:
        raise UsageError(
            f"rules judge sessions of tableaux, whose scenes are known, and {bench.name} has no scenes: "
            "name a model that sees pictures with --server URL --model NAME"
        ) from None
    return by_rule(scenes, Sentences().texts)


def _cost(sources: "dict[str, Benchmark]") -> "Cost":
    from circlet.build.sessions.judging import JUDGE, TRIES
    from circlet.experiments.users import Cost
    from circlet.models.chat import tokens

    cases = [case for bench in sources.values() for case in bench.cases]
    sent = sum(tokens(JUDGE, 1 + len(case.query.turns)) for case in cases)
    return Cost(TRIES * len(cases), TRIES * sent)
