"""`circlet reproduce contexts`: paper 002's table in a world whose truth is known."""

from pathlib import Path

import click

from circlet.app.cli.reproducing import Clock, publish, training_options
from circlet.app.cli.terminal import Bar, StageBars


@click.command(
    epilog="""\b
Examples:
  circlet reproduce contexts --quick              a small world, one seed: minutes
  circlet reproduce contexts --out contexts       the standard world, three seeds: three quarters of an hour
"""
)
@training_options("contexts")
def contexts(
    out: Path, root: Path | None, quick: bool, seeds: int | None, workers: int | None, quiet: bool
) -> None:
    """Train models that find one of ten nearly identical pictures by a description, and a frame reader.

    Training looks at train and val; the numbers are of the test split. May be killed at any time: the same
    command goes on from there. OUT/contexts.md holds the tables and the claims.
    """
    from dataclasses import replace

    from circlet.core.processes import processors
    from circlet.experiments.contexts import FULL, QUICK, READER, SPLITS, Lab
    from circlet.experiments.contexts_page import measured, page
    from circlet.experiments.encoder import tableaux_checkpoint
    from circlet.experiments.worlds import world

    effort = QUICK if quick else FULL
    effort = replace(effort, seeds=seeds or effort.seeds)
    with StageBars(quiet) as stages:
        lab = Lab(root or world(effort.size, stages), out, effort)
        tableaux_checkpoint(lab.world, stages=stages)
    # Before there are several processes: only one may write features.
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        for split in SPLITS:
            lab.sets(split, bar)
    clock = Clock(quiet)
    for way, seed in lab.trained(workers or processors()):
        clock.tell(f"trained: {way}, seed {seed}")
        # The reader is trained longest: until then there is time to measure the others.
        if way != READER:
            lab.hits(way, seed)
    numbers = measured(lab, clock.tell)
    test = lab.bench("test")
    sets = len({case.subset for case in test.cases})
    about = [
        f"test: {test.header()}, {len(test)} descriptions of {sets} sets ({test.revision})",
        f"{effort.seeds} seed(s): mean ± half the range; reader and zero-shot have one; trained and measured "
        f"in {clock.minutes:.0f} minutes",
    ]
    publish(out, "contexts", numbers, page(numbers, about))
