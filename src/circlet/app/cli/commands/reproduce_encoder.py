"""`circlet reproduce encoder`: the tableaux world's own encoder, trained and measured."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import StageBars, say

if TYPE_CHECKING:
    from circlet.data.tableaux.files import Stages


class _Clock:
    """Tells stages on, and knows what the training among them took: nothing where the cache had it."""

    def __init__(self, stages: "Stages") -> None:
        self.stages, self.began = stages, (0.0, 0.0)

    def __call__(self, stage: str, done: int, of: int) -> None:
        if stage.startswith("training") and not any(self.began):
            self.began = time.monotonic(), time.process_time()
        self.stages(stage, done, of)

    def spent(self) -> str:
        if not any(self.began):
            return ""
        minutes, worked = time.monotonic() - self.began[0], time.process_time() - self.began[1]
        return f"{minutes / 60:.1f} min, {worked / 60:.1f} min of processor time"


@click.command(
    epilog="""\b
Examples:
  circlet reproduce encoder --out encoder      the standard world, three seeds: about half an hour
  circlet reproduce encoder --seeds 1 --split val
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("encoder"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True)
@click.option(
    "--each",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Pairs of each fact, by three; with --split val queries of each aspect, too.",
)
@click.option("--split", type=click.Choice(["test", "val"]), default="test", show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the page.")
def encoder(out: Path, root: Path | None, seeds: int, each: int, split: str, quiet: bool) -> None:
    """Train the tableaux world's encoder from captions, beside the built-in ones and a blind control.

    Training looks at train and val. OUT/encoder.md holds the tables and what was expected of them.
    May be killed at any time: the same command goes on from there.
    """
    from circlet.core.files import write_text
    from circlet.data.load import load_benchmark
    from circlet.data.tableaux.tasks.trials import MAKERS
    from circlet.experiments.encoder import BASE, probe, tableaux_encoder
    from circlet.experiments.encoder_page import Probes, page
    from circlet.experiments.worlds import world
    from circlet.models import load_encoder

    with StageBars(quiet) as stages:
        place = root or world("standard", stages)
        probes = Probes(
            place,
            split,
            probe("facts", split, each=3 * each, stages=stages),
            # A set's own aspects have the paper's size on test; to choose by, as many are drawn of val.
            load_benchmark(f"tableaux:aspects:{place}:test")
            if split == "test"
            else probe("aspects", split, each=each, stages=stages),
        )
    rows: dict[str, list[dict[str, float]]] = {}
    about = [
        f"heads over {BASE}",
        "chance: 1 in 100 for R@10 of captions, 50 for facts and aspects, 20 within subsets",
        f"{place.name} tableaux set, {split} split",
        f"{3 * each} pairs of each fact, {len(probes.aspects) // len(MAKERS)} queries of each aspect",
        f"{seeds} seed(s): mean ± half the range",
    ]

    def measure(row: str, made: object, spent: str = "") -> None:
        rows.setdefault(row, []).append(probes.numbers(made))  # type: ignore[arg-type]
        if spent:
            about.append(f"{row}, seed {len(rows[row]) - 1}: trained in {spent}")
        write_text(out / "encoder.md", page(rows, about))
        write_text(out / "encoder.json", json.dumps(rows, indent=1) + "\n")

    measure("builtin", load_encoder("builtin"))
    for row, seed in [*(("encoder", seed) for seed in range(seeds)), ("shuffled", 0)]:
        with StageBars(quiet) as stages:
            clock = _Clock(stages)
            trained = tableaux_encoder(place, seed=seed, shuffled=row == "shuffled", stages=clock)
            spent = clock.spent()
        measure(row, trained, spent)
        if not quiet:
            say(f"{row}, seed {seed}: measured")
    click.echo((out / "encoder.md").read_text(encoding="utf-8"))
