"""Families of scenes whose pictures differ in one fact each: what an encoder learns to count by."""

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import Stages, draw
from circlet.data.tableaux.world.families import edited, fits, random_scene
from circlet.data.tableaux.world.kinds import CROWD
from circlet.data.tableaux.world.scene import Scene

# Families that the world's own encoder learns from, beside a set's pictures.
KIN = 1500
# Scenes of a family; and how many families differ in nothing but a number from one to ten.
MEMBERS, COUNTING = 4, 0.4
# What else one scene of a family differs from the first one in, the harder to see the more often.
_EDITS = (
    "count", "count", "count", "colour", "column", "facing", "depth", "size", "view", "time", "hair", "tone",
)  # fmt: skip
_TRIES = 12


@dataclass(frozen=True)
class Kin:
    """Scenes of the train split, drawn for an encoder to learn from; a family's names follow each other."""

    scenes: Mapping[str, Scene]
    files: Mapping[str, Path]

    @property
    def families(self) -> tuple[tuple[str, ...], ...]:
        """The names, family by family."""
        ids = list(self.scenes)
        return tuple(tuple(ids[at : at + MEMBERS]) for at in range(0, len(ids), MEMBERS))


def draw_kin(root: Path, count: int, tell: Stages) -> Kin:
    """So many families, drawn on first use and kept; `draw_kin(home() / "tableaux", 1500, tell)`."""
    rng = random.Random("kin")
    members = [scene for _ in range(count) for scene in kin(rng)]
    scenes = {f"kin-train-{number:06d}": scene for number, scene in enumerate(members)}
    return Kin(scenes, draw(root / "kin", scenes, SIDE, os.cpu_count() or 1, tell))


def kin(rng: random.Random) -> list[Scene]:
    """One family: a scene with other numbers of one of its things, or with one fact of any kind changed.

    >>> len({scene.key for scene in kin(random.Random(0))})
    4
    """
    while True:
        first = random_scene(rng, "train")
        family = _counted(first, rng) if rng.random() < COUNTING else _changed(first, rng)
        if len({scene.key for scene in family}) == MEMBERS:
            return family


def _counted(scene: Scene, rng: random.Random) -> list[Scene]:
    """The scene with four numbers of one thing, which is large, so that everyone can count."""
    able = [thing for thing in scene.things if thing.of.crowd == CROWD]
    if not able:
        return []
    name = rng.choice(able).kind
    numbered = [
        replace(scene.changed(name, count=number, size="large"), jitter=rng.randrange(1 << 30))
        for number in rng.sample(range(1, CROWD + 1), MEMBERS)
    ]
    return [one for one in numbered if fits(one, "train")]


def _changed(scene: Scene, rng: random.Random) -> list[Scene]:
    found = {scene.key: scene}
    for _ in range(_TRIES):
        other = edited(scene, rng, "train", (rng.choice(_EDITS),))
        if other and len(found) < MEMBERS:
            found.setdefault(other.key, other)
    return list(found.values())
