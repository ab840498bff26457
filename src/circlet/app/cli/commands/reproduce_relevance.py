"""`circlet reproduce relevance`: paper 004's tables in a world whose truth is known."""

import json
import time
from pathlib import Path

import click

from circlet.app.cli.terminal import Bar, StageBars, say


@click.command(
    epilog="""\b
Examples:
  circlet reproduce relevance --quick               a small world, one seed: minutes
  circlet reproduce relevance --out relevance       the standard world, three seeds: about an hour
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("relevance"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--quick", is_flag=True, help="The same code on a small world with one seed.")
@click.option("--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick.")
@click.option("--workers", type=click.IntRange(1), help="Trainings at once; else one a core.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table.")
def relevance(
    out: Path, root: Path | None, quick: bool, seeds: int | None, workers: int | None, quiet: bool
) -> None:
    """Train scorers of relevance by preference and hold them against judges, grades and targets.

    Training looks at train and val; the numbers are of the test split. May be killed at any time: the same
    command goes on from there. OUT/relevance.md holds the tables and the claims.
    """
    from dataclasses import replace

    from circlet.core.files import write_text
    from circlet.core.processes import processors
    from circlet.experiments.aspects import clause_data, clause_place
    from circlet.experiments.relevance import FULL, QUICK, Lab
    from circlet.experiments.relevance_page import measured, page
    from circlet.experiments.worlds import world

    effort = QUICK if quick else FULL
    effort = replace(effort, seeds=seeds or effort.seeds)
    with StageBars(quiet) as stages:
        lab = Lab(root or world(effort.size, stages), out, effort)
    # Before there are several processes: only one may write features.
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        setup = lab.setup(bar)
        for name in ("fine", "builtin"):
            lab.features(name, bar)
        lab.long_setup(bar)
    if not clause_place(lab.world, 0, effort.drawn)[1]:
        with StageBars(quiet) as stages, Bar("encoding", "pictures", quiet=quiet) as bar:
            clause_data(lab.world, effort.drawn, stages=stages, progress=bar)
    began = time.monotonic()

    def tell(what: str) -> None:
        if not quiet:
            say(f"{what} ({(time.monotonic() - began) / 60:.1f} min)")

    for way, seed in lab.trained(workers or processors()):
        tell(f"trained: {way}, seed {seed}")
    numbers = measured(lab, setup, tell)
    minutes = (time.monotonic() - began) / 60
    test = lab.relevance["test"]
    about = [
        f"test: {test.header()}, {len(test)} queries over {len(test.pictures)} pictures ({test.revision})",
        f"{effort.seeds} seed(s): mean ± half the range; trained and measured in {minutes:.0f} minutes",
        f"first step {effort.beginning.epochs} epochs on which picture of a batch is the target, second step "
        f"{effort.preferring.epochs} epochs of preference over {effort.preferring.queries or 'all'} queries",
    ]
    write_text(out / "relevance.json", json.dumps(numbers, indent=1) + "\n")
    write_text(out / "relevance.md", page(numbers, about))
    click.echo((out / "relevance.md").read_text(encoding="utf-8"))
