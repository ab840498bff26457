"""What can be said of a scene: captions whole and in part, the facts they state, and near misses.

Beside captions, a scene is spoken of in the train split's wordings ("make it three dogs", "show the car in
red"), as far as they say what is there: never that something is gone, never how another picture differs.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from circlet.data.captions import Saying
from circlet.data.tableaux.files import picture_file, read_scenes
from circlet.data.tableaux.tasks.kin import Kin
from circlet.data.tableaux.world.families import EDITS
from circlet.data.tableaux.world.kinds import CROWD, MOST, kinds
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, setting, settings
from circlet.data.tableaux.world.truth import Need
from circlet.data.tableaux.world.words import AT, TIME, WEATHER, caption, counted, say

# How often a saying is the whole caption, or in a wording; and how often a part keeps one of its details.
_WHOLE, _WORDED, _KEPT = 0.3, 0.25, 0.7
_MOST_NEEDS = 5
_DETAILS = ("colour", "facing", "hair", "tone")
# What is far from the usual size, or seen from far from the usual distance, is spoken of so.
_SIZE = {"large": "larger", "small": "smaller"}
_VIEW = {"close": "closer", "wide": "wider"}


def facts(scene: Scene) -> frozenset[str]:
    """Everything that a saying can state of a scene.

    >>> told = facts(Scene(setting="beach", things=(Thing(kind="crab", count=3, column="left"),)))
    >>> sorted(fact for fact in told if "crab" in fact)
    ['3 crab', 'crab', 'crab front', 'crab left', 'crab medium', 'several crab']
    """
    more = {f"sign {scene.sign}", scene.view} if scene.sign else {scene.view}
    for thing in scene.things:
        more |= {f"{thing.kind} {thing.depth}", f"{thing.kind} {thing.size}"}
        more |= {_detail(thing.kind, name, value) for name in _DETAILS if (value := getattr(thing, name))}
    return _captioned(scene) | more


def _captioned(scene: Scene) -> frozenset[str]:
    """The facts of the whole caption."""
    stated = {setting(scene.setting).where, scene.time, scene.weather}
    for thing in scene.things:
        stated |= {*_numbered(thing), f"{thing.kind} {thing.column}"}
        stated |= {f"{thing.colour} {thing.kind}"} if _coloured(thing) else set()
    return frozenset(stated)


def _numbered(thing: Thing) -> set[str]:
    return {thing.kind, f"{thing.count} {thing.kind}", _number(thing)}


def _detail(kind: str, name: str, value: str) -> str:
    return f"{value} {kind}" if name == "colour" else f"{kind} {name} {value}"


def _number(thing: Thing) -> str:
    """What the noun alone says of how many there are."""
    return f"{'several' if thing.count > 1 else 1} {thing.kind}"


def _coloured(thing: Thing) -> bool:
    """Whether a caption names the colour: a person's is that of the shirt, and is passed over."""
    return bool(thing.colour) and not thing.tone


def part(scene: Scene, chance: random.Random) -> tuple[str, frozenset[str]]:
    """Something that is true of the scene, and its facts: some things and details, perhaps where and when."""
    things = list(scene.things)
    chance.shuffle(things)
    phrases, stated = [], set()
    for thing in things[: chance.randint(0, len(things))]:
        count, colour, column = (chance.random() < _KEPT for _ in range(3))
        colour = colour and _coloured(thing)
        noun = thing.of.named(thing.count)
        named = f"{thing.colour} {noun}" if colour else noun
        phrase = counted(thing.count, noun, thing.colour if colour else "") if count else named
        phrases.append(f"{phrase} {AT[thing.column]}" if column else phrase)
        told = {f"{thing.count} {thing.kind}": count, f"{thing.colour} {thing.kind}": colour}
        told |= {f"{thing.kind} {thing.column}": column, thing.kind: True, _number(thing): True}
        stated |= {fact for fact, is_told in told.items() if is_told}
    around = []
    # Drawn whether they are needed or not, so that a scene with other facts is told in the same manner.
    where, time, weather = (chance.random() < _KEPT for _ in range(3))
    if where or not phrases:
        around.append(setting(scene.setting).where)
        stated.add(around[0])
    if scene.time != "day" and time:
        around.append(TIME[scene.time])
        stated.add(scene.time)
    if scene.weather != "clear" and weather:
        around.append(WEATHER[scene.weather])
        stated.add(scene.weather)
    if around:
        phrases.append(" ".join(around))
    return ", ".join(phrases), frozenset(stated)


def asked(scene: Scene, chance: random.Random) -> tuple[str, frozenset[str]]:
    """The scene in the train split's wordings, one to four of them, and the facts."""
    needs = _needs(scene)
    chosen = chance.sample(range(len(needs)), min(len(needs), chance.randint(1, _MOST_NEEDS)))
    told = [needs[at] for at in chosen]
    text = say([need for need, _ in told], scene, chance, "train").text
    return text, frozenset().union(*(stated for _, stated in told))


def _needs(scene: Scene) -> list[tuple[Need, frozenset[str]]]:
    """What a text could ask for that this scene has, each with its facts."""
    found = [
        (Need(about="setting", value=scene.setting), {setting(scene.setting).where}),
        (Need(about="time", value=scene.time), {scene.time}),
        (Need(about="weather", value=scene.weather), {scene.weather}),
    ]
    if scene.sign:
        found.append((Need(about="sign", value=scene.sign), {f"sign {scene.sign}"}))
    if scene.view in _VIEW:
        found.append((Need(about=_VIEW[scene.view]), {scene.view}))
    for thing in scene.things:
        kind, number = thing.kind, _numbered(thing)
        colour = thing.colour if _coloured(thing) else ""
        added = number | {f"{kind} {thing.column}"} | ({f"{colour} {kind}"} if colour else set())
        new = Need(about="add", kind=kind, count=thing.count, colour=colour, column=thing.column)
        found += [(new, added), (Need(about="count", kind=kind, count=thing.count), number)]
        found.append((Need(about="column", kind=kind, value=thing.column), {kind, f"{kind} {thing.column}"}))
        found.append((Need(about=thing.depth, kind=kind), {kind, f"{kind} {thing.depth}"}))
        if thing.size in _SIZE:
            found.append((Need(about=_SIZE[thing.size], kind=kind), {kind, f"{kind} {thing.size}"}))
        for name in _DETAILS:
            if value := getattr(thing, name):
                about = "shirt" if name == "colour" and thing.of.palette == "shirt" else name
                need = Need(about=about, kind=kind, value=value)
                found.append((need, {kind, _detail(kind, name, value)}))
    return [(need, frozenset(stated)) for need, stated in found]


Change = Callable[[Scene, random.Random], Scene]


def _another(scene: Scene, chance: random.Random) -> Scene:
    """Another kind of thing in the place of one."""
    old = chance.choice(scene.things)
    new = chance.choice([kind for kind in kinds().values() if kind.name not in scene.kinds])
    colour = chance.choice(new.colours) if new.colours else ""
    other = replace(old, kind=new.name, colour=colour, count=min(old.count, new.most), tone="", hair="")
    return replace(scene, things=tuple(other if thing is old else thing for thing in scene.things))


def _miscounted(scene: Scene, chance: random.Random) -> Scene:
    """One more or one less of a thing, or any other number of it."""
    thing = chance.choice(scene.things)
    most = thing.of.crowd if thing.count > MOST else thing.of.most
    near = {thing.count - 1, thing.count + 1} if chance.random() < _CLOSE else set(range(1, most + 1))
    return scene.changed(
        thing.kind, count=chance.choice([n for n in near if 0 < n <= CROWD and n != thing.count])
    )


def elsewhere(scene: Scene, chance: random.Random) -> Scene:
    """The same things in another setting, at the same time and in the same weather."""
    return replace(scene, setting=chance.choice(tuple(settings())))


def _at_another_time(scene: Scene, chance: random.Random) -> Scene:
    return replace(scene, time=chance.choice(TIMES))


def _in_other_weather(scene: Scene, chance: random.Random) -> Scene:
    return replace(scene, weather=chance.choice(WEATHERS))


# Changes of one fact, the harder to see the more often; a caption needs no picture, so what cannot be
# drawn may be said.
CHANGES: tuple[Change, ...] = (
    *(_miscounted,) * 5,
    *(EDITS["colour"][1],) * 5,
    *(EDITS["column"][1],) * 2,
    *(EDITS[name][1] for name in ("facing", "depth", "hair", "tone", "size", "view")),
    _another,
    elsewhere,
    _at_another_time,
    _in_other_weather,
)
_TRIES = 12
# How often a wrong number is the next one.
_CLOSE = 0.4


@dataclass(frozen=True)
class TableauxCaptions:
    """The scenes of one split of a tableaux set; `TableauxCaptions(Path("world"), "train")`.

    Of more than `limit` a random part is taken; `kin` are further scenes, drawn to be learned from.
    """

    root: Path
    split: str
    limit: int = 0
    kin: Kin | None = None

    @property
    def name(self) -> str:
        """What they are."""
        return f"tableaux:{self.root} ({self.split})"

    @cached_property
    def scenes(self) -> Mapping[str, Scene]:
        """The scenes of `cir`; in training those of `aspects`, too."""
        # A picture's name begins with what it was drawn for; films have benchmarks of their own.
        used = ("train", "aspects") if self.split == "train" else (self.split,)
        every = read_scenes(self.root / f"scenes.{self.split}.jsonl").items()
        chosen = [(id, scene) for id, scene in every if id.split("-")[0] in used]
        if self.limit and len(chosen) > self.limit:
            chosen = random.Random(0).sample(chosen, self.limit)
        return {**dict(chosen), **(self.kin.scenes if self.kin else {})}

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """The pictures by id."""
        own = {id: picture_file(self.root, id) for id in self.scenes}
        return {**own, **(self.kin.files if self.kin else {})}

    @property
    def families(self) -> Sequence[Sequence[str]]:
        """Which pictures differ in one fact from each other."""
        return self.kin.families if self.kin else ()

    def facts(self, id: str) -> frozenset[str]:
        """Everything that a caption can say of a picture."""
        return facts(self.scenes[id])

    def whole(self, id: str) -> Saying:
        """The picture's whole caption."""
        return Saying(caption(self.scenes[id]), _captioned(self.scenes[id]), None)

    def say(self, id: str, chance: random.Random) -> Saying:
        """The caption whole or in part; what differs in one fact says as much."""
        scene, manner, seed = self.scenes[id], chance.random(), chance.random()

        def said(scene: Scene) -> tuple[str, frozenset[str]]:
            if manner < _WHOLE:
                return caption(scene), _captioned(scene)
            return (asked if manner < _WHOLE + _WORDED else part)(scene, random.Random(seed))

        text, stated = said(scene)
        for _ in range(_TRIES):
            wrong, told = said(chance.choice(CHANGES)(scene, chance))
            if not told <= facts(scene):
                return Saying(text, stated, wrong)
        return Saying(text, stated, None)
