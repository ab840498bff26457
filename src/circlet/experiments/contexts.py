"""Paper 002 in the tableaux world: which of ten is meant, by models with more and more of the context."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from circlet.core import Benchmark, Method, Progress
from circlet.data import load_benchmark
from circlet.data.tableaux.tasks.films import read_films
from circlet.data.tableaux.tasks.frame_series import series_of
from circlet.experiments.lab import PAINTERS, Job, TrainingLab
from circlet.experiments.zero_shot import zero_shot
from circlet.language.frame_facts import listen
from circlet.models.context.kept import read_context
from circlet.models.encoders.builtin import DIM
from circlet.models.features import Features, FeatureStore
from circlet.models.frames.frame_folder import load_frames
from circlet.models.frames.frame_reader import FrameReader
from circlet.train.contexts import BATCH, found, open_sets, recipe_for, train_context
from circlet.train.frames import LOOKING, MEASURING, open_frames, train_frames
from circlet.train.setup import pictures_of
from circlet.train.tasks.sets import Sets

SPLITS = ("train", "val", "test")
READER = "reader"
ZERO_SHOT, ORACLE = "zero-shot", "oracle"
FIRST = ("bi-encoder", BATCH, "differences", "single-stream", "single-stream-batch", "blind", "wordless")
MODULES = ("context-module", "temporal")
# Rows that the paper does not have, beside that without pixels.
BESIDE = ("differences", "wordless")
Hits = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much is spent: the world's size, the seeds, epochs of models (0: as usual), the reader's passes.

    `drawn` sets are drawn for the reader beside those of the world.
    """

    size: str
    seeds: int
    epochs: int
    looking: int
    measuring: int
    drawn: int


# The reader learns from less than it does by itself, so that all of it takes no longer than the models do.
FULL = Effort(size="standard", seeds=3, epochs=0, looking=4, measuring=5, drawn=4700)
QUICK = Effort(size="small", seeds=1, epochs=1, looking=1, measuring=6, drawn=0)


class Lab(TrainingLab[Effort]):
    """Models of context and the frame reader over one tableaux set."""

    def bench(self, split: str) -> Benchmark:
        """The sets of ten of a split."""
        return load_benchmark(f"tableaux:frames:{self.world}:{split}")

    def sets(self, split: str, progress: Progress | None = None) -> Sets:
        """The sets of a split ready to learn from."""
        return open_sets(self.bench(split), self.encoder, progress=progress)

    def features(self, split: str) -> Features:
        """The encoder's vectors of a split's pictures."""
        held, _ = FeatureStore().features(pictures_of(self.bench(split)), self.encoder)
        return held

    @cached_property
    def _learned_from(self) -> tuple[Sets, Sets]:
        return self.sets("train"), self.sets("val")

    def seeds(self, way: str) -> range:
        """The seeds of a model: one where the paper has no such row."""
        return range(1 if way in BESIDE else self.effort.seeds)

    def long_jobs(self) -> list[Job]:
        """The reader takes about as long as all models together."""
        return [(READER, 0)]

    def jobs(self) -> list[list[Job]]:
        """What is trained: the longest first; then what stands on another."""
        longest = sorted(FIRST, key=lambda way: not way.startswith("single-stream"))
        return [[(way, seed) for way in ways for seed in self.seeds(way)] for ways in (longest, MODULES)]

    def train_one(self, way: str, seed: int) -> None:
        """Train one model."""
        if way == READER:
            self.train_reader()
            return
        given = {"epochs": self.effort.epochs} if self.effort.epochs else {}
        recipe = recipe_for(way, seed=seed, **given)
        start = self.place(BATCH, seed) if way in MODULES else None
        train, validation = self._learned_from
        train_context(way, train, validation, self.encoder, self.place(way, seed), recipe, start=start)

    def train_reader(self) -> None:
        """Train what reads frames, on films of train whose truth is known."""
        train, validation = open_frames(self.world, drawn=self.effort.drawn, workers=PAINTERS)
        looking = replace(LOOKING, epochs=self.effort.looking)
        measuring = replace(MEASURING, epochs=self.effort.measuring)
        data = f"tableaux:frames:{self.world.name}"
        train_frames(train, validation, self.place(READER, 0), looking, measuring, data=data)

    @cached_property
    def test_sets(self) -> Sets:
        """The sets of the test split."""
        return self.sets("test")

    @cached_property
    def _hits(self) -> dict[Job, Hits]:
        return {}

    def hits(self, way: str, seed: int) -> Hits:
        """For each description of test whether a trained model finds its picture; found out once."""
        if (way, seed) not in self._hits:
            network, _ = read_context(self.place(way, seed))
            self._hits[way, seed] = found(network, self.test_sets).astype(float)
        return self._hits[way, seed]

    @cached_property
    def reader(self) -> FrameReader:
        """What reads frames, trained."""
        return load_frames(self.place(READER, 0), self.encoder)

    @cached_property
    def zero_shot(self) -> Method:
        """The encoder as it is."""
        return zero_shot("text", self.encoder)


def method_hits(method: Method, benchmark: Benchmark, features: Features) -> Hits:
    """For each description whether a method puts its picture first among the ten."""
    together: dict[tuple[tuple[str, ...], bool], list[int]] = {}
    for row, case in enumerate(benchmark.cases):
        together.setdefault((case.subset, case.in_time), []).append(row)
    right = np.zeros(len(benchmark.cases))
    for (ids, in_time), rows in together.items():
        ten = features.subset(ids, in_time=in_time)
        queries = [benchmark.cases[row].query for row in rows]
        best = method.scores(queries, ten, pictures=features).argmax(axis=1)
        right[rows] = [ids[at] == benchmark.cases[row].target for at, row in zip(best, rows, strict=True)]
    return right


def oracle_hits(reader: FrameReader, benchmark: Benchmark, world: Path) -> Hits:
    """The same for one who hears as the reader does, and sees what the graphs have."""
    films = read_films(world, benchmark.split)
    known = {name: series_of(film) for name, film in films.items()}
    right = np.zeros(len(benchmark.cases))
    for row, case in enumerate(benchmark.cases):
        series = known[case.subset[0].rsplit("-", 1)[0]]
        heard = listen([one.heard for one in reader.said(case.query)], series)
        # Whoever is in doubt between several finds it in one of so many.
        best = np.flatnonzero(heard == heard.max())
        right[row] = (case.subset.index(str(case.target)) in best) / len(best)
    return right


def distances(benchmark: Benchmark, features: Features) -> NDArray[np.float64]:
    """For each description the mean distance of two pictures of its set, as the built-in encoder sees it."""
    seen = np.asarray(features.vectors)[:, :DIM].astype(np.float32)
    seen /= np.linalg.norm(seen, axis=1, keepdims=True)
    pairs = np.triu_indices(len(benchmark.cases[0].subset), 1)
    apart: dict[tuple[str, ...], float] = {}
    for case in benchmark.cases:
        if case.subset not in apart:
            ten = seen[features.rows_of(case.subset)]
            apart[case.subset] = float(np.sqrt(np.maximum(0, 2 - 2 * (ten @ ten.T)[pairs])).mean())
    return np.array([apart[case.subset] for case in benchmark.cases])
