"""Make a tableaux set: scenes for every split, their pictures, and the benchmarks of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from circlet.build.film_sets import add_films
from circlet.build.graded import add_grades
from circlet.build.pairs import draw_pairs
from circlet.build.subsets import SubsetRule, find_subsets
from circlet.core import Benchmark, Progress, UsageError, Vectors
from circlet.data.jsonl import write_benchmark
from circlet.data.tableaux.colour_grid import ColourGrid
from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import Stages, claim, draw, finish, write_scenes
from circlet.data.tableaux.tasks.cir import cir_benchmark
from circlet.data.tableaux.tasks.trials import aspects_benchmark, draw_trials, trial_scenes
from circlet.data.tableaux.world.families import SPLITS, family
from circlet.data.tableaux.world.kinds import CROWD
from circlet.data.tableaux.world.scene import Scene


class Looker(Protocol):
    """What look-alikes are found with: anything that turns picture files into unit rows."""

    @property
    def fingerprint(self) -> str: ...

    def __call__(self, paths: Sequence[Path], progress: Progress | None = None) -> Vectors:
        """One row per file."""
        ...


VERSION = 1
# How the queries of `aspects` are drawn: change it when a set that was made before should get others.
ASPECTS = 2
# A scene that the first films had: left out, all that was drawn beside them stays what it was.
_TAKEN = ("f9b286f20e019b3e",)
# The standard set draws 30,000 pairs from 10,000 scenes, so a scene stands in two subsets or more.
_SHARED = 3


@dataclass(frozen=True)
class Amount:
    """How much of everything a split gets: scenes and pairs of `cir`, queries of each aspect, sets of
    ten frames, queries with graded relevance; then more queries of each aspect, with counts to ten.

    These are drawn last and by a chance of their own, so that all the rest is as it was without them.
    """

    scenes: int
    pairs: int
    aspects: int
    frames: int
    graded: int
    more_aspects: int = 0


@dataclass(frozen=True, kw_only=True)
class Size:
    """A size of set: what each split gets, and how many look-alikes make a family."""

    train: Amount
    val: Amount
    test: Amount
    family: int = 20

    def of(self, split: str) -> Amount:
        """What this split gets."""
        amount = getattr(self, split)
        assert isinstance(amount, Amount)
        return amount

    @property
    def graded(self) -> dict[str, int]:
        """How many queries with graded relevance each split gets."""
        return {split: self.of(split).graded for split in SPLITS}

    @property
    def frames(self) -> dict[str, int]:
        """How many sets of ten frames each split gets."""
        return {split: self.of(split).frames for split in SPLITS}


SIZES = {
    "small": Size(
        train=Amount(200, 600, 4, 20, 4), val=Amount(80, 240, 3, 10, 12), test=Amount(80, 240, 3, 36, 20, 3)
    ),
    "standard": Size(
        train=Amount(8000, 24400, 100, 1500, 20),
        val=Amount(1000, 3000, 50, 250, 200),
        # 200 queries of each aspect, the size of paper 001's set.
        test=Amount(1000, 3000, 50, 700, 300, 150),
    ),
    "large": Size(
        train=Amount(40000, 120000, 400, 4000, 50),
        val=Amount(5000, 15000, 100, 400, 400),
        test=Amount(5000, 15000, 100, 1500, 400, 100),
    ),
}


def make(
    out: Path | str,
    size: str = "small",
    *,
    seed: int = 0,
    side: int = SIDE,
    looker: Looker | None = None,
    workers: int = 2,
    stages: Stages | None = None,
) -> dict[str, Benchmark]:
    """Write a tableaux set into a folder; the benchmarks by file name. Safe to repeat and to interrupt.

    The looker finds the look-alikes of `cir`; without one, plain colours on a grid do (see `ColourGrid`).
    What is drawn already is not drawn again, and the same call writes the same bytes.
    """
    if size not in SIZES:
        raise UsageError(f"no size {size!r}: pick one of {', '.join(SIZES)}")
    root, looker = Path(out), looker or ColourGrid()
    tell = stages or (lambda stage, done, of: None)
    recipe = {"tableaux": VERSION, "size": size, "seed": seed, "side": side, "looks": looker.fingerprint}
    claim(root, recipe)
    seen = set(_TAKEN)
    plans = [_Plan(split, SIZES[size], seed, seen, tell) for split in SPLITS]
    files = draw(root, {id: s for plan in plans for id, s in plan.every.items()}, side, workers, tell)
    written = {}
    for plan in plans:
        write_scenes(root / f"scenes.{plan.split}.jsonl", plan.every)
        for kind, bench in plan.benchmarks(files, looker, tell).items():
            used = {id: files[id] for id in bench.pictures}
            revision = f"tableaux {VERSION}, {size}, seed {seed}"
            if kind == "aspects":
                revision += f", aspects {ASPECTS}"
            bench = replace(bench, images=used, revision=revision)
            name = f"{kind}.{plan.split}.jsonl"
            write_benchmark(bench, root / name)
            written[name] = bench
    finish(root, aspects=ASPECTS)
    written |= add_grades(root, SIZES[size].graded, workers=workers, stages=stages)
    return written | add_films(root, SIZES[size].frames, workers=workers, stages=stages)


class _Plan:
    """A split's scenes, before anything is drawn: ids say nothing about families or targets."""

    def __init__(self, split: str, size: Size, seed: int, seen: set[str], tell: Stages) -> None:
        self.split, self.seed, self.amount = split, seed, size.of(split)
        rng = random.Random(f"tableaux {seed} {split}")
        self.scenes = _families(split, self.amount.scenes, size.family, rng, seen, tell)
        trials, ids = draw_trials(split, self.amount.aspects, rng, seen)
        more, more_ids = draw_trials(
            split,
            self.amount.more_aspects,
            random.Random(f"tableaux {seed} {split} more aspects"),
            seen,
            after=len(trials),
            most=CROWD,
        )
        self.every: dict[str, Scene] = self.scenes | trial_scenes(trials, ids)
        self.every |= trial_scenes(more, more_ids)
        self.trials, self.trial_ids = trials + more, ids + more_ids

    def benchmarks(self, files: dict[str, Path], looker: Looker, tell: Stages) -> dict[str, Benchmark]:
        """The benchmarks of the split that its own pictures are for."""
        ids = tuple(self.scenes)
        vectors = looker(
            [files[id] for id in ids], lambda done, of: tell("look-alikes", done, of or len(ids))
        )
        subsets = find_subsets(vectors, SubsetRule(shared=_SHARED), self.seed)
        named = [tuple(ids[row] for row in rows) for rows in subsets.rows]
        drawn = [
            (members, draw_pairs(members, f"{self.seed} {self.split} {number}"))
            for number, members in enumerate(named)
        ]
        cir = cir_benchmark(
            self.split, self.scenes, drawn, self.seed, self.amount.pairs, report=subsets.report()
        )
        cir = replace(
            cir,
            images={id: files[id] for id in self.scenes},
            extra=dict(cir.extra) | {"looks": looker.fingerprint},
        )
        return {
            "cir": cir,
            "aspects": aspects_benchmark(self.split, self.trials, self.trial_ids),
        }


def _families(
    split: str, wanted: int, size: int, rng: random.Random, seen: set[str], tell: Stages
) -> dict[str, Scene]:
    scenes: list[Scene] = []
    while len(scenes) < wanted:
        scenes += family(rng, split, min(size, max(2, wanted - len(scenes))), seen)
        tell(f"scenes for {split}", len(scenes), wanted)
    rng.shuffle(scenes)
    return {f"{split}-{number:06d}": scene for number, scene in enumerate(scenes)}
