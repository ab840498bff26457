"""Measured colour: how much of a picture is red, how dark it is above and below; and the words for it."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from circlet.core.vectors import Vectors, unit
from circlet.models.encoders import scenes

# sRGB anchors of the eleven basic colour terms and of sand's, several where a name covers a wide range.
_ANCHORS: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    "black": ((12, 12, 12), (38, 36, 36)),
    "white": ((250, 250, 250), (225, 225, 222)),
    "grey": ((128, 128, 128), (85, 86, 88), (175, 175, 175)),
    "red": ((210, 25, 30), (140, 15, 25), (235, 70, 60)),
    "orange": ((240, 130, 25), (225, 105, 40), (250, 165, 80)),
    "yellow": ((245, 220, 40), (250, 235, 120), (215, 185, 30)),
    "green": ((40, 150, 50), (20, 80, 30), (120, 180, 60), (130, 210, 130)),
    "blue": ((35, 70, 190), (20, 35, 95), (90, 160, 230), (150, 195, 240)),
    "purple": ((120, 50, 160), (75, 30, 100), (165, 115, 205)),
    "pink": ((245, 120, 170), (250, 185, 205), (225, 60, 130)),
    "brown": ((120, 72, 38), (80, 48, 28), (165, 115, 75)),
    "beige": ((195, 160, 120), (215, 190, 145), (235, 215, 180)),
}
NAMES = tuple(_ANCHORS)
_LIGHTS = ("dark", "dim", "light", "bright")
_LEVELS = np.array([20, 75, 140, 215], np.float32)
PARTS = (
    *(f"{name} {place}" for place in ("middle", "above", "below") for name in NAMES),
    *(f"{light} {half}" for half in ("above", "below") for light in _LIGHTS),
)
DIM = len(PARTS)
# Numbers of each place in `by_place`: the shares of the anchors.
SHADES = sum(map(len, _ANCHORS.values()))


def measure(thumbs: np.ndarray[Any, Any]) -> Vectors:
    """Pictures (n, 3, side, side), 0 to 255, to unit rows of shares, one column for each of `PARTS`.

    >>> red = np.zeros((1, 3, 8, 8), np.float32); red[:, 0] = 210; red[:, 1:] = 25
    >>> PARTS[int(measure(red)[0].argmax())]
    'red middle'

    The middle is where the thing shown mostly is; above and below are what is around it.
    """
    count, _, height, width = thumbs.shape
    pixels = thumbs.transpose(0, 2, 3, 1).reshape(count, -1, 3).astype(np.float32)
    shares = _named(_lab(pixels))
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    middle = np.exp(-2 * (rows**2 + columns**2)).astype(np.float32)
    around = 1 - middle
    above, below = around * (rows < 0), around * (rows > 0)
    luminance = pixels @ np.array([0.299, 0.587, 0.114], np.float32)
    distance = (luminance[..., None] - _LEVELS) / 35
    lights = np.exp(-(distance**2))
    lights /= lights.sum(-1, keepdims=True)
    parts = [
        (place / place.sum()).ravel() @ measured
        for measured, places in ((shares, (middle, above, below)), (lights, (above, below)))
        for place in places
    ]
    return unit(np.sqrt(np.concatenate(parts, axis=1)))


def by_place(pictures: np.ndarray[Any, Any], side: int, *, step: int = 2) -> Vectors:
    """Pictures (n, height, width, 3) of bytes to (n, side · side, `SHADES`): how much of each shade is where.

    Every so many pixels one is looked at as it is: averaged first, a red thing with a black outline
    would be brown.

    >>> red = np.zeros((1, 16, 16, 3), np.uint8); red[..., 0] = 210
    >>> placed = by_place(red, 2)
    >>> placed.shape == (1, 4, SHADES), placed[0].max(axis=1).tolist()
    (True, [1.0, 1.0, 1.0, 1.0])
    """
    looked = (pictures[:, step // 2 :: step, step // 2 :: step] >> 3).astype(np.intp)
    shades = _nearest_shade()[(looked[..., 0] << 10) | (looked[..., 1] << 5) | looked[..., 2]]
    count, height, width = shades.shape
    rows, columns = (np.arange(edge) * side // edge for edge in (height, width))
    cells = (np.arange(count)[:, None, None] * side + rows[:, None]) * side + columns
    counted = np.bincount((cells * SHADES + shades).ravel(), minlength=count * side * side * SHADES)
    shares = counted.reshape(count, side * side, SHADES).astype(np.float32)
    return np.sqrt(shares / shares.sum(axis=2, keepdims=True))


@cache
def _nearest_shade() -> np.ndarray[Any, np.dtype[np.intp]]:
    """Which anchor is nearest to each of 32 × 32 × 32 colours."""
    levels = np.arange(32, dtype=np.float32) * 8 + 4
    colours = _lab(np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3))
    points = _lab(np.array([rgb for group in _ANCHORS.values() for rgb in group], np.float32))
    return ((points**2).sum(-1) - 2 * colours @ points.T).argmin(axis=1)


def _lab(pixels: Vectors) -> Vectors:
    """CIE Lab of sRGB pixels (last axis), white point D65."""
    scaled = pixels / np.float32(255)
    linear = np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], np.float32
    )
    ratios = linear @ (to_xyz / np.array([[0.9505], [1.0], [1.089]], np.float32)).T
    roots = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    x, y, z = np.moveaxis(roots, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1).astype(np.float32)


def _named(lab: Vectors) -> Vectors:
    """The share of each colour name in each pixel."""
    anchors = np.array([rgb for group in _ANCHORS.values() for rgb in group], np.float32)
    owner = np.repeat(np.arange(len(NAMES)), [len(group) for group in _ANCHORS.values()])
    points = _lab(anchors)
    distances = (lab**2).sum(-1, keepdims=True) - 2 * lab @ points.T + (points**2).sum(-1)
    nearness = np.exp(-(distances - distances.min(-1, keepdims=True)) / np.float32(150))
    shares = nearness @ (owner[:, None] == np.arange(len(NAMES))).astype(np.float32)
    return shares / shares.sum(-1, keepdims=True)


_SAME = {
    "gray": "grey", "golden": "yellow", "gold": "yellow", "violet": "purple", "scarlet": "red",
    "crimson": "red", "navy": "blue", "turquoise": "blue", "tan": "beige", "khaki": "beige",
    "cream": "beige", "silver": "grey", "magenta": "pink", "reddish": "red", "bluish": "blue",
    "greenish": "green",
}  # fmt: skip
_DARKER = frozenset(["night", "nighttime", "dark", "darker", "evening", "midnight", "nocturnal", "dusk"])
_LIGHTER = frozenset(["day", "daytime", "daylight", "bright", "brighter", "lighter", "sunny", "noon"])
# Where the colour of a thing is, and that of what is behind and under it.
_COLOURED = {"middle": 1.0, "above": 0.1, "below": 0.1}
_AROUND = {"above": 1.0, "below": 1.0}
_BEHIND = {
    "background": _AROUND, "backdrop": _AROUND, "wall": _AROUND, "walls": _AROUND, "sky": {"above": 1.0},
    "skies": {"above": 1.0}, "ground": {"below": 1.0}, "floor": {"below": 1.0}, "carpet": {"below": 1.0},
}  # fmt: skip
# Words that ask for nothing by themselves: "make it darker" speaks of light alone.
_IDLE = re.compile(
    r"an?|and|are|at|but|by|colou?r|colou?red|during|in|is|it|looks?|make|more|much|ones?|please|same|scene"
    r"|somewhat|the|this|time|to|version|very|with|on|background"
)
_WORD = re.compile(r"[a-z]+")


class Spoken(NamedTuple):
    """What a text says of colour, light and surroundings, as a row to compare with `measure`; and the rest.

    `scene` are the words for surroundings, `around` whether something else is to be there.
    """

    row: Vectors
    rest: str
    scene: str
    around: bool


def spoken(text: str) -> Spoken:
    """What a text says of colour, light and surroundings, and what else it says.

    >>> said = spoken("a red car at night")
    >>> said.rest, [PARTS[i] for i in np.flatnonzero(said.row > 0.4)]
    ('a car at', ['red middle', 'dark above', 'dark below'])
    >>> spoken("a dog in the snow")[1:]
    ('a dog', 'in the snow', True)
    """
    row = np.zeros(DIM, np.float32)
    kept = []
    tokens = text.split()
    for token, after in zip(tokens, (*tokens, "")[1:], strict=True):
        words = _WORD.findall(token.lower())
        word = _SAME.get(words[0], words[0]) if len(words) == 1 else ""
        if word in _ANCHORS:
            places = _BEHIND.get(after.lower().strip(".,;:!?"), _COLOURED)
            for place, weight in places.items():
                row[PARTS.index(f"{word} {place}")] += weight
        elif word in _DARKER or word in _LIGHTER:
            sign = 1 if word in _DARKER else -1
            for part, weight in scenes.LOOKS["dark"].items():
                row[PARTS.index(part)] += sign * weight / 2
        else:
            kept.append(token)
    where = scenes.scene(" ".join(kept))
    for part, weight in where.look.items():
        row[PARTS.index(part)] += weight
    idle = all(_IDLE.fullmatch(word) for word in _WORD.findall(where.rest.lower()))
    return Spoken(row, "" if idle and row.any() else where.rest, where.said, where.around)
