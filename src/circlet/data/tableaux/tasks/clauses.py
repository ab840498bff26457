"""Clauses with their truth: what can be asked of a scene, seen from a reference, and where it holds."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from circlet.data.jsonl import read_benchmark
from circlet.data.tableaux.files import read_scenes
from circlet.data.tableaux.tasks.relevance import atoms
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need, changes
from circlet.data.tableaux.world.words import say

# Needs of one question at most; and so many candidates, this many of them from anywhere.
MOST, CANDIDATES, STRANGERS = 3, 8, 2
# What about a thing, or about the scene, a need speaks of.
_TOUCHED = {
    "count": "count", "more": "count", "fewer": "count", "colour": "colour", "shirt": "colour",
    "larger": "size", "smaller": "size", "front": "depth", "back": "depth", "left of": "column",
    "closer": "view", "wider": "view",
}  # fmt: skip


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
    free = {atom for need in needs for atom in _touched(need)}
    ours = {atom for atom in atoms(reference) if not _within(atom, free)}
    lost = len(ours - atoms(candidate))
    named = {need.kind for need in needs}
    extra = sum(kind not in reference.kinds and kind not in named for kind in candidate.kinds)
    return float(0.5 ** (lost + extra))


def _touched(need: Need) -> list[tuple[str, ...]]:
    """The beginnings of the facts that a need may change."""
    if need.about in ("add", "remove"):
        return [(need.kind,)]
    if need.about == "replace":
        return [(need.kind,), (need.other,)]
    about = _TOUCHED.get(need.about, need.about)
    if not need.kind:
        return [(about,)]
    return [(kind, about) for kind in (need.kind, need.other) if kind]


def _within(atom: tuple[str, ...], free: set[tuple[str, ...]]) -> bool:
    return any(atom[: len(one)] == one for one in free)


@dataclass(frozen=True)
class TableauxClauses:
    """The scenes of one split of a tableaux set, in families of look-alikes: what questions are made of."""

    root: Path
    split: str

    @property
    def name(self) -> str:
        """What they are, for reports and checkpoints."""
        return f"tableaux:{self.root} ({self.split})"

    @cached_property
    def scenes(self) -> Mapping[str, Scene]:
        """Every scene by its picture's id."""
        return read_scenes(self.root / f"scenes.{self.split}.jsonl")

    @cached_property
    def families(self) -> tuple[tuple[str, ...], ...]:
        """Pictures that resemble each other, by the subsets of `cir` and the trials of `aspects`."""
        found: dict[tuple[str, ...], None] = {}
        for task in ("cir", "aspects"):
            for case in read_benchmark(self.root / f"{task}.{self.split}.jsonl").cases:
                found[tuple(sorted({*case.subset, *case.truths, *case.negatives, *case.query.pictures}))] = (
                    None
                )
        return tuple(found)

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """The pictures that families are made of."""
        images: dict[str, Path] = {}
        for task in ("cir", "aspects"):
            images |= read_benchmark(self.root / f"{task}.{self.split}.jsonl").images
        return {id: images[id] for family in self.families for id in family}

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
