"""`circlet reproduce relevance`: paper 004's tables in a world whose truth is known."""

from pathlib import Path

import click

from circlet.app.cli.reproducing import Clock, publish, training_options
from circlet.app.cli.terminal import Bar, StageBars


@click.command(
    epilog="""\b
Examples:
  circlet reproduce relevance --quick               a small world, one seed: minutes
  circlet reproduce relevance --out relevance       the standard world, three seeds: about an hour
"""
)
@training_options("relevance")
def relevance(
    out: Path, root: Path | None, quick: bool, seeds: int | None, workers: int | None, quiet: bool
) -> None:
    """Train scorers of relevance by preference and hold them against judges, grades and targets.

    Training looks at train and val; the numbers are of the test split. May be killed at any time: the same
    command goes on from there. OUT/relevance.md holds the tables and the claims.
    """
    from dataclasses import replace

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
    clock = Clock(quiet)
    for way, seed in lab.trained(workers or processors()):
        clock.tell(f"trained: {way}, seed {seed}")
    numbers = measured(lab, setup, clock.tell)
    test = lab.relevance["test"]
    about = [
        f"test: {test.header()}, {len(test)} queries over {len(test.pictures)} pictures ({test.revision})",
        f"{effort.seeds} seed(s): mean ± half the range; trained and measured in {clock.minutes:.0f} minutes",
        f"first step {effort.beginning.epochs} epochs on which picture of a batch is the target, second step "
        f"{effort.preferring.epochs} epochs of preference over {effort.preferring.queries or 'all'} queries",
    ]
    publish(out, "relevance", numbers, page(numbers, about))
