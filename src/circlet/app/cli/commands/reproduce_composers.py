"""`circlet reproduce composers`: the whole of table 3 on tableaux:cir, with the claims checked."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import Bar, StageBars, say

if TYPE_CHECKING:
    from circlet.experiments.workers import Table


@click.command(
    epilog="""\b
Examples:
  circlet reproduce composers --quick              a small world, one seed: minutes
  circlet reproduce composers --out composers      the standard world, three seeds: within the hour
  circlet reproduce composers --only cirplant --only tirg
  circlet reproduce composers --data cirr:data/cirr --out cirr        where CIRR's pictures are there
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("composers"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--data", default="", metavar="NAME", help="Real annotations: cirr:ROOT or fashioniq:ROOT.")
@click.option("--quick", is_flag=True, help="The same code on a small world with one seed.")
@click.option("--only", multiple=True, metavar="ROW", help="Only this row. May be repeated.")
@click.option("--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick.")
@click.option("--queries", type=click.IntRange(1), help="Training queries of every row but the long one.")
@click.option("--long", type=click.IntRange(1), help="Epochs of the row that is trained long.")
@click.option("--workers", type=click.IntRange(1), help="Rows trained at once; else one a core.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table.")
def composers(
    out: Path,
    root: Path | None,
    data: str,
    quick: bool,
    only: tuple[str, ...],
    seeds: int | None,
    queries: int | None,
    long: int | None,
    workers: int | None,
    quiet: bool,
) -> None:
    """Train and measure every composer of paper 000's table 3, and the others that circlet has.

    The rows differ in nothing but the model, unless their name says what else.
    Training looks at train and val; the numbers are of the test split. May be killed at any time:
    the same command goes on from there. OUT/composers.md holds the table and the claims.

    With --data, trained on train less the queries that choose the epoch, and measured on val, because
    the test splits say no truths.
    """
    from dataclasses import replace

    from circlet.core import UsageError
    from circlet.core.processes import processors
    from circlet.experiments.composers import FULL, QUICK, ROWS
    from circlet.experiments.workers import Table
    from circlet.experiments.worlds import world

    if data and root:
        raise UsageError("give --root, a tableaux set, or --data, real annotations: not both")
    known = [row.key for row in ROWS if not (data and row.joint)]
    if strange := sorted(set(only) - set(known)):
        raise UsageError(f"no row {', '.join(strange)}: pick from {', '.join(known)}")
    budget = QUICK if quick else FULL
    budget = replace(
        budget,
        seeds=seeds or budget.seeds,
        queries=queries or budget.queries,
        long=long or budget.long,
    )
    with StageBars(quiet) as stages:
        place = root or (Path() if data else world(budget.size, stages))
    table = Table(place, out, budget, data=data, only=only)
    joint = {row.joint for row in table.rows}
    if False in joint:
        with Bar("encoding", "pictures", quiet=quiet) as bar:
            table.setup(bar)
    if True in joint:
        from circlet.experiments.encoder import tableaux_encoder

        with StageBars(quiet) as stages:
            tableaux_encoder(table.world, stages=stages)
        # Before there are several processes: only one may write features.
        with Bar("encoding", "pictures", quiet=quiet) as bar:
            table.setup(bar, joint=True)
    rows: dict[str, list[dict[str, float]]] = {}
    began = time.monotonic()
    for row, seed, numbers in table.numbers(workers or processors()):
        rows.setdefault(row.key, []).append(numbers)
        if not quiet:
            line = f"{row.label}, seed {seed}: {list(numbers.values())[-1]:.2f}"
            say(f"{line} ({(time.monotonic() - began) / 60:.1f} min)")
        _write(table, rows)
    click.echo((out / "composers.md").read_text(encoding="utf-8"))


def _write(table: "Table", rows: dict[str, list[dict[str, float]]]) -> None:
    """The page and its numbers, as far as they are known."""
    from circlet.core.files import write_text
    from circlet.experiments.claims import page, plain
    from circlet.experiments.composers import spreads

    train, val, test = table.splits
    about = [
        f"train: {train.header()}, {len(train)} queries ({train.revision})",
        f"{'part of train' if table.data else 'val'}: {val.header()}, {len(val)} queries, "
        "which choose the epoch",
        f"{'measured' if table.data else 'test'}: {test.header()}, {len(test)} queries",
        f"encoder: {table.encoder.fingerprint}",
    ]
    results = spreads(rows)
    write_text(table.out / "composers.md", page(results, table.budget, about, table.setting))
    write_text(table.out / "composers.json", json.dumps(plain(results), indent=1) + "\n")
