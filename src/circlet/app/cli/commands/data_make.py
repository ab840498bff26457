"""`circlet data make tableaux`: a world of its own, drawn on this machine."""

from pathlib import Path

import click

from circlet.app.cli.terminal import StageBars, say


@click.group()
def make() -> None:
    """Make a dataset that anybody can have."""


@make.command(
    epilog="""\b
Examples:
  circlet data make tableaux --size small --out tableaux       360 scenes, half a minute
  circlet data make tableaux --size standard --out tableaux    10,000 scenes, 30,000 pairs
  circlet eval --method sum --bench tableaux:cir:tableaux:val

\b
Art: OpenMoji (openmoji.org), CC BY-SA 4.0; so are the pictures drawn from it.
"""
)
@click.option("--size", default="small", show_default=True, help="small, standard or large.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="The folder to write; repeat to go on."
)
@click.option("--seed", default=0, show_default=True, help="Another number, another world.")
@click.option("--side", default=224, show_default=True, help="Pixels of a picture's side, 224 and up.")
@click.option(
    "--encoder",
    default="builtin",
    show_default=True,
    help="What finds look-alikes: builtin, clip, a folder …, or looks (colours alone, the same everywhere).",
)
@click.option("--workers", default=2, show_default=True, help="Processes that draw.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def tableaux(size: str, out: Path, seed: int, side: int, encoder: str, workers: int, quiet: bool) -> None:
    """Draw the tableaux world: scenes from OpenMoji art with their true scene graphs.

    Writes pictures, graphs (scenes.SPLIT.jsonl) and five benchmarks for train, val and test:
    cir, aspects, frames, relevance and judges, named tableaux:cir:FOLDER:val and so on.
    """
    from circlet.build.tableaux import make as make_tableaux
    from circlet.core import UsageError

    if side < 224:
        raise UsageError(f"pictures of {side} pixels are too small to tell things apart: 224 and up")
    looker = None
    if encoder != "looks":
        from circlet.models import load_encoder
        from circlet.models.features import FileVectors

        looker = FileVectors(load_encoder(encoder))
    with StageBars(quiet) as stages:
        made = make_tableaux(out, size, seed=seed, side=side, looker=looker, workers=workers, stages=stages)
    if not quiet:
        for name, bench in made.items():
            click.echo(f"{out / name}: {len(bench.queries):,} queries")
        for line in made["cir.train.jsonl"].extra["report"]:
            say(f"  cir, train: {line}")
