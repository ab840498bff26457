"""`circlet reproduce aspects`: paper 001's aspects, with and without clauses."""

import json
import time
from pathlib import Path

import click

from circlet.app.cli.terminal import Bar, StageBars, say


@click.command(
    epilog="""\b
Examples:
  circlet reproduce aspects --quick                 a small world, one seed: minutes
  circlet reproduce aspects --out aspects           the standard world, three seeds: within the hour
  circlet reproduce aspects --only clauses-learned --only tirg
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("aspects"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--quick", is_flag=True, help="The same code on a small world with one seed.")
@click.option("--only", multiple=True, metavar="ROW", help="Only this row. May be repeated.")
@click.option("--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick.")
@click.option("--workers", type=click.IntRange(1), help="Rows trained at once; else one a core.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table.")
def aspects(
    out: Path,
    root: Path | None,
    quick: bool,
    only: tuple[str, ...],
    seeds: int | None,
    workers: int | None,
    quiet: bool,
) -> None:
    """Measure every untrained method, the trained composers and the clauses, aspect by aspect.

    Training looks at train and val; the numbers are of the test split. May be killed at any time: the
    same command goes on from there. OUT/aspects.md holds the table and the claims.
    """
    from dataclasses import replace

    from circlet.core import UsageError
    from circlet.core.files import write_text
    from circlet.core.processes import processors
    from circlet.experiments.aspects import BUDGETS, CLAUSES, ROWS, clause_data, page
    from circlet.experiments.encoder import tableaux_encoder
    from circlet.experiments.workers import Table
    from circlet.experiments.worlds import world

    known = [row.key for row in ROWS]
    if strange := sorted(set(only) - set(known)):
        raise UsageError(f"no row {', '.join(strange)}: pick from {', '.join(known)}")
    budget = BUDGETS[quick]
    budget = replace(budget, seeds=seeds or budget.seeds)
    with StageBars(quiet) as stages:
        table = Table(root or world(budget.size, stages), out, budget, "aspects", only=only)
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        table.setup(bar)
    with StageBars(quiet) as stages:
        tableaux_encoder(table.world, stages=stages)
    # Before there are several processes: only one may write features.
    with Bar("encoding", "pictures", quiet=quiet) as bar:
        table.setup(bar, joint=True)
    if not only or CLAUSES in only:
        with StageBars(quiet) as stages, Bar("encoding", "pictures", quiet=quiet) as bar:
            clause_data(table.world, budget.drawn, stages=stages, progress=bar)
    rows: dict[str, list[dict[str, float]]] = {}
    test = table.splits[2]
    about = [
        f"test: {test.header()}, {len(test)} queries over {len(test.pictures)} pictures ({test.revision})",
        "composers are trained on tableaux:cir, clauses on look-alikes drawn for them; val chooses the epoch",
        f"{budget.seeds} seed(s) of what is compared: mean ± half the range",
    ]
    began = time.monotonic()
    for row, seed, numbers in table.numbers(workers or processors()):
        rows.setdefault(row.key, []).append(numbers)
        if not quiet:
            negation = numbers["Within('negation', SubsetRecall @ 1)"]
            minutes = (time.monotonic() - began) / 60
            line = f"{row.label}, seed {seed}: R@1 {numbers['Recall @ 1']:.1f}, negation {negation:.1f}"
            say(f"{line} ({minutes:.1f} min)")
        write_text(out / "aspects.md", page(rows, about))
        write_text(out / "aspects.json", json.dumps(rows, indent=1) + "\n")
    click.echo((out / "aspects.md").read_text(encoding="utf-8"))
