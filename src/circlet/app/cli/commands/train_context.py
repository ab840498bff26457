"""`circlet train context`: learn which of a few pictures a description means."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import Bar, StageBars, say
from circlet.models.context.variants import VARIANTS

if TYPE_CHECKING:
    from circlet.train.fit import StepReport


@click.command(
    epilog="\b\nVariants:\n"
    + "".join(f"  {name:<20} {line}\n" for name, line in VARIANTS.items())
    + """
\b
Examples:
  circlet train encoder --data tableaux:world --out enc
  circlet train context --data tableaux:frames:world --encoder enc --out which
  circlet train context --data imagecode:imagecode --encoder enc --variant context-batch --out which
  circlet eval --bench tableaux:frames:world:test --encoder finest --method which
"""
)
@click.option("--data", required=True, help="A benchmark of sets, such as tableaux:frames:FOLDER.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The model's folder.")
@click.option(
    "--variant",
    type=click.Choice(list(VARIANTS)),
    default="temporal",
    show_default=True,
    help="How much it knows of the other pictures of a set.",
)
@encoder_options(default="finest", show_default=True)
@click.option(
    "--start",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="For context-module and temporal: a context-batch to stand on; else one is trained first.",
)
@click.option("--split", default="train", show_default=True, help="What to train on.")
@click.option("--validate", "validation", default="val", show_default=True, help="What to stop by.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate.")
@click.option("--epochs", type=click.IntRange(1), help="At most so many passes over the descriptions.")
@click.option("--batch", type=click.IntRange(2), help="Sets (or descriptions) of one step.")
@click.option(
    "--hidden",
    type=click.FloatRange(0, 1, max_open=True),
    help="The share of pictures and words that is hidden.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def context(
    data: str,
    out: Path,
    variant: str,
    encoder: str,
    start: Path | None,
    split: str,
    validation: str,
    quiet: bool,
    **how: Any,
) -> None:
    """Train a model that finds which picture of a set a description means, given all of them.

    Over a folder of `circlet train encoder` it begins with what that learned, over any other encoder from
    nothing. Pictures are encoded once and kept. The training may be killed at any time: the same command
    goes on from there. OUT then works as a method, over the encoder that is named at the end.
    """
    from circlet.data.load import load_split
    from circlet.models import load_encoder
    from circlet.train.contexts import base_of, open_sets, recipe_for, train_chain

    chosen = load_encoder(encoder)
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        train, checked = (
            open_sets(load_split(data, name), chosen, progress=bar) for name in (split, validation)
        )
    given = {name: value for name, value in how.items() if value is not None}
    with StageBars(quiet) as bars:

        def told(step: str, report: "StepReport") -> None:
            bars(step, report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"{step}, epoch {report.epoch}: loss {report.loss:.3f}, {report.score:.1f} of 100 on val")

        trained = train_chain(
            variant, train, checked, chosen, out, recipe_for(variant, **given), start=start, progress=told
        )
    below = getattr(base_of(chosen), "name", encoder)
    click.echo(f"{out}: on {checked.name}")
    click.echo(f"  what it began with   {trained.before}")
    click.echo(f"  this model           {trained.accuracy}")
    click.echo(f"Measure it: circlet eval --bench {data}:test --encoder {below} --method {out}")
