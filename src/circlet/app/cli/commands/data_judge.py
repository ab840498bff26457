"""`circlet data judge`: what built sessions are worth, by paper 003's five scores."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from circlet.build.sessions.judging import SessionScore
    from circlet.core import Benchmark, Case
    from circlet.experiments.users import Writer

_TRIES = 8


@click.command(
    epilog="""\b
Examples:
  circlet data judge sessions.jsonl sessions.unfiltered.jsonl --concat tableaux:cir:world:val
  circlet data judge sessions.jsonl --server http://localhost:11434/v1 --model llava --most 60
"""
)
@click.argument("files", nargs=-1, required=True)
@click.option("--concat", metavar="BENCH", help="Beside them, single queries of this benchmark put together.")
@click.option(
    "--server", metavar="URL", help="A chat server that sees pictures. Without it: rules (tableaux)."
)
@click.option("--model", metavar="NAME", help="Its model; not the one that wrote the sessions.")
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
    from circlet.experiments.users import Writer
    from circlet.models.chat import Chat

    writer = Writer(Chat.from_environment(server, model, tries=_TRIES) if server else None)
    sources = {name: load_benchmark(name) for name in files}
    if concat:
        sources["concatenated"] = concatenated(load_benchmark(concat), most)
    cut = {name: bench.only(bench.queries[:most]) for name, bench in sources.items()}
    if writer.chat is not None:
        _tell_cost(cut)
    judged = {name: _judge_of(bench, writer)(bench.cases) for name, bench in cut.items()}
    rows = table(judged)
    click.echo("| " + " | ".join(rows[0]) + " |\n|" + " --- |" * len(rows[0]))
    for row in rows[1:]:
        click.echo("| " + " | ".join(row) + " |")
    if writer.chat is not None:
        click.echo(f"{writer.name}: {writer.chat.bill}")
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
    from circlet.build.sessions.judging import by_model, by_rule
    from circlet.experiments.users import scenes_of
    from circlet.images import open_picture
    from circlet.models.encoders.sentences import Sentences

    if writer.ask is None:
        return by_rule(scenes_of(bench), Sentences().texts)
    return by_model(writer.ask, lambda id: open_picture(bench.images[id]))


def _tell_cost(sources: "dict[str, Benchmark]") -> None:
    from circlet.build.sessions.judging import JUDGE
    from circlet.models.chat import tokens

    cases = [case for bench in sources.values() for case in bench.cases]
    sent = sum(tokens(JUDGE, 1 + len(case.query.turns)) for case in cases)
    say(f"{len(cases):,} calls and about {sent:,} tokens to be sent, less what was answered before")
