"""Families of scenes whose pictures differ in one fact each: what an encoder learns to count by."""

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import Stages, draw
from circlet.data.tableaux.world.families import edited, fits, random_scene
from circlet.data.tableaux.world.kinds import CROWD, Kind, kind
from circlet.data.tableaux.world.scene import Scene

RECIPE = "2"  # part of where they are kept: change it when other scenes would be drawn
# Families that the world's own encoder learns from, beside a set's pictures.
KIN = 3200
# Scenes of a family.
MEMBERS = 4
# How many families differ in nothing but a number from one to ten, and in nothing but a thing's colour.
COUNTING, COLOURING = 0.3, 0.25
# What one scene of the other families differs from the first one in, the harder to see the more often.
_EDITS = (
    "count", "count", "count", "colour", "colour", "column", "facing", "depth", "size", "view", "time",
    "hair", "tone",
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
    """So many families, drawn on first use and kept; `draw_kin(home() / "tableaux", 3200, tell)`."""
    rng = random.Random("kin")
    members = [scene for _ in range(count) for scene in kin(rng)]
    scenes = {f"kin-train-{number:06d}": scene for number, scene in enumerate(members)}
    return Kin(scenes, draw(root / f"kin-{RECIPE}", scenes, SIDE, os.cpu_count() or 1, tell))


def kin(rng: random.Random) -> list[Scene]:
    """One family: a scene with other numbers or colours of a thing, or with one fact of any kind changed.

    >>> len({scene.key for scene in kin(random.Random(0))})
    4
    """
    shares = (COUNTING, COLOURING, 1 - COUNTING - COLOURING)
    vary = rng.choices((_counted, _coloured, _changed), shares)[0]
    while True:
        first = random_scene(rng, "train")
        family = vary(first, rng)
        if len({scene.key for scene in family}) == MEMBERS:
            return family


def _counted(scene: Scene, rng: random.Random) -> list[Scene]:
    """The scene with four numbers of one thing, which is large, so that everyone can count."""
    able = [thing.kind for thing in scene.things if thing.of.crowd == CROWD]
    numbers = rng.sample(range(1, CROWD + 1), MEMBERS)
    return _varied(scene, able, lambda of: [{"count": count, "size": "large"} for count in numbers], rng)


def _coloured(scene: Scene, rng: random.Random) -> list[Scene]:
    """The scene with four colours of one thing; people are left out, whose captions say no colour."""
    able = [thing.kind for thing in scene.things if len(thing.of.colours) >= MEMBERS and not thing.tone]
    return _varied(
        scene, able, lambda of: [{"colour": colour} for colour in rng.sample(of.colours, MEMBERS)], rng
    )


def _varied(
    scene: Scene, able: Sequence[str], ways: Callable[[Kind], list[dict[str, Any]]], rng: random.Random
) -> list[Scene]:
    """The scene with one of the able things in each of these ways, as far as that can be drawn."""
    if not able:
        return []
    name = rng.choice(able)
    varied = [replace(scene.changed(name, **way), jitter=rng.randrange(1 << 30)) for way in ways(kind(name))]
    return [one for one in varied if fits(one, "train")]


def _changed(scene: Scene, rng: random.Random) -> list[Scene]:
    found = {scene.key: scene}
    for _ in range(_TRIES):
        other = edited(scene, rng, "train", (rng.choice(_EDITS),))
        if other and len(found) < MEMBERS:
            found.setdefault(other.key, other)
    return list(found.values())
