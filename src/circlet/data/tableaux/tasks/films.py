"""Films of which ten frames are cut, and sets of look-alikes: what is described in `tableaux:frames`.

A film is long, and everything in it wanders: a thing goes to and fro behind another and out of the
picture, a group grows and shrinks, something flies up and down, a detail comes and goes, the light changes.
Ten frames are cut out anywhere, so that neither the beginning nor the end of a set means anything.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from circlet.core import UsageError
from circlet.core.files import parse_json, write_lines
from circlet.data.tableaux.world.families import ACTING, belongs, edited, random_scene, random_thing
from circlet.data.tableaux.world.frame import Frame
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import COLUMNS, Scene, Thing
from circlet.data.tableaux.world.settings import fitting, setting, settings

SET_SIZE = 10
# So long is a film out of which ten frames are cut.
_LENGTH = 44
_LOOKALIKE_TRIES = 200
# What fills its outline, so that a thing behind it can be hidden.
_SOLID = (
    "hut", "house", "castle", "church", "tent", "stone head", "door", "television", "bathtub", "bus",
    "van", "ambulance", "fire engine", "tram", "steam train", "present", "robot", "football",
    "basketball", "backpack", "book", "laptop", "briefcase", "loaf of bread", "piece of cheese",
    "slice of cake", "birthday cake", "pumpkin lantern", "mantel clock", "doughnut", "cookie",
)  # fmt: skip


@dataclass(frozen=True)
class Film:
    """Ten frames, in the order of time where they come from a film and not from a set of look-alikes."""

    frames: tuple[Frame, ...]
    timed: bool

    @property
    def source(self) -> str:
        """What ImageCoDe calls it: `video` or `static`."""
        return "video" if self.timed else "static"


def _wander(rng: random.Random, low: int, high: int, pace: tuple[int, int]) -> list[int]:
    """Whole numbers that go from one random goal to the next, at a pace of their own at each step."""
    at, goal = rng.uniform(low, high), rng.uniform(low, high)
    path = []
    for _ in range(_LENGTH):
        step = rng.uniform(*pace)
        if abs(goal - at) <= step:
            at, goal = goal, rng.uniform(low, high)
        else:
            at += step if goal > at else -step
        path.append(round(at))
    return path


def _bursts(rng: random.Random, values: Sequence[int], usual: int) -> list[int]:
    """The usual value, and now and then for one to three frames another."""
    path: list[int] = []
    while len(path) < _LENGTH:
        path += [usual] * rng.randint(2, 9)
        path += [rng.choice(values)] * rng.randint(1, 3)
    return path[:_LENGTH]


def _headed(path: Sequence[int]) -> list[str]:
    """Where a thing faces that goes this way: ahead, also before it stops."""
    ahead, facings = "right", []
    for now, then in pairwise((*path, path[-1])):
        ahead = "right" if then > now else "left" if then < now else ahead
        facings.append(ahead)
    return facings


def _mover(rng: random.Random, name: str) -> Iterator[Thing]:
    """To and fro behind what stands in front, out of the picture and in again, perhaps nearer and farther."""
    actor = replace(random_thing(name, rng), count=1, column="middle", depth="back")
    actor = replace(actor, size=rng.choice(("small", "medium")))
    across = _wander(rng, -620, 620, (35, 150))
    nears = rng.random() < 0.45
    grown = _wander(rng, 65, 175, (6, 26)) if nears else [100] * _LENGTH
    for shift, facing, grow in zip(across, _headed(across), grown, strict=True):
        yield replace(actor, shift=shift, facing=facing, grow=grow, lift=(100 - grow) * 11 // 10)


def _flyer(rng: random.Random, name: str, column: str) -> Iterator[Thing]:
    """Up and down in the sky, and a little to the sides."""
    actor = replace(random_thing(name, rng), count=1, size="medium", column=column)
    across, up = _wander(rng, -260, 260, (10, 45)), _wander(rng, -420, 60, (20, 90))
    for shift, lift, facing in zip(across, up, _headed(across), strict=True):
        yield replace(actor, shift=shift, lift=lift, facing=facing if actor.facing else "")


def _group(rng: random.Random, name: str, column: str) -> Iterator[Thing | None]:
    """Things of one kind that come and go, one at a time."""
    actor = replace(random_thing(name, rng), size="medium", depth="front", column=column)
    count, most = rng.randint(0, 4), min(4, actor.of.most)
    for _ in range(_LENGTH):
        yield replace(actor, count=count) if count else None
        if rng.random() < 0.42:
            count = max(0, min(most, count + rng.choice((-1, 1))))


def _detail(rng: random.Random, name: str, column: str) -> Iterator[Thing | None]:
    """Something tiny that moves a little, and is not always there."""
    actor = replace(random_thing(name, rng), count=1, size="small", depth="front", column=column)
    there, across = rng.random() < 0.7, _wander(rng, -130, 130, (5, 60))
    for shift in across:
        yield replace(actor, shift=shift, grow=34) if there else None
        if rng.random() < 0.2:
            there = not there


def _cast(rng: random.Random, split: str) -> tuple[Scene, list[list[Thing | None]]]:
    """A stage of this split and, for every actor, what it does in each frame."""
    while True:
        place = setting(rng.choice(tuple(settings())))
        names = fitting(place.name)
        standing = [name for name in names if kind(name).stance in ("ground", "float")]
        roles = {
            "mover": [name for name in standing if kind(name).faces],
            "obstacle": [name for name in standing if name in _SOLID],
            "group": standing,
            "flyer": [name for name in names if kind(name).stance == "air"],
            "detail": standing,
        }
        wanted = ["obstacle", "mover"] if rng.random() < 0.85 else ["mover"]
        wanted += [rng.choice(("group", "group", "flyer"))]
        wanted += ["detail"] if rng.random() < 0.65 else []
        if not all(roles[role] for role in wanted):
            continue
        names = tuple(rng.choice(roles[role]) for role in wanted)
        if len(set(names)) < len(names):
            continue
        stage = Scene(
            setting=place.name,
            things=tuple(random_thing(name, rng) for name in names),
            time=rng.choice(place.times),
            weather=rng.choice(place.weathers),
            jitter=rng.randrange(1 << 30),
        )
        if not belongs(stage, split):
            continue
        return stage, _acts(rng, dict(zip(wanted, names, strict=True)))


def _acts(rng: random.Random, named: dict[str, str]) -> list[list[Thing | None]]:
    columns = rng.sample(COLUMNS, len(COLUMNS))
    acts: list[list[Thing | None]] = []
    for role, name in named.items():
        if role == "mover":
            acts.append(list(_mover(rng, name)))
        elif role == "flyer":
            acts.append(list(_flyer(rng, name, rng.choice(COLUMNS))))
        elif role == "group":
            acts.append(list(_group(rng, name, columns.pop())))
        elif role == "detail":
            acts.append(list(_detail(rng, name, columns.pop())))
        else:
            still = replace(random_thing(name, rng), count=1, size="large", depth="front")
            acts.append([replace(still, column=columns.pop())] * _LENGTH)
    return acts


def video(rng: random.Random, split: str) -> Film:
    """Ten frames out of a film of this split."""
    while True:
        stage, acts = _cast(rng, split)
        lights = _wander(rng, 45, 145, (4, 22)) if rng.random() < 0.3 else [100] * _LENGTH
        blurs = _bursts(rng, (12, 18, 25, 34), 0) if rng.random() < 0.35 else [0] * _LENGTH
        fades = _bursts(rng, (25, 35, 45), 0) if rng.random() < 0.2 else [0] * _LENGTH
        into = random_scene(rng, split) if any(fades) else None
        step = rng.choice((1, 1, 2))
        first = rng.randrange(_LENGTH - step * (SET_SIZE - 1))
        frames = []
        for at in range(first, first + step * SET_SIZE, step):
            things = tuple(act[at] for act in acts)
            scene = replace(stage, things=tuple(thing for thing in things if thing is not None))
            ghost = into if fades[at] else None
            frames.append(Frame(scene=scene, blur=blurs[at], light=lights[at], fade=fades[at], into=ghost))
        if not any(frame.scene.faults() for frame in frames) and len({f.key for f in frames}) == SET_SIZE:
            return Film(tuple(frames), timed=True)


def lookalikes(rng: random.Random, split: str) -> Film:
    """Ten scenes that are an edit or two away from one, in no order; a few of them badly lit or blurred."""
    while True:
        first = random_scene(rng, split, things=(2, 2, 3))
        members = {first.key: first}
        for _ in range(_LOOKALIKE_TRIES):
            if len(members) == SET_SIZE:
                break
            new: Scene | None = first
            for _ in range(rng.choice((1, 2, 2))):
                new = edited(new, rng, split, ACTING) if new else None
            if new:
                members.setdefault(new.key, new)
        if len(members) == SET_SIZE:
            scenes = rng.sample(list(members.values()), SET_SIZE)
            return Film(tuple(_caught(scene, rng) for scene in scenes), timed=False)


def _caught(scene: Scene, rng: random.Random) -> Frame:
    """A scene as a careless camera caught it."""
    odd = rng.random()
    if odd < 0.06:
        return Frame(scene=scene, light=rng.choice((50, 60, 130, 140)))
    return Frame(scene=scene, blur=rng.choice((18, 26)) if odd < 0.09 else 0)


def write_films(path: Path, films: Mapping[str, Film]) -> None:
    """The graphs of films by name, a line each."""
    rows = (
        {"id": name, "timed": film.timed, "frames": [frame.to_dict() for frame in film.frames]}
        for name, film in films.items()
    )
    write_lines(path, rows)


def read_films(root: Path, split: str) -> dict[str, Film]:
    """The films of a tableaux set by name; a picture's id is that of its film and its place, `NAME-3`."""
    path = root / f"films.{split}.jsonl"
    if not path.is_file():
        raise UsageError(f"{root} holds no films: make them with `circlet data make tableaux`")
    films = {}
    with path.open(encoding="utf-8") as file:
        for line in map(parse_json, file):
            frames = tuple(Frame.from_dict(frame) for frame in line["frames"])
            films[str(line["id"])] = Film(frames, bool(line["timed"]))
    return films
