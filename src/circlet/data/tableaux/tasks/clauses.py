"""Clauses with their truth: what can be asked of a scene, seen from a reference, and where it holds."""

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from circlet.data.jsonl import read_benchmark
from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import Stages, draw, read_scenes
from circlet.data.tableaux.tasks.grades import atoms, touched, untouched
from circlet.data.tableaux.tasks.trials import draw_trials, trial_scenes
from circlet.data.tableaux.world.kinds import CROWD
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need, changes
from circlet.data.tableaux.world.words import say

# Needs of one question at most; and so many candidates, this many of them from anywhere.
MOST, CANDIDATES, STRANGERS = 6, 8, 2


class Question(NamedTuple):
    """A reference, candidates, one text a need, and where each holds; `same` is how much else stays."""

    reference: str
    candidates: tuple[str, ...]
    texts: tuple[str, ...]
    holds: tuple[tuple[bool, ...], ...]
    same: tuple[float, ...]


def stays(reference: Scene, candidate: Scene, needs: Sequence[Need]) -> float:
    """How much of the reference stays that no need speaks of: one if all does, half for each that does not.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> crabs = Scene(setting="beach", things=(Thing(kind="crab", count=3),))
    >>> two = crabs.changed("crab", count=2)
    >>> stays(crabs, two, [Need(about="count", kind="crab", count=2)]), stays(crabs, two, [])
    (1.0, 0.5)
    """
    lost = len(untouched(atoms(reference), touched(needs)) - atoms(candidate))
    named = {need.kind for need in needs}
    extra = sum(kind not in reference.kinds and kind not in named for kind in candidate.kinds)
    return float(0.5 ** (lost + extra))


@dataclass(frozen=True)
class LookAlikes:
    """Scenes of one split in families that resemble each other: what questions are made of."""

    name: str
    split: str
    scenes: Mapping[str, Scene]
    families: tuple[tuple[str, ...], ...]
    files: Mapping[str, Path]

    def ask(self, family: int, rng: random.Random) -> Question:
        """A question about a family of this number, in the split's wordings."""
        members = list(self.families[family])
        rng.shuffle(members)
        reference, *others = members
        strangers = [rng.choice(rng.choice(self.families)) for _ in range(CANDIDATES)]
        asked = rng.choice([*others, strangers[-1]] if others else strangers)
        candidates = (others[: CANDIDATES - STRANGERS] + strangers)[:CANDIDATES]
        was = self.scenes[reference]
        needs = changes(was, self.scenes[asked])
        rng.shuffle(needs)
        needs = needs[: rng.randint(1, MOST)] or [Need(about="time", value=was.time)]
        seen = [self.scenes[id] for id in candidates]
        return Question(
            reference,
            tuple(candidates),
            tuple(say([need], was, rng, self.split).text for need in needs),
            tuple(tuple(need.holds(was, scene) for scene in seen) for need in needs),
            tuple(stays(was, scene, needs) for scene in seen),
        )


def read_look_alikes(root: Path, split: str) -> LookAlikes:
    """The families of a tableaux set, by the subsets of `cir` and the trials of `aspects`.

    `read_look_alikes(Path("world"), "train").ask(0, random.Random(0))` is a question about the first.
    """
    families: dict[tuple[str, ...], None] = {}
    images: dict[str, Path] = {}
    for task in ("cir", "aspects"):
        benchmark = read_benchmark(root / f"{task}.{split}.jsonl")
        images |= benchmark.images
        for case in benchmark.cases:
            family = {*case.subset, *case.truths, *case.negatives, *case.query.pictures}
            families[tuple(sorted(family))] = None
    return LookAlikes(
        name=f"tableaux:{root} ({split})",
        split=split,
        scenes=read_scenes(root / f"scenes.{split}.jsonl"),
        families=tuple(families),
        files={id: images[id] for family in families for id in family},
    )


def draw_look_alikes(root: Path, each: int, tell: Stages) -> LookAlikes:
    """Families of three that no set holds, for so many trials of each aspect; drawn on first use and kept.

    An encoder knows the pictures it was trained on better than any other. What is learned from its view of
    them is too sure of itself elsewhere, so clauses are learned from these.
    """
    chance = random.Random(f"look-alikes {each}")
    trials, ids = draw_trials("train", each, chance, set(), name="look-alikes", most=CROWD)
    scenes = trial_scenes(trials, ids)
    files = draw(root / f"look-alikes-{each}", scenes, SIDE, os.cpu_count() or 1, tell)
    return LookAlikes(
        name=f"look-alikes, {each} trials of each aspect",
        split="train",
        scenes=scenes,
        families=tuple(ids),
        files=files,
    )
