"""What of each thing is really to be seen: counted on the paint, not on boxes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from circlet.data.tableaux.draw.render import SIDE, light_in, pixels, thing_art
from circlet.data.tableaux.draw.sky import Light
from circlet.data.tableaux.world.layout import Placed, placed
from circlet.data.tableaux.world.scene import Scene

_OPAQUE = 128


@dataclass(frozen=True)
class Painted:
    """What shows of one group: its pixels as (side, side) flags, and the shares of its paint.

    `inside` is the share that lies within the picture, `covered` that of the inside which nearer things
    hide, `share` what is left of the whole. `height` is that of one member, in parts of the picture.
    """

    mask: NDArray[np.bool_]
    inside: float
    covered: float
    height: float
    count: int

    @property
    def share(self) -> float:
        """The share of all its paint that can be seen."""
        return self.inside * (1 - self.covered)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of what shows, across and down, in parts of the picture; nan where nothing does."""
        if not self.mask.any():
            return (float("nan"), float("nan"))
        down, across = np.nonzero(self.mask)
        return (float(across.mean() + 0.5) / len(self.mask), float(down.mean() + 0.5) / len(self.mask))


def painted(scene: Scene, side: int = SIDE) -> dict[str, Painted]:
    """What can be seen of each kind of thing in a scene.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> crab = Thing(kind="crab", shift=-480)
    >>> painted(Scene(setting="beach", things=(crab,)))["crab"].inside < 1
    True
    """
    owner = np.full((side, side), -1, np.int16)
    # No light changes what is opaque; it is the one that the picture is drawn in, whose art is at hand.
    light = light_in(scene.setting, scene.time, scene.weather)
    members = placed(scene)
    kinds = list(dict.fromkeys(one.thing.kind for one in members))
    # By kind: the whole paint, what of it lies inside, and where that is.
    whole, inside = np.zeros(len(kinds)), np.zeros(len(kinds))
    union = np.zeros((len(kinds), side, side), np.bool_)
    for one in members:
        art, left, top = _flags(one, light, side)
        number = kinds.index(one.thing.kind)
        whole[number] += art.sum()
        rows, columns = (
            slice(max(0, top), max(0, top + len(art))),
            slice(max(0, left), max(0, left + art.shape[1])),
        )
        seen = art[max(0, -top) :, max(0, -left) :][
            : max(0, side - rows.start), : max(0, side - columns.start)
        ]
        inside[number] += seen.sum()
        owner[rows, columns][seen] = number
        union[number][rows, columns] |= seen
    told = {}
    for number, name in enumerate(kinds):
        mask = owner == number
        there = union[number].sum()
        group = [one for one in members if one.thing.kind == name]
        told[name] = Painted(
            mask=mask,
            inside=float(inside[number] / max(1, whole[number])),
            covered=float(1 - mask.sum() / there) if there else 0.0,
            height=max(one.height for one in group) / 1000,
            count=len(group),
        )
    return told


def _flags(one: Placed, light: Light, side: int) -> tuple[NDArray[np.bool_], int, int]:
    """Where a thing's art is opaque, and its left and top pixel."""
    art = np.asarray(thing_art(one, light, side).getchannel("A")) >= _OPAQUE
    return art, pixels(one.left, side), pixels(one.top, side)
