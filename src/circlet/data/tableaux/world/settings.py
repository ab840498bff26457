"""Where scenes play: each setting with what fits there and which light and weather it can have."""

from dataclasses import dataclass
from functools import cache

from circlet.core import DataError
from circlet.data.tableaux.world.kinds import Kind, kinds

TIMES = ("dawn", "day", "sunset", "night")
WEATHERS = ("clear", "cloudy", "rain", "snow", "fog")

_ANIMALS = frozenset({"farm", "wild", "birds", "insects"})
_OUTDOORS = _ANIMALS | {"vehicles", "aircraft", "plants", "people", "toys", "buildings"}
_INDOORS = frozenset({"food", "kitchen", "clothes", "furniture", "toys", "study", "people", "farm"})
_TABLE = frozenset({"food", "kitchen", "toys", "study", "clothes"})


@dataclass(frozen=True)
class Setting:
    """A place: its phrase in a sentence, the families and stances it takes, its times and weathers.

    >>> setting("beach").where
    'on a beach'
    """

    name: str
    where: str
    families: frozenset[str]
    stances: frozenset[str] = frozenset({"ground", "air", "bust"})
    times: tuple[str, ...] = TIMES
    weathers: tuple[str, ...] = ("clear", "cloudy", "rain", "fog")

    def takes(self, kind: Kind) -> bool:
        """Whether this kind of thing can stand, float or fly here."""
        return kind.family in self.families and kind.stance in self.stances


_SNOWY = ("clear", "cloudy", "snow", "fog")


def _inside(
    name: str, where: str, families: frozenset[str] = _INDOORS, times: tuple[str, ...] = TIMES[1:]
) -> Setting:
    """A room: no sky to fly in, no weather, and the time of day shows in its window."""
    return Setting(name, where, families, frozenset({"ground", "bust"}), times, ("clear",))


@cache
def settings() -> dict[str, Setting]:
    """Every setting by its name."""
    water = frozenset({"float", "air"})
    listed = (
        Setting("meadow", "in a meadow", _OUTDOORS | {"clothes", "food"}),
        Setting("park", "in a park", _OUTDOORS | {"food", "clothes", "furniture"}),
        Setting("farm", "on a farm", _OUTDOORS - {"wild"} | {"food", "furniture"}),
        Setting("savanna", "on the savanna", _OUTDOORS - {"farm", "plants"}),
        Setting("desert", "in a desert", _OUTDOORS | {"kitchen"}),
        Setting("beach", "on a beach", _OUTDOORS | {"sea", "food", "clothes"}),
        Setting("forest", "in a forest", _OUTDOORS - {"vehicles", "plants"} | {"food"}),
        Setting("mountains", "in the mountains", _OUTDOORS, weathers=WEATHERS),
        Setting("snowfield", "on a snowfield", _OUTDOORS | {"clothes"}, weathers=_SNOWY),
        Setting(
            "street", "on a city street", _OUTDOORS - {"wild", "buildings"} | {"clothes"}, weathers=WEATHERS
        ),
        Setting("village", "in a village", _OUTDOORS - {"buildings"} | {"furniture"}, weathers=WEATHERS),
        Setting("lake", "on a lake", frozenset({"boats", "aircraft", "birds", "insects"}), water),
        Setting("open sea", "on the open sea", frozenset({"boats", "aircraft", "birds"}), water),
        Setting(
            "sea floor",
            "at the bottom of the sea",
            frozenset({"sea", "toys", "study", "kitchen"}),
            frozenset({"swim", "ground"}),
            ("day", "night"),
            ("clear",),
        ),
        Setting(
            "moon",
            "on the moon",
            frozenset({"aircraft", "vehicles", "toys", "study", "farm", "people"}),
            times=("day",),
            weathers=("clear",),
        ),
        _inside("living room", "in a living room"),
        _inside("kitchen", "on a kitchen table", _TABLE),
        _inside("classroom", "in a classroom"),
        _inside("stage", "on a theatre stage", times=("day",)),
        _inside("museum", "in a museum", _INDOORS | {"wild", "vehicles"}),
    )
    return {each.name: each for each in listed}


def setting(name: str) -> Setting:
    """The setting of this name."""
    try:
        return settings()[name]
    except KeyError:
        raise DataError(f"no setting {name!r}: there are {', '.join(settings())}") from None


@cache
def fitting(name: str) -> tuple[str, ...]:
    """The names of the kinds that a setting takes."""
    return tuple(kind.name for kind in kinds().values() if setting(name).takes(kind))
