"""What is to be seen in ten frames, as the paint and the graphs have it: the truth that descriptions tell."""

from collections.abc import Mapping, Sequence

import numpy as np

from circlet.data.tableaux.draw.paint import Painted, painted
from circlet.data.tableaux.tasks.films import Film
from circlet.data.tableaux.world.frame import Frame
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import Thing
from circlet.language.frame_facts import LOOKS, SEEN, Degrees, Series

_FACING = {"left": -1.0, "right": 1.0}
_ABSENT = {"count": 0.0, "share": 0.0, "inside": 1.0, "covered": 0.0}


def paint_of(film: Film) -> list[dict[str, Painted]]:
    """What can be seen of each kind of thing, frame by frame."""
    return [painted(frame.scene) for frame in film.frames]


def series_of(film: Film, paint: Sequence[Mapping[str, Painted]] | None = None) -> Series:
    """What can be seen of every thing in every frame of a film, or of a set of look-alikes.

    `paint` is what `paint_of` gives, for whoever has it already.
    """
    paint = paint_of(film) if paint is None else paint
    names = sorted({name for one in paint for name in one})
    things = {
        name: np.array(
            [
                _row(one.get(name), frame.scene.thing(name))
                for one, frame in zip(paint, film.frames, strict=True)
            ]
        )
        for name in names
    }
    looks = [[frame.blur / 10, frame.light / 100, frame.fade / 100] for frame in film.frames]
    assert len(LOOKS) == len(looks[0])
    return Series(things, np.array(looks), film.timed, _stated(film.frames, names))


def _row(seen: Painted | None, thing: Thing | None) -> list[float]:
    values = dict.fromkeys(SEEN, float("nan")) | _ABSENT
    if seen is not None and thing is not None:
        x, y = seen.middle
        values = {
            "count": seen.count,
            "share": seen.share,
            "inside": seen.inside,
            "covered": seen.covered,
            "x": x,
            "y": y,
            "size": seen.height,
            "facing": _FACING.get(thing.facing, float("nan")),
        }
    return [float(values[name]) for name in SEEN]


def _stated(frames: Sequence[Frame], names: Sequence[str]) -> dict[tuple[str, str, str], Degrees]:
    """Of which frames each colour, setting, time and weather is true that any of them has."""
    told: dict[tuple[str, str, str], Degrees] = {}

    def state(about: str, name: str, values: list[str]) -> None:
        for value in sorted(set(values) - {""}):
            told[about, name, value] = np.array([each == value for each in values], float)

    for about in ("setting", "time", "weather"):
        state(about, "", [getattr(frame.scene, about) for frame in frames])
    for name in names:
        # People's colour is that of their shirts, of which "the red man" would not be said.
        if kind(name).palette != "shirt":
            groups = [frame.scene.thing(name) for frame in frames]
            state("colour", name, [group.colour if group else "" for group in groups])
    return told
