"""`circlet train clauses`: learn to say which clauses of a query hold in a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.train.fit import StepReport


@click.command(
    epilog="""\b
Examples:
  circlet data make tableaux --size standard --out world
  circlet train clauses --data tableaux:cir:world --out clauses
  circlet eval --method 'image % 1000 >> clauses' --encoder finest --bench tableaux:aspects:world:test
"""
)
@click.option(
    "--data", required=True, metavar="tableaux:FOLDER", help="The set whose scene graphs say what holds."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The scorer's folder.")
@encoder_options(default="finest", show_default=True)
@click.option(
    "--drawn",
    type=click.IntRange(0),
    default=400,
    show_default=True,
    help="Scenes to learn from, so many threes of each aspect, which no encoder saw; 0 takes the set's own.",
)
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate.")
@click.option("--epochs", type=click.IntRange(1), help="Passes over the families of look-alikes.")
@click.option("--batch", type=click.IntRange(2), help="Families of one step.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def clauses(data: str, out: Path, encoder: str, drawn: int, quiet: bool, **how: Any) -> None:
    """Train a scorer that checks every clause of a query in every candidate.

    Pictures are encoded once and kept. The training may be killed at any time: the same command goes
    on from there. OUT then works behind >> wherever a method is named: --method 'edits % 200 >> OUT'.
    """
    from dataclasses import replace

    from circlet.core import UsageError
    from circlet.data.tableaux.tasks.clauses import read_look_alikes
    from circlet.models import load_encoder
    from circlet.train.clauses import RECIPE, learned_from, open_clauses, train_clauses

    kind, _, place = data.partition(":")
    root = Path(place.removeprefix("cir:"))
    if kind != "tableaux" or not place:
        raise UsageError(
            f"{data}: clauses are learned from scenes whose truth is known; make a set with "
            "`circlet data make tableaux --out world` and give --data tableaux:world"
        )
    validation = read_look_alikes(root, "val")
    chosen = load_encoder(encoder)
    with Bar("drawing", "pictures", quiet=quiet) as bar:
        train = learned_from(root, drawn, lambda stage, done, of: bar(done, of))
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        vectors = open_clauses(train, chosen, bar), open_clauses(validation, chosen, bar)
    recipe = replace(RECIPE, **{name: value for name, value in how.items() if value is not None})
    with Bar("training", "steps", quiet=quiet) as bar:

        def told(report: "StepReport") -> None:
            bar(report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"epoch {report.epoch}: loss {report.loss:.3f}, {report.score:.1f} of 100 right on val")

        _, score = train_clauses(train, validation, vectors, chosen, out, recipe, progress=told)
    click.echo(f"{out}: on val, {score}")
    click.echo(f"Check candidates with it: --encoder {encoder} --method 'edits % 200 >> {out}'")
