"""Where an experiment trains: a tableaux set, an effort, and trainings in several processes, kept by name."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Generic, TypeVar

from circlet.core import PictureEncoder
from circlet.experiments.encoder import tableaux_encoder
from circlet.models.learned.folder import CONFIG
from circlet.train.fit import RESUME

Spent = TypeVar("Spent")
Job = tuple[str, int]
"""What is trained, and with which seed."""
# Pictures to learn from are drawn by so many processes, while the one that learns takes them in.
PAINTERS = 2


@dataclass(frozen=True)
class TrainingLab(Generic[Spent]):
    """A tableaux set, what is trained on it with how much effort, and where that is kept."""

    world: Path
    out: Path
    effort: Spent

    @abstractmethod
    def jobs(self) -> list[list[Job]]:
        """What is trained: all of one list before the next, which stands on it."""

    def long_jobs(self) -> list[Job]:
        """What nothing waits for and takes longest: trained beside all else."""
        return []

    @abstractmethod
    def train_one(self, way: str, seed: int) -> None:
        """Do one training, in a process that does several after each other."""

    @cached_property
    def encoder(self) -> PictureEncoder:
        """The world's own encoder."""
        return tableaux_encoder(self.world)

    def place(self, way: str, seed: int) -> Path:
        """Where a training is kept."""
        return self.out / "checkpoints" / f"{way}.{seed}"

    def done(self, way: str, seed: int) -> bool:
        """Whether a training is there, whole."""
        place = self.place(way, seed)
        return (place / CONFIG).exists() and not (place / RESUME).exists()

    def trained(self, workers: int) -> Iterator[Job]:
        """Each training as it is done, on one core each; the long ones begin first."""
        # A fresh interpreter each: a forked one would inherit torch's threads in an unknown state.
        about = (type(self), self.world, self.out, self.effort)
        with ProcessPoolExecutor(workers, get_context("spawn"), _begin, about) as pool:

            def begun(jobs: Sequence[Job]) -> dict[Future[None], Job]:
                return {pool.submit(_one, *job): job for job in jobs if not self.done(*job)}

            aside = begun(self.long_jobs())
            for several in self.jobs():
                waiting = begun(several)
                for done in as_completed(waiting):
                    done.result()
                    yield waiting[done]
            for done in as_completed(aside):
                done.result()
                yield aside[done]


_work: dict[str, TrainingLab[Any]] = {}


def _begin(kind: type[TrainingLab[Any]], world: Path, out: Path, effort: Any) -> None:
    """In a worker: one core, and a lab of its own."""
    import torch

    from circlet.core.processes import end_with_parent, use_processors

    end_with_parent()
    use_processors(1)
    torch.set_num_threads(1)
    _work["lab"] = kind(world, out, effort)


def _one(way: str, seed: int) -> None:
    _work["lab"].train_one(way, seed)
