"""`circlet train frames`: learn to see what descriptions of one picture among a few speak of."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.train.fit import StepReport


@click.command(
    epilog="""\b
Examples:
  circlet data make tableaux --size standard --out world
  circlet train frames --data tableaux:world --out reader
  circlet eval --method reader --encoder finest --bench tableaux:frames:world:test
"""
)
@click.option(
    "--data", required=True, metavar="tableaux:FOLDER", help="The set whose films say what is to be seen."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The reader's folder.")
@click.option("--sets", type=click.IntRange(1), help="Only so many sets of ten, for a first try.")
@click.option(
    "--drawn",
    type=click.IntRange(0),
    help="So many more sets are drawn to learn from, a megabyte of memory each.  [default: 6000]",
)
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate of the eye.")
@click.option("--epochs", type=click.IntRange(1), help="Passes of the eye over the pictures.")
@click.option("--batch", type=click.IntRange(2), help="Pictures of one step.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def frames(data: str, out: Path, sets: int | None, drawn: int | None, quiet: bool, **how: Any) -> None:
    """Train a reader that picks one of a few pictures by the facts of a description.

    An eye learns where each kind of thing shows, from how films were painted; gauges learn from it how
    many there are, how much of them is visible, where they are and where they face. The training may be
    killed at any time: the same command goes on from there. OUT then works wherever a method is named.
    """
    from dataclasses import replace

    from circlet.core import UsageError
    from circlet.core.processes import processors
    from circlet.train.frames import DRAWN, LOOKING, MEASURING, check_free, open_frames, train_frames

    kind, _, place = data.partition(":")
    root = Path(place.removeprefix("frames:"))
    if kind != "tableaux" or not place:
        raise UsageError(
            f"{data}: frames are learned from films whose truth is known; make a set with "
            "`circlet data make tableaux --out world` and give --data tableaux:world"
        )
    check_free(out)
    looking = replace(LOOKING, **{name: value for name, value in how.items() if value is not None})
    measuring = replace(MEASURING, seed=looking.seed)
    with Bar("looking", "sets", quiet=quiet) as bar:
        train, validation = open_frames(
            root,
            sets=sets or 0,
            drawn=DRAWN if drawn is None else drawn,
            workers=processors(),
            progress=bar,
        )
    with Bar("training", "steps", quiet=quiet) as bar:

        def told(report: "StepReport") -> None:
            bar(report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"epoch {report.epoch}: loss {report.loss:.3f}, {report.score:.1f} of 100 on val")

        score = train_frames(train, validation, out, looking, measuring, data=data, progress=told)
    click.echo(f"{out}: on val, {score}")
    click.echo(f"Read with it: --encoder finest --method {out}")
