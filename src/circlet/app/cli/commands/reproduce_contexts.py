"""`circlet reproduce contexts`: paper 002's table in a world whose truth is known."""

import json
import time
from pathlib import Path

import click

from circlet.app.cli.terminal import Bar, StageBars, say


@click.command(
    epilog="""\b
Examples:
  circlet reproduce contexts --quick              a small world, one seed: minutes
  circlet reproduce contexts --out contexts       the standard world, three seeds: under an hour
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("contexts"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--quick", is_flag=True, help="The same code on a small world with one seed.")
@click.option("--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick.")
@click.option("--workers", type=click.IntRange(1), help="Trainings at once; else one a core.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table.")
def contexts(
    out: Path, root: Path | None, quick: bool, seeds: int | None, workers: int | None, quiet: bool
) -> None:
    """Train models that find one of ten nearly identical pictures by a description, and a frame reader.

    Training looks at train and val; the numbers are of the test split. May be killed at any time: the same
    command goes on from there. OUT/contexts.md holds the tables and the claims.
    """
    from dataclasses import replace

    from circlet.core.files import write_text
    from circlet.core.processes import processors
    from circlet.experiments.contexts import FULL, QUICK, SPLITS, Lab
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
    began = time.monotonic()

    def tell(what: str) -> None:
        if not quiet:
            say(f"{what} ({(time.monotonic() - began) / 60:.1f} min)")

    for way, seed in lab.trained(workers or processors()):
        tell(f"trained: {way}, seed {seed}")
    numbers = measured(lab, tell)
    minutes = (time.monotonic() - began) / 60
    test = lab.bench("test")
    sets = len({case.subset for case in test.cases})
    about = [
        f"test: {test.header()}, {len(test)} descriptions of {sets} sets ({test.revision})",
        f"{effort.seeds} seed(s): mean ± half the range; reader and zero-shot have one; trained and measured "
        f"in {minutes:.0f} minutes",
    ]
    write_text(out / "contexts.json", json.dumps(numbers, indent=1) + "\n")
    write_text(out / "contexts.md", page(numbers, about))
    click.echo((out / "contexts.md").read_text(encoding="utf-8"))
