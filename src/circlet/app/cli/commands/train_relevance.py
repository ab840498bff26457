"""`circlet train relevance`: learn how well a picture answers a query, by preference."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import Bar, StageBars, say

if TYPE_CHECKING:
    from circlet.train.fit import StepReport


@click.command(
    epilog="""\b
Examples:
  circlet train relevance --data tableaux:cir:world --judged tableaux:relevance:world:val --out rel
  circlet train relevance --data my-pictures --out rel      triplets.csv: reference,text,better,worse
  circlet search beach.jpg "at night" --rerank rel
  circlet eval --run run.jsonl --bench tableaux:cir:world --relevance rel
"""
)
@click.option("--data", required=True, help="A benchmark's name, a folder, or a file of your own triplets.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The scorer's folder.")
@click.option("--pictures", type=click.Path(path_type=Path), help="Where your own triplets' pictures are.")
@click.option("--split", default="train", show_default=True, help="What to train on.")
@click.option("--validate", "validation", default="val", show_default=True, help="What to stop by.")
@click.option(
    "--judged",
    metavar="BENCH",
    help="Where scores become probabilities, by its grades; else the validation queries and their targets.",
)
@encoder_options(default="builtin", show_default=True)
@click.option(
    "--start",
    type=click.Path(path_type=Path),
    metavar="CKPT",
    help="A trained composer to go on from; else a Q-Former is first trained to find targets.",
)
@click.option(
    "--negatives",
    type=click.Choice(["self-paced", "top", "all"]),
    default="self-paced",
    show_default=True,
    help="What a target is told from: the best below it, the best of all, or anything.",
)
@click.option("--first", type=click.IntRange(1), default=100, show_default=True, help="Negatives at first.")
@click.option(
    "--defined", type=click.IntRange(1), default=6, show_default=True, help="How often they are defined."
)
@click.option("--queries", type=click.IntRange(1), help="Only the first so many.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate.")
@click.option("--epochs", type=click.IntRange(1), help="Passes over the queries, by preference.")
@click.option("--batch", type=click.IntRange(2), help="Queries of one step.")
@click.option("--width", type=click.IntRange(8), default=256, show_default=True, help="Of the learned space.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def relevance(
    data: str,
    out: Path,
    pictures: Path | None,
    split: str,
    validation: str,
    judged: str | None,
    encoder: str,
    start: Path | None,
    negatives: str,
    first: int,
    defined: int,
    width: int,
    quiet: bool,
    **how: Any,
) -> None:
    """Train a scorer of relevance: every target above pictures that the scorer itself finds hard.

    Where the data says which of two pictures answers worse (a column `worse`), that one is the negative.
    The training may be killed at any time: the same command goes on from there. OUT then works as
    --rerank OUT in a search, as --relevance OUT in an evaluation, and as a method of its own.
    """
    from dataclasses import replace

    from circlet.data import load_benchmark
    from circlet.data.load import load_split
    from circlet.models import load_encoder
    from circlet.train.relevance import RECIPE, train_relevance
    from circlet.train.setup import open_setup

    train, checked = load_split(data, split, pictures), load_split(data, validation, pictures)
    fitted_on = load_benchmark(judged) if judged else None
    given = all(case.negatives and not case.subset for case in train.cases)
    recipe = replace(RECIPE, **{name: value for name, value in how.items() if value is not None})
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        also = (fitted_on,) if fitted_on else ()
        setup = open_setup(train, checked, encoder=load_encoder(encoder), also=also, progress=bar)
    with StageBars(quiet) as bars:

        def told(step: str, report: "StepReport") -> None:
            bars(step, report.step, report.steps)
            if report.score is not None and not quiet:
                at = f"{step}, epoch {report.epoch}: loss {report.loss:.3f}"
                say(f"{at}, {setup.measure!r} {report.score:.2f}")

        fitted, stands = train_relevance(
            setup,
            out,
            recipe,
            start=start,
            width=width,
            judged=fitted_on,
            progress=told,
            negatives=negatives,
            first=first,
            defined=defined,
            given=given,
        )
    click.echo(f"{out}: {setup.measure!r} {fitted.best:.2f} on {setup.validation.header()}; {stands}")
    click.echo(f'Use it: circlet search PICTURE "WORDS" --encoder {encoder} --rerank {out}')
