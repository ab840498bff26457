"""Table 3 of paper 000 in several processes: each trains one row with one seed on one core."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circlet.core import Benchmark, PictureEncoder, Progress
from circlet.evaluate import Measure
from circlet.experiments.composers import ALWAYS, Budget, Row, jobs, measured_by, numbers_of, sample

if TYPE_CHECKING:
    from circlet.experiments.claims import Setting
    from circlet.train.setup import TrainingSetup


@dataclass(frozen=True)
class Table:
    """The whole table over one tableaux set: what is trained, on what, and where it is kept."""

    world: Path
    out: Path
    budget: Budget
    task: str = "cir"
    """What is tested: `cir`, or `aspects` with the rows of that table."""
    data: str = ""
    """Real annotations instead of the tableaux set: `cirr:ROOT` or `fashioniq:ROOT`."""
    only: tuple[str, ...] = ()
    """Nothing but these rows, and what every table has."""

    @property
    def rows(self) -> Sequence[Row]:
        """What stands in the table; the tableaux world's own encoder knows that world alone."""
        from circlet.experiments import aspects, composers

        rows = aspects.ROWS if self.task == "aspects" else composers.ROWS
        every = [row for row in rows if not (self.data and row.joint)]
        return [row for row in every if not self.only or row.key in (*self.only, *ALWAYS)]

    @property
    def setting(self) -> "Setting":
        """What the table is beside, and what is measured for it."""
        from circlet.experiments.claims import TABLEAUX
        from circlet.experiments.real import real_setting

        return real_setting(self.splits[2]) if self.data else TABLEAUX

    @property
    def measures(self) -> Sequence[Measure]:
        """What is measured on the test split."""
        from circlet.evaluate.result import default_measures

        return default_measures(self.splits[2]) if self.task == "aspects" else self.setting.measures

    @cached_property
    def encoder(self) -> PictureEncoder:
        """The encoder that everything is measured with."""
        from circlet.models import load_encoder

        return load_encoder("fine")

    @cached_property
    def splits(self) -> tuple[Benchmark, Benchmark, Benchmark]:
        """Train, as much of val as the budget has, and test."""
        from circlet.data import load_benchmark
        from circlet.experiments.real import real_splits

        if self.data:
            return real_splits(self.data, self.budget.validation)
        train, val = (load_benchmark(f"tableaux:cir:{self.world}:{split}") for split in ("train", "val"))
        test = load_benchmark(f"tableaux:{self.task}:{self.world}:test")
        return train, sample(val, self.budget.validation), test

    def setup(self, progress: Progress | None = None, *, joint: bool = False) -> "TrainingSetup":
        """Everything ready to train, over `fine` or over the world's own encoder."""
        from circlet.experiments.encoder import tableaux_encoder
        from circlet.models.learned import spec_of
        from circlet.train.setup import open_setup

        train, val, test = self.splits
        return open_setup(
            train,
            val,
            encoder=tableaux_encoder(self.world) if joint else self.encoder,
            layers=self.budget.layers,
            tokens=not joint and any(spec_of(row.model).spatial for row in self.rows if row.model),
            also=(test,),
            progress=progress,
        )

    def numbers(self, workers: int) -> Iterator[tuple[Row, int, dict[str, float]]]:
        """Each row and seed with its numbers, as they are done."""
        todo = jobs(self.budget, self.rows)
        # A fresh interpreter each: a forked one would inherit torch's threads in an unknown state.
        about = (self.world, self.out, self.budget, self.task, self.data, self.only)
        with ProcessPoolExecutor(workers, get_context("spawn"), _begin, about) as pool:
            waiting = {pool.submit(_one, row, seed): (row, seed) for row, seed in todo}
            for done in as_completed(waiting):
                row, seed = waiting[done]
                yield row, seed, done.result()


_work: dict[str, Any] = {}


def _begin(world: Path, out: Path, budget: Budget, task: str, data: str, only: tuple[str, ...]) -> None:
    """In a worker: one core each."""
    import torch

    from circlet.core.processes import end_with_parent

    end_with_parent()
    torch.set_num_threads(1)
    _work["table"] = Table(world, out, budget, task, data, only)


def _one(row: Row, seed: int) -> dict[str, float]:
    table: Table = _work["table"]
    over = "joint" if row.joint else "fine"
    if over not in _work:
        _work[over] = table.setup(joint=row.joint)
    setup = _work[over]
    test = table.splits[2]
    if row.learned_clauses:
        from circlet.experiments.aspects import clause_method

        return measured_by(clause_method(table.world, seed, table.budget.drawn), setup, test, table.measures)
    return numbers_of(row, seed, table.budget, setup, test, table.out, table.measures)
