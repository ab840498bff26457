"""The scene graph: what is in a picture, as a value that can be compared, stored and hashed."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any

from circlet.core import DataError
from circlet.data.tableaux.world.kinds import Kind, kind
from circlet.data.tableaux.world.settings import setting

SIZES = ("small", "medium", "large")
COLUMNS = ("left", "middle", "right")
FACINGS = ("left", "right")
VIEWS = ("close", "normal", "wide")
SIGNS = ("SALE", "HELLO", "OPEN", "STOP", "EXIT", "CAFE", "ZOO", "TAXI", "FAIR", "HOTEL")


@dataclass(frozen=True, kw_only=True)
class Thing:
    """Things of one kind that stand together: how many, which colour, how large, where, facing where.

    What does not apply to the kind is the empty string: a doughnut has no facing, a zebra no colour.
    `shift` and `lift` (in thousandths of the picture) and `grow` (in percent) move and scale the
    group a little at a time, for the frames of a film.

    >>> Thing(kind="car", count=2, colour="blue", facing="left").of.plural
    'cars'
    """

    kind: str
    count: int = 1
    colour: str = ""
    size: str = "medium"
    column: str = "middle"
    depth: str = "front"
    facing: str = ""
    tone: str = ""
    hair: str = ""
    shift: int = 0
    lift: int = 0
    grow: int = 100

    @property
    def of(self) -> Kind:
        """The kind itself."""
        return kind(self.kind)

    def faults(self) -> list[str]:
        """What is impossible about this thing; an empty list when it can be drawn."""
        of = self.of
        allowed = {
            "colour": of.colours or ("",),
            "size": SIZES,
            "column": COLUMNS,
            "depth": of.depths,
            "facing": FACINGS if of.faces else ("",),
            "tone": of.tones or ("",),
            "hair": of.hairs or ("",),
        }
        wrong = [
            f"{self.kind} cannot have {name} {getattr(self, name)!r}"
            for name, values in allowed.items()
            if getattr(self, name) not in values
        ]
        if not 1 <= self.count <= of.crowd:
            wrong.append(f"{self.count} × {self.kind}: a group has 1 to {of.crowd}")
        return wrong


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A picture's truth: setting, time of day, weather, view, an optional sign and the things.

    `jitter` moves things by a little and varies the backdrop; it says nothing that words could.

    >>> scene = Scene(setting="beach", things=(Thing(kind="crab", count=3),), time="sunset")
    >>> Scene.from_dict(scene.to_dict()) == scene, scene.thing("crab").count
    (True, 3)
    """

    setting: str
    things: tuple[Thing, ...]
    time: str = "day"
    weather: str = "clear"
    view: str = "normal"
    sign: str = ""
    jitter: int = 0

    @cached_property
    def _by_kind(self) -> dict[str, Thing]:
        return {thing.kind: thing for thing in self.things}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things in it; each kind stands in one group only."""
        return tuple(self._by_kind)

    def thing(self, kind: str) -> Thing | None:
        """The group of this kind, if there is one."""
        return self._by_kind.get(kind)

    def count(self, kind: str) -> int:
        """How many things of this kind there are."""
        thing = self._by_kind.get(kind)
        return thing.count if thing else 0

    def changed(self, kind: str, **values: Any) -> "Scene":
        """The scene with other values for the group of this kind."""
        things = tuple(replace(thing, **values) if thing.kind == kind else thing for thing in self.things)
        return replace(self, things=things)

    def faults(self) -> list[str]:
        """Everything that is impossible about this scene; an empty list when it can be drawn."""
        place = setting(self.setting)
        wrong = [fault for thing in self.things for fault in thing.faults()]
        wrong += [f"no {t.kind} {place.where}" for t in self.things if not place.takes(t.of)]
        if len(self._by_kind) < len(self.things):
            wrong.append("a kind stands in two groups")
        spots = [spot(thing) for thing in self.things]
        if len(set(spots)) < len(spots):
            wrong.append("two groups stand on one spot")
        for name, value, values in (
            ("time", self.time, place.times),
            ("weather", self.weather, place.weathers),
            ("view", self.view, VIEWS),
            ("sign", self.sign, ("", *SIGNS)),
        ):
            if value not in values:
                wrong.append(f"no {name} {value!r} {place.where}")
        return wrong

    @cached_property
    def key(self) -> str:
        """A short hash of what words could say: equal for scenes that differ in jitter only."""
        things = sorted(tuple(vars(thing).values()) for thing in self.things)
        parts = (self.setting, self.time, self.weather, self.view, self.sign, things)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Scene":
        """The scene that `to_dict` wrote."""
        unknown = set(values) - {field.name for field in fields(cls)}
        if unknown:
            raise DataError(f"a scene has no {', '.join(sorted(unknown))}")
        return cls(**{**values, "things": tuple(Thing(**thing) for thing in values["things"])})


def spot(thing: Thing) -> tuple[str, str]:
    """Where a group stands: two groups cannot share a spot. The sky is one row, with no depth."""
    return (thing.column, "sky" if thing.of.stance == "air" else thing.depth)
