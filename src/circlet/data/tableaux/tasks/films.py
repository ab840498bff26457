"""Plots of ten frames: crossings, comings and goings, approaches, ascents, and sets of look-alikes."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from circlet.data.tableaux.world.families import belongs, family, random_thing
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.layout import CANVAS, Placed, placed, shares
from circlet.data.tableaux.world.scene import FACINGS, Scene, Thing
from circlet.data.tableaux.world.settings import fitting, setting, settings

_LENGTH = 10
# What fills its outline, so that a thing behind it is hidden when their boxes say so.
_SOLID = (
    "hut", "house", "castle", "church", "tent", "stone head", "door", "television", "bathtub", "bus",
    "van", "ambulance", "fire engine", "tram", "steam train", "present", "robot", "football",
    "basketball", "backpack", "book", "laptop", "briefcase", "loaf of bread", "piece of cheese",
    "slice of cake", "birthday cake", "pumpkin lantern", "mantel clock", "doughnut", "cookie",
)  # fmt: skip
FactFields = dict[str, Any]


@dataclass(frozen=True)
class Film:
    """Ten frames and what moves in them; a set of look-alikes has no mover."""

    plot: str
    frames: tuple[Scene, ...]
    mover: str = ""
    obstacle: str = ""


def _pick(
    rng: random.Random, split: str, able: Callable[[str], bool], beside: Callable[[str], bool]
) -> tuple[Scene, list[Thing]]:
    """A stage of this split with two things that are able to play their parts."""
    while True:
        place = setting(rng.choice(tuple(settings())))
        first = [name for name in fitting(place.name) if able(name)]
        second = [name for name in fitting(place.name) if beside(name)]
        if not first or not second:
            continue
        names = (rng.choice(first), rng.choice(second))
        if names[0] == names[1]:
            continue
        things = [replace(random_thing(name, rng), count=1, size="medium") for name in names]
        stage = Scene(
            setting=place.name,
            things=tuple(things),
            time=rng.choice(place.times),
            weather=rng.choice(place.weathers),
            jitter=rng.randrange(1 << 30),
        )
        if belongs(stage, split):
            return stage, things


def _stands(name: str) -> bool:
    return kind(name).stance in ("ground", "float")


def crossing(rng: random.Random, split: str) -> Film:
    """A thing goes from one side to the other, behind another thing."""
    stage, (mover, obstacle) = _pick(
        rng, split, lambda name: bool(kind(name).faces) and _stands(name), lambda name: name in _SOLID
    )
    way = rng.choice(FACINGS)
    mover = replace(mover, facing=way, column="middle", depth="back", size="small")
    obstacle = replace(obstacle, column="middle", depth="front", size="large")
    frames = []
    for step in range(_LENGTH):
        across = -440 + step * 880 // (_LENGTH - 1)
        moved = replace(mover, shift=across if way == "right" else -across)
        frames.append(replace(stage, things=(moved, obstacle)))
    return Film("crossing", tuple(frames), mover.kind, obstacle.kind)


def gathering(rng: random.Random, split: str) -> Film:
    """Things of one kind come one by one, stay, and go again, while another thing wanders off."""
    stage, (mover, other) = _pick(rng, split, _stands, _stands)
    mover = replace(mover, column="left", depth="front", size="medium")
    peak = rng.choice((3, 4, 5))
    counts = [0, *range(1, peak + 1)]
    counts += list(range(peak - 1, -1, -1))
    counts = (counts + [0] * _LENGTH)[:_LENGTH] if len(counts) < _LENGTH else counts[:_LENGTH]
    frames = []
    for step, count in enumerate(counts):
        passing = replace(other, column="right", depth="front", size="medium", shift=step * 34)
        group = (replace(mover, count=count),) if count else ()
        frames.append(replace(stage, things=(*group, passing)))
    return Film("gathering", tuple(frames), mover.kind, other.kind)


def _joined(step: int) -> int:
    """How many stand by: one at first, then two, then three."""
    return 1 + (step > 3) + (step > 6)


def approach(rng: random.Random, split: str) -> Film:
    """A thing comes nearer and grows, while others gather beside it."""
    stage, (mover, other) = _pick(rng, split, _stands, _stands)
    mover = replace(mover, column="left", depth="back", size="medium")
    other = replace(other, column="right", depth="front", size="medium")
    frames = []
    for step in range(_LENGTH):
        nearer = replace(mover, grow=62 + step * 14, lift=-step * 22)
        frames.append(replace(stage, things=(nearer, replace(other, count=_joined(step)))))
    return Film("approach", tuple(frames if rng.random() < 0.6 else frames[::-1]), mover.kind, other.kind)


def ascent(rng: random.Random, split: str) -> Film:
    """A thing that flies rises into the sky, or comes down from it."""
    stage, (mover, other) = _pick(rng, split, lambda name: kind(name).stance == "air", _stands)
    mover = replace(mover, column="left", size="medium")
    other = replace(other, column="right", depth="front", size="medium")
    frames = []
    for step in range(_LENGTH):
        flying = replace(mover, lift=-430 + step * 50, shift=step * 12)
        frames.append(replace(stage, things=(flying, replace(other, count=_joined(step)))))
    return Film("ascent", tuple(frames if rng.random() < 0.6 else frames[::-1]), mover.kind, other.kind)


PLOTS = (crossing, gathering, approach, ascent)


def video(rng: random.Random, split: str, seen: set[str]) -> Film:
    """A film of one of the plots, none of whose frames was seen before."""
    while True:
        film = rng.choice(PLOTS)(rng, split)
        keys = {scene.key for scene in film.frames}
        drawable = all(belongs(scene, split) and not scene.faults() for scene in film.frames)
        if drawable and not keys & seen:
            seen |= keys
            return film


def lookalikes(rng: random.Random, split: str, seen: set[str]) -> Film:
    """Ten scenes of one family."""
    return Film("look-alikes", tuple(family(rng, split, _LENGTH, seen)))


@dataclass(frozen=True)
class _Seen:
    """What can be measured of one group in one frame."""

    left: int
    right: int
    top: int
    height: int
    share: float
    inside: float
    count: int


def _seen(scene: Scene, name: str) -> _Seen | None:
    """The group of this kind as drawn; None when there is none."""
    every = placed(scene)
    members = [
        (one, share) for one, share in zip(every, shares(every), strict=True) if one.thing.kind == name
    ]
    if not members:
        return None
    boxes = [one.box for one, _ in members]
    return _Seen(
        left=min(box[0] for box in boxes),
        right=max(box[2] for box in boxes),
        top=min(box[1] for box in boxes),
        height=members[0][0].height,
        share=min(share for _, share in members),
        inside=min(_inside(one) for one, _ in members),
        count=len(members),
    )


def _inside(one: Placed) -> float:
    width = max(0, min(one.box[2], CANVAS) - max(one.box[0], 0))
    return width / one.width


def video_facts(film: Film) -> list[FactFields]:
    """What the layouts say of the mover: where, how much of it shows, how many, since when."""
    moving = [_seen(scene, film.mover) for scene in film.frames]
    facts: list[FactFields] = []
    if film.plot == "gathering":
        return _counts(film.mover, moving)
    if film.plot in ("approach", "ascent"):
        facts += _counts(film.obstacle, [_seen(scene, film.obstacle) for scene in film.frames])
    there = [each for each in moving if each is not None]
    if film.plot == "crossing":
        return _crossings(film, there)
    heights, tops = [each.height for each in there], [-each.top for each in there]
    if film.plot == "approach":
        facts += _extremes(film, "biggest", "smallest", heights) + _thirds(film, "large", "small", heights)
    else:
        facts += _extremes(film, "highest", "lowest", tops) + _thirds(film, "high", "low", tops)
    return facts


def _places(true: Iterable[bool]) -> frozenset[int]:
    """The frames of which something is true."""
    return frozenset(place for place, holds in enumerate(true) if holds)


def _counts(name: str, moving: list[_Seen | None]) -> list[FactFields]:
    counts = [each.count if each else 0 for each in moving]
    facts: list[FactFields] = [{"about": "none", "kind": name, "true_of": _places(n == 0 for n in counts)}]
    steps = list(zip([counts[0], *counts], counts, strict=False))
    for number in sorted(set(counts) - {0}):
        fields = {"kind": name, "count": number}
        facts += [
            fields | {"about": "count", "true_of": _places(n == number for n in counts)},
            fields | {"about": "just arrived", "true_of": _places(was < now == number for was, now in steps)},
            fields | {"about": "just left", "true_of": _places(was > now == number for was, now in steps)},
        ]
    return facts


def _crossings(film: Film, there: list[_Seen]) -> list[FactFields]:
    still = [each for each in (_seen(scene, film.obstacle) for scene in film.frames) if each is not None]
    both = {"kind": film.mover, "other": film.obstacle}
    ahead = film.frames[0].things[0].facing
    start = "left" if ahead == "right" else "right"
    apart = {
        "left": _places(one.right <= two.left for one, two in zip(there, still, strict=True)),
        "right": _places(one.left >= two.right for one, two in zip(there, still, strict=True)),
    }
    covered = [each.inside - each.share for each in there]
    hidden = _places(share > 0.93 for share in covered)
    facts: list[FactFields] = [
        both | {"about": "hidden", "true_of": hidden},
        both | {"about": "partly", "true_of": _places(0.12 < share < 0.88 for share in covered)},
        {"about": "clear", "kind": film.mover, "true_of": _places(each.share > 0.99 for each in there)},
        both | {"about": "before", "value": start, "true_of": apart[start]},
        both | {"about": "after", "value": ahead, "true_of": apart[ahead]},
    ]
    for side in FACINGS:
        cut = _places(each.inside < 0.93 and (each.left < 0) == (side == "left") for each in there)
        facts.append({"about": "cut", "kind": film.mover, "value": side, "true_of": cut})
    frames = range(_LENGTH)
    facts += [
        both
        | {"about": "soon hidden", "true_of": _places(i not in hidden and i + 1 in hidden for i in frames)},
        both
        | {"about": "just shown", "true_of": _places(i not in hidden and i - 1 in hidden for i in frames)},
    ]
    return facts + _extremes(film, "most right", "most left", [each.left for each in there])


def _extremes(film: Film, most: str, least: str, values: list[int]) -> list[FactFields]:
    """The frames with the highest and the lowest value, where these stand out."""
    facts: list[FactFields] = []
    for about, end in ((most, max(values)), (least, min(values))):
        where = _places(value == end for value in values)
        if len(where) == 1:
            facts.append({"about": about, "kind": film.mover, "true_of": where})
    return facts


def _thirds(film: Film, much: str, little: str, values: list[int]) -> list[FactFields]:
    """A gradable word is true of the upper third of its scale, its opposite of the lower."""
    low, span = min(values), max(values) - min(values)
    above = _places(3 * (value - low) > 2 * span for value in values)
    below = _places(3 * (value - low) < span for value in values)
    return [
        {"about": much, "kind": film.mover, "true_of": above},
        {"about": little, "kind": film.mover, "true_of": below},
    ]


def static_facts(film: Film) -> list[FactFields]:
    """What the graphs say: numbers, absences, colours, places, facings, backdrops and light."""
    dark = _places(scene.time == "night" for scene in film.frames)
    facts: list[FactFields] = [{"about": "dark", "true_of": dark}]
    for name in ("setting", "time", "weather"):
        values = [str(getattr(scene, name)) for scene in film.frames]
        for value in sorted(set(values)):
            facts.append({"about": name, "value": value, "true_of": _places(v == value for v in values)})
    for kind_name in sorted({name for scene in film.frames for name in scene.kinds}):
        facts += _things(film, kind_name)
    return facts


def _things(film: Film, name: str) -> list[FactFields]:
    groups = [scene.thing(name) for scene in film.frames]
    counts = [group.count if group else 0 for group in groups]
    facts: list[FactFields] = [{"about": "none", "kind": name, "true_of": _places(n == 0 for n in counts)}]
    for number in sorted(set(counts) - {0}):
        here = _places(n == number for n in counts)
        facts.append({"about": "count", "kind": name, "count": number, "true_of": here})
    for about in ("colour", "column", "facing"):
        if about == "colour" and kind(name).palette == "shirt":
            continue
        # The noun shows whether there are one or several, so that is part of what the words say.
        states = [(min(group.count, 2), getattr(group, about)) if group else (0, "") for group in groups]
        for number, value in sorted({each for each in states if each[1]}):
            here = _places(each == (number, value) for each in states)
            facts.append({"about": about, "kind": name, "count": number, "value": value, "true_of": here})
    return facts
