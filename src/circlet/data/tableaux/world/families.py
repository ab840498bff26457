"""Scenes at random, families of look-alikes, and the rule that keeps the splits apart."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TypeVar

from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.layout import honest
from circlet.data.tableaux.world.scene import COLUMNS, FACINGS, SIGNS, SIZES, VIEWS, Scene, Thing
from circlet.data.tableaux.world.settings import fitting, setting, settings
from circlet.data.tableaux.world.truth import changes

T = TypeVar("T")
SPLITS = ("train", "val", "test")
_TRIES = 400


@cache
def home(kind: str, place: str) -> str:
    """The split that owns this kind of thing in this setting.

    Training scenes hold only combinations owned by train. A val or test scene holds at least one of
    its own, and otherwise train's: its things and its setting are known, but not together.
    """
    digest = hashlib.sha256(f"{kind} in {place}".encode()).digest()[0]
    return "test" if digest < 44 else "val" if digest < 84 else "train"


def belongs(scene: Scene, split: str) -> bool:
    """Whether this scene may stand in this split."""
    homes = {home(name, scene.setting) for name in scene.kinds}
    return homes == {"train"} if split == "train" else split in homes and homes <= {split, "train"}


def fits(scene: Scene, split: str) -> bool:
    """Whether the scene can be drawn, its picture shows what its graph says, and the split may have it."""
    return bool(scene.things) and not scene.faults() and belongs(scene, split) and honest(scene)


def random_thing(name: str, rng: random.Random) -> Thing:
    """A group of this kind with everything about it at random."""
    of = kind(name)
    return Thing(
        kind=name,
        count=min(rng.choice((1, 1, 1, 1, 2, 2, 3, 4, 5)), of.most),
        colour=rng.choice(of.colours) if of.colours else "",
        size=rng.choice(("small", "medium", "medium", "large")),
        column=rng.choice(COLUMNS),
        depth=rng.choice((*of.depths, of.depths[0])),
        facing=rng.choice(FACINGS) if of.faces else "",
        tone=rng.choice(of.tones) if of.tones else "",
        hair=rng.choice(of.hairs) if of.hairs else "",
    )


def random_scene(
    rng: random.Random, split: str = "train", things: tuple[int, ...] = (1, 2, 2, 3, 3)
) -> Scene:
    """A scene of this split: a setting, its light and weather, and one to three groups of things."""
    while True:
        place = setting(rng.choice(tuple(settings())))
        names = rng.sample(fitting(place.name), rng.choice(things))
        scene = Scene(
            setting=place.name,
            things=tuple(random_thing(name, rng) for name in names),
            time=_often(place.times, rng),
            weather=_often(place.weathers, rng),
            view=rng.choice(("normal",) * 8 + ("close", "wide")),
            sign=rng.choice(SIGNS) if _has_ground(place.name) and rng.random() < 0.04 else "",
            jitter=rng.randrange(1 << 30),
        )
        if fits(scene, split):
            return scene


def _often(values: tuple[str, ...], rng: random.Random) -> str:
    """The common value half of the time: "day" or "clear"."""
    common = "day" if "day" in values else values[0]
    return common if rng.random() < 0.45 else rng.choice(values)


def _has_ground(place: str) -> bool:
    return "ground" in setting(place).stances and place not in ("sea floor", "kitchen")


def _add(scene: Scene, rng: random.Random) -> Scene:
    if len(scene.things) >= 4:
        return scene
    free = [name for name in fitting(scene.setting) if name not in scene.kinds]
    return replace(scene, things=(*scene.things, random_thing(rng.choice(free), rng)))


def _remove(scene: Scene, rng: random.Random) -> Scene:
    gone = rng.choice(scene.things)
    return replace(scene, things=tuple(thing for thing in scene.things if thing is not gone))


def _replace(scene: Scene, rng: random.Random) -> Scene:
    old = rng.choice(scene.things)
    alike = [name for name in fitting(scene.setting) if name not in scene.kinds]
    family = [name for name in alike if kind(name).family == old.of.family and spot_like(name, old)]
    new = random_thing(rng.choice(family or alike), rng)
    new = replace(new, count=min(old.count, new.of.most), column=old.column, size=old.size)
    if old.depth in new.of.depths:
        new = replace(new, depth=old.depth)
    return replace(scene, things=tuple(new if thing is old else thing for thing in scene.things))


def spot_like(name: str, thing: Thing) -> bool:
    """Whether this kind stands the way the thing does, so that it can take its spot."""
    return kind(name).stance == thing.of.stance


def _count(scene: Scene, rng: random.Random) -> Scene:
    thing = rng.choice(scene.things)
    return scene.changed(thing.kind, count=_other(tuple(range(1, thing.of.most + 1)), thing.count, rng))


def _vary(name: str, values: Callable[[Thing], tuple[str, ...]]) -> Callable[[Scene, random.Random], Scene]:
    """An edit that gives one thing another value of one attribute."""

    def edit(scene: Scene, rng: random.Random) -> Scene:
        able = [thing for thing in scene.things if len(values(thing)) > 1]
        if not able:
            return scene
        thing = rng.choice(able)
        return scene.changed(thing.kind, **{name: _other(values(thing), getattr(thing, name), rng)})

    return edit


def _setting(scene: Scene, rng: random.Random) -> Scene:
    names = [name for name in settings() if all(setting(name).takes(thing.of) for thing in scene.things)]
    place = setting(rng.choice(names))
    return replace(
        scene,
        setting=place.name,
        time=scene.time if scene.time in place.times else place.times[0],
        weather=scene.weather if scene.weather in place.weathers else place.weathers[0],
        sign=scene.sign if _has_ground(place.name) else "",
    )


def _time(scene: Scene, rng: random.Random) -> Scene:
    return replace(scene, time=rng.choice(setting(scene.setting).times))


def _weather(scene: Scene, rng: random.Random) -> Scene:
    return replace(scene, weather=rng.choice(setting(scene.setting).weathers))


def _view(scene: Scene, rng: random.Random) -> Scene:
    return replace(scene, view=_other(VIEWS, scene.view, rng))


def _sign(scene: Scene, rng: random.Random) -> Scene:
    if not _has_ground(scene.setting):
        return scene
    return replace(scene, sign="" if scene.sign else rng.choice(SIGNS))


def _other(values: tuple[T, ...], value: T, rng: random.Random) -> T:
    return rng.choice([each for each in values if each != value])


# Every kind of edit with how often it is drawn.
EDITS: dict[str, tuple[int, Callable[[Scene, random.Random], Scene]]] = {
    "add": (9, _add),
    "remove": (7, _remove),
    "replace": (9, _replace),
    "count": (26, _count),
    "colour": (30, _vary("colour", lambda thing: thing.of.colours)),
    "size": (5, _vary("size", lambda thing: SIZES)),
    "column": (8, _vary("column", lambda thing: COLUMNS)),
    "depth": (4, _vary("depth", lambda thing: thing.of.depths)),
    "facing": (5, _vary("facing", lambda thing: FACINGS if thing.facing else ())),
    "hair": (3, _vary("hair", lambda thing: thing.of.hairs)),
    "tone": (2, _vary("tone", lambda thing: thing.of.tones)),
    "setting": (10, _setting),
    "time": (6, _time),
    "weather": (6, _weather),
    "view": (4, _view),
    "sign": (2, _sign),
}


STAGING = ("setting", "time", "weather", "view", "replace")
ACTING = tuple(name for name in EDITS if name not in ("setting", "weather"))


def edited(scene: Scene, rng: random.Random, split: str, names: tuple[str, ...] = ()) -> Scene | None:
    """The scene after one edit of these kinds (any by default); None when none of them can be made."""
    pool = names or tuple(EDITS)
    weights = [EDITS[name][0] for name in pool]
    for _ in range(_TRIES // 10):
        name = rng.choices(pool, weights)[0]
        new = replace(EDITS[name][1](scene, rng), jitter=rng.randrange(1 << 30))
        if new.key != scene.key and fits(new, split) and changes(scene, new):
            return new
    return None


def family(rng: random.Random, split: str, size: int, seen: set[str]) -> list[Scene]:
    """A scene and its look-alikes, in a tree: some scenes with another backdrop, and near each of
    them some whose things differ a little.

    No two scenes have the same key, in this family or in those that filled `seen` before.
    """
    while True:
        stages = [random_scene(rng, split)]
        members = {scene.key: scene for scene in stages if scene.key not in seen}
        for _ in range(_TRIES):
            if len(members) == size:
                seen |= set(members)
                return list(members.values())
            if len(stages) < 1 + size // 6:
                new = edited(stages[0], rng, split, STAGING)
                stages += [new] if new else []
            else:
                new = rng.choice(stages)
                for _ in range(rng.choice((1, 2, 2))):
                    new = edited(new, rng, split, ACTING) if new else None
            if new and new.key not in seen:
                members.setdefault(new.key, new)
