"""`circlet train encoder`: one space for the pictures and words of a collection of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.data.captions import CaptionProblem, Captions
    from circlet.train.fit import StepReport

_SHOWN = 5


@click.command(
    epilog="""\b
Examples:
  circlet train encoder --data shop/titles.csv --out shop-encoder
  circlet train encoder --data my-pictures --out mine      captions.csv, .txt files, or words inside
  circlet train encoder --data tableaux:world --out tableaux-encoder
  circlet index my-pictures --encoder mine
"""
)
@click.option(
    "--data", required=True, help="A folder, a CSV, TSV or JSONL file of captions, or tableaux:FOLDER."
)
@click.option("--out", type=click.Path(path_type=Path), help="The encoder's folder.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), help="Where a file's pictures are; else beside it."
)
@click.option(
    "--base", metavar="NAME", help="The encoder to build on: fine below 5,000 pictures, else finest."
)
@click.option(
    "--limit",
    type=click.IntRange(2),
    default=50_000,
    show_default=True,
    help="Of more pictures a random part is learned from.",
)
@click.option(
    "--drawn",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="With tableaux: families of four look-alikes that are drawn to be learned from as well.",
)
@click.option("--dim", type=click.IntRange(8, 4096), default=256, show_default=True, help="Numbers learned.")
@click.option(
    "--layers",
    type=click.IntRange(0, 12),
    default=1,
    show_default=True,
    help="Of the transformer over words.",
)
@click.option(
    "--meanings/--no-meanings",
    default=None,
    help="Read MiniLM's vectors of phrases, too: for few captions. The default is to below 5,000 pictures.",
)
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate.")
@click.option("--epochs", type=click.IntRange(1), help="At most so many passes over the pictures.")
@click.option("--batch", type=click.IntRange(2), help="Pictures compared with each other at each step.")
@click.option("--patience", type=click.IntRange(0), help="Validations without a better one; 0: never stop.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--check", is_flag=True, help="Only say what was found and what is wrong with it.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def encoder(
    data: str,
    out: Path | None,
    pictures: Path | None,
    base: str | None,
    limit: int,
    drawn: int,
    dim: int,
    layers: int,
    meanings: bool | None,
    check: bool,
    quiet: bool,
    **how: float | None,
) -> None:
    """Train an encoder on pictures with captions, titles, tags or alt texts.

    Pictures are encoded by the base once and kept; two small heads learn from there in minutes.
    One picture in ten is held back to stop by, unless a column `split` says which. The training may be
    killed at any time: the same command goes on from there. OUT then works wherever an encoder is named.
    """
    from circlet.core import UsageError

    with Bar("reading", "pictures", quiet=quiet) as bar:
        train, validation, problems = _captions(data, pictures, limit, drawn, bar)
    _tell(problems)
    if check:
        for split, one in (("train", train), ("val", validation)):
            click.echo(f"{one.name}: {len(one.files)} pictures in {split}")
        if problems:
            raise click.exceptions.Exit(1)
        return
    if out is None:
        raise UsageError("name the encoder's folder: --out my-encoder")
    from circlet.models import load_encoder
    from circlet.train.encoder import base_for, open_set, recipe_for, train_encoder

    base = base or base_for(len(train.files))
    below = load_encoder(base)
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        taught, lost = open_set(train, below, progress=bar)
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        checked, more = open_set(validation, below, progress=bar)
    _tell([*lost.values(), *more.values()])
    given = {name: value for name, value in how.items() if value is not None}
    recipe = recipe_for(len(taught.captions.files), **given)
    with Bar("training", "steps", quiet=quiet) as bar:

        def told(report: "StepReport") -> None:
            bar(report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"epoch {report.epoch}: loss {report.loss:.3f}, MAP @ 10 on val {report.score:.1f}")

        trained = train_encoder(
            taught, checked, below, out, recipe, dim=dim, layers=layers, meanings=meanings, progress=told
        )
    _draw(out, trained.fitted.history, taught.captions.name)
    click.echo(f"{out}: on {len(checked.captions.files)} pictures held back, caption to picture")
    click.echo(f"  {base} before   {trained.before}")
    click.echo(f"  this encoder   {trained.after}")
    click.echo(f"Search with it: circlet index FOLDER --encoder {out}")


def _captions(
    data: str, pictures: Path | None, limit: int, drawn: int, progress: Bar
) -> tuple["Captions", "Captions", "list[CaptionProblem]"]:
    """Train and val of what is named, and what was passed over."""
    from circlet.core.home import home
    from circlet.data.captions import own_captions, read_captions
    from circlet.data.tableaux.tasks.kin import draw_kin
    from circlet.data.tableaux.tasks.sayings import TableauxCaptions

    scheme, _, root = data.partition(":")
    if scheme == "tableaux":
        world = Path(root).expanduser()
        kin = (
            draw_kin(home() / "tableaux", drawn, lambda stage, done, of: progress(done, of))
            if drawn
            else None
        )
        return TableauxCaptions(world, "train", limit, kin), TableauxCaptions(world, "val"), []
    found, problems = read_captions(Path(data).expanduser(), pictures, progress=progress)
    train, validation = (own_captions(found, data, split, limit) for split in ("train", "val"))
    return train, validation, problems


def _tell(problems: "list[CaptionProblem] | list[str]") -> None:
    for problem in problems[:_SHOWN]:
        say(f"passed over: {problem}")
    if len(problems) > _SHOWN:
        say(f"and {len(problems) - _SHOWN} more")


def _draw(out: Path, history: object, title: str) -> None:
    from circlet.core.files import write_text
    from circlet.train.curves import curves

    drawn = curves(history, title=f"encoder on {title}", measure="MAP @ 10")  # type: ignore[arg-type]
    write_text(out / "training.svg", drawn)
