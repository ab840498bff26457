"""`circlet reproduce composers`: the whole of table 3 on tableaux:cir, with the claims checked."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.train.composers import Row
    from circlet.train.fit import Report


@click.command(
    epilog="""\b
Examples:
  circlet reproduce composers --quick              a small world, one seed: minutes
  circlet reproduce composers --out composers      the standard world, three seeds: within the hour
  circlet reproduce composers --only cirplant --only tirg
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("composers"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--quick", is_flag=True, help="The same code on a small world with one seed.")
@click.option("--only", multiple=True, metavar="ROW", help="Only this row. May be repeated.")
@click.option("--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table.")
def composers(
    out: Path, root: Path | None, quick: bool, only: tuple[str, ...], seeds: int | None, quiet: bool
) -> None:
    """Train and measure every composer of paper 000's table 3, and the others that circlet has.

    The rows differ in nothing but the model, and the loss and optimiser that the paper gives it.
    Training looks at train and val; the numbers are of the test split. May be killed at any time:
    the same command goes on from there. OUT/composers.md holds the table and the claims.
    """
    from dataclasses import replace

    from circlet.app.training import open_workshop
    from circlet.core import UsageError
    from circlet.data import load_benchmark
    from circlet.models import load_encoder, load_method
    from circlet.train.claims import page, plain
    from circlet.train.composers import FULL, QUICK, ROWS, run_row, sample, spreads

    budget = QUICK if quick else FULL
    budget = replace(budget, seeds=seeds) if seeds else budget
    known = [row.key for row in ROWS]
    if strange := sorted(set(only) - set(known)):
        raise UsageError(f"no row {', '.join(strange)}: pick from {', '.join(known)}")
    encoder = load_encoder("builtin")
    world = root or _world(budget.size, encoder, quiet)
    train, val, test = (load_benchmark(f"tableaux:cir:{world}:{split}") for split in ("train", "val", "test"))
    train, val = sample(train, budget.queries), val.only(val.queries[: budget.validation])
    workshop = open_workshop(train, val, encoder=encoder, tokens=True, also=(test,), quiet=quiet)
    untrained: Any = load_method("sum", encoder)
    chosen = [row for row in ROWS if not only or row.key in only or row.key in ("random", "sum")]
    found: dict[str, list[dict[str, float]]] = {}
    for row in chosen:
        with Bar(row.label, "steps", quiet=quiet) as bar:

            def told(row: "Row", seed: int, report: "Report", bar: Bar = bar) -> None:
                bar(report.step, report.steps)
                if report.score is not None and not quiet:
                    say(f"{row.label}, seed {seed}: epoch {report.epoch}, val {report.score:.2f}")

            found[row.key] = run_row(row, budget, workshop, test, untrained, out, told=told)
        results = spreads(found)
        about = [
            f"train: {train.header()} ({train.revision})",
            f"val: {val.header()}, {len(val)} queries, which choose the epoch",
            f"test: {test.header()}, {len(test)} queries",
            f"encoder: {encoder.fingerprint}",
        ]
        out.mkdir(parents=True, exist_ok=True)
        (out / "composers.md").write_text(page(results, budget, about), encoding="utf-8")
        (out / "composers.json").write_text(json.dumps(plain(results), indent=1) + "\n", encoding="utf-8")
    click.echo((out / "composers.md").read_text(encoding="utf-8"))


def _world(size: str, encoder: Any, quiet: bool) -> Path:
    """The tableaux set of this size under circlet's home, made on first use."""
    from circlet.core.home import home
    from circlet.data.tableaux.make import make

    place = home() / "tableaux" / size
    with Bar("drawing", "pictures", quiet=quiet) as bar:
        make(place, size, encoder=encoder, progress=lambda stage, done, of: bar(done, of))
    return place
