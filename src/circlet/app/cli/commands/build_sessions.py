"""`circlet build sessions`: sessions of several turns from single queries, or from a folder of pictures."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import encoder_options, rounds_options, user_options
from circlet.app.cli.servers import server_options, tell_cost, writing
from circlet.app.cli.terminal import Bar, harmless, say

if TYPE_CHECKING:
    from circlet.experiments.sessions import BuiltSessions, SessionSource
    from circlet.experiments.users import Writer


@click.command(
    name="sessions",
    epilog="""\b
Examples:
  circlet build sessions ~/Pictures --out mine/sessions.jsonl
  circlet build sessions tableaux:cir:world:val --base balanced --user truth --out sessions.jsonl
  circlet build sessions cirr:data/cirr --user captions --server http://localhost:11434/v1 --model llava \\
      --out sessions.jsonl
  circlet eval --method sum --history weighted --bench sessions.jsonl

\b
Where the released code of paper 003 differs from it, --deviate NAME does as the code: similar-texts,
first-texts, equal-pictures, seventh-turn, kept-references.
A key for the server is read from CIRCLET_LLM_KEY.
""",
)
@click.argument("source")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The .jsonl file; repeat to go on."
)
@click.option("--base", default="caption", show_default=True, metavar="METHOD", help="What searches.")
@click.option("--history", default="feedback", show_default=True, help="How its turns join.")
@encoder_options(default="builtin", show_default=True)
@rounds_options("rounds", user="captions", picks="captions")
@server_options(without="rules", model="Its model, which must see pictures.")
@click.option("--count", type=click.IntRange(1), help="At most so many sessions.")
@click.option("--epsilon", default=30, show_default=True, help="The rank that may be lost in a turn.")
@click.option("--tau", default=0.8, show_default=True, help="The likeness that no two texts may reach.")
@click.option("--deviate", multiple=True, metavar="NAME", help="As the released code does. May be repeated.")
@click.option("--seed", default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def sessions(source: str, out: Path, quiet: bool, **asked: Any) -> None:
    """Build sessions of several turns by paper 003's construction, and filter them by its four filters.

    SOURCE is a benchmark of composed queries, or a folder of your own pictures. Writes the sessions as a
    benchmark, in CIRCLED's public form (OUT.circled.json), and those that the last two filters took
    (OUT.unfiltered.jsonl). Run again to go on: nothing is made or asked for twice.
    """
    from circlet.core import UsageError
    from circlet.experiments.sessions import SessionFiles

    if out.suffix != ".jsonl":
        raise UsageError(f"{out}: sessions are written as a .jsonl file; name it so")
    with writing(asked["server"], asked["model"], quiet=quiet) as writer:
        opened = _opened(source, asked, writer, quiet)
        with Bar("building", "sessions", quiet=quiet) as bar:
            built = opened.build(SessionFiles(out), progress=bar)
    if not quiet:
        _print(built, out)


def _opened(source: str, asked: dict[str, Any], writer: "Writer", quiet: bool) -> "SessionSource":
    from circlet.build.sessions import SessionFilter
    from circlet.data import load_benchmark
    from circlet.experiments.bench import Bench
    from circlet.experiments.sessions import SessionOrder, SessionSource

    gone = tuple(asked["deviate"])
    _, user = user_options({**asked, "rounds": 6}, keep_similar="similar-texts" in gone, speaks=True)
    order = SessionOrder(
        base=asked["base"],
        history=asked["history"],
        user=user,
        count=asked["count"],
        how=SessionFilter(
            epsilon=asked["epsilon"],
            tau=asked["tau"],
            first_texts="first-texts" in gone,
            equal_pictures="equal-pictures" in gone,
        ),
        deviations=gone,
        seed=asked["seed"],
    )
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        if Path(source).expanduser().is_dir():
            folder = Path(source).expanduser().absolute()
            return SessionSource.of_folder(
                folder,
                asked["encoder"],
                order,
                writer,
                progress=bar,
                lost=lambda reason: say(harmless(f"skipped {reason}")),
                costs=partial(tell_cost, quiet=quiet),
            )
        bench = Bench(load_benchmark(source), asked["encoder"], progress=bar, seed=asked["seed"])
        _ = bench.encoded
    opened = SessionSource(bench, order, writer)
    tell_cost(opened.cost(), quiet=quiet)
    return opened


def _print(built: "BuiltSessions", out: Path) -> None:
    report = built.result.report.row()
    click.echo(built.benchmark.header())
    click.echo("| " + " | ".join(report) + " |\n|" + " ---: |" * len(report))
    click.echo("| " + " | ".join(f"{value:,}" for value in report.values()) + " |")
    lengths = [len(case.query.turns) for case in built.benchmark.cases]
    told = ", ".join(f"{lengths.count(turns)} of {turns}" for turns in sorted(set(lengths)))
    if lengths:
        click.echo(f"{sum(lengths) / len(lengths):.2f} turns on average ({told} turns)")
    for name, kept in built.swept.items():
        click.echo(f"left by {name}: " + ", ".join(f"{value:g}: {count:,}" for value, count in kept.items()))
    click.echo(f"{out}: {len(lengths):,} sessions")
    if not lengths:
        click.echo(_remedy(report), err=True)


def _remedy(report: Mapping[str, int]) -> str:
    """Which filter took most, where nothing is left, and what lets more through.

    >>> _remedy({"Init": 4, "Δ Succ": 3, "Δ Multi": 1, "Final": 0}).partition(":")[0]
    'no session is left, most of them because the target did not come among the first ten'
    """
    if not report["Init"]:
        return "no session was begun, as no two pictures are alike enough: name a folder of more pictures"
    most = max(_TAKEN, key=lambda name: report.get(name, 0))
    why, more = _TAKEN[most]
    return f"no session is left, most of them because {why}: {more}"


# What each filter takes, and what lets more through.
_TAKEN = {
    "Δ Succ": (
        "the target did not come among the first ten",
        "name another --base or --encoder, or a folder of more pictures",
    ),
    "Δ Multi": (
        "the target was found in the first turn",
        "name a folder of more pictures, or a benchmark with a larger gallery",
    ),
    "Δ Rank": ("the target's rank fell in a turn", "raise --epsilon"),
    "Δ Text": ("two of their texts say the same", "raise --tau"),
}
