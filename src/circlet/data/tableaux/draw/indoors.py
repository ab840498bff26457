"""The rooms: a wall with a window that shows the time of day, a floor or a table, and little else."""

import random

from circlet.data.tableaux.draw.shapes import (
    LEFT,
    RIGHT,
    WIDTH,
    circle,
    cloud,
    ellipse,
    floor,
    path,
    rect,
    ridge,
)

# The sky shows through this part of the wall.
_WINDOW = "M90,90 H390 V400 H90 Z"


def _wall(colour: str, y: int) -> str:
    return path(f"M-400,-400 H1400 V{y} H-400 Z {_WINDOW}", colour, fill_rule="evenodd")


def _frame() -> str:
    return (
        path(_WINDOW, stroke="#fdfaf2", stroke_width=22)
        + path("M240,90 V400 M90,245 H390", stroke="#fdfaf2", stroke_width=12)
        + rect(66, 404, 348, 24, "#fdfaf2", rx=6)
    )


def _room(wall: str, boards: str, line: str, y: int = 590) -> str:
    planks = "".join(
        path(f"M{500 + x},{y} L{500 + x * 3},1400", stroke=line, stroke_width=5)
        for x in range(-900, 901, 120)
    )
    skirting = rect(LEFT, y - 22, WIDTH, 24, "#fbf7ee")
    return _wall(wall, y) + rect(LEFT, y, WIDTH, 810, boards) + planks + skirting + _frame()


def _living_room(rng: random.Random) -> str:
    room = _room(rng.choice(("#e9d8c0", "#cfdcd2", "#e6cfc8")), "#b98a5a", "#a67848")
    art = rect(610, 110, 240, 180, "#fff8e8", stroke="#8a5f3a", stroke_width=16)
    art += ridge([(620, 240), (700, 190), (770, 230), (840, 180)], "#7fae8f", 282)
    art += circle(790, 160, 20, "#f0b45a")
    rug = ellipse(500, 850, 470, 120, "#c9746a")
    rug += ellipse(500, 850, 400, 95, "none", stroke="#f0d9b5", stroke_width=12)
    return room + art + rug


def _kitchen(rng: random.Random) -> str:
    lines = "".join(f"M{x},-400 V560 " for x in range(LEFT, RIGHT, 90))
    lines += "".join(f"M-400,{y} H1400 " for y in range(-380, 560, 52))
    hole = f'<clipPath id="wall"><path d="M-400,-400 H1400 V560 H-400 Z {_WINDOW}" clip-rule="evenodd"/>'
    tiles = f"<defs>{hole}</clipPath></defs>"
    tiles += f'<g clip-path="url(#wall)">{path(lines, stroke="#cfe3e6", stroke_width=5)}</g>'
    shelf = rect(560, 300, 400, 24, "#a4713f")
    jars = rng.sample(("#d98c5f", "#7fb0a4", "#e2bf63", "#b7a0c4", "#c96f6a"), 4)
    shelf += "".join(
        rect(590 + i * 90, 222 + rng.randint(0, 14), 56, 82, tone, rx=12) for i, tone in enumerate(jars)
    )
    table = rect(LEFT, 560, WIDTH, 840, "#c99a63") + rect(LEFT, 560, WIDTH, 20, "#dfb57f")
    grain = "".join(
        path(f"M-400,{y} C0,{y - 16} 500,{y + 18} 1400,{y}", stroke="#b88850", stroke_width=5)
        for y in range(640, 1200, 74)
    )
    return _wall("#eaf4f4", 560) + tiles + _frame() + shelf + table + grain


def _classroom(rng: random.Random) -> str:
    board = rect(450, 90, 500, 300, "#2f6b4f", stroke="#a4713f", stroke_width=20)
    chalk = "".join(
        path(f"M{490 + rng.randint(0, 40)},{y} h{rng.randint(120, 360)}", stroke="#e8f2ec", stroke_width=7)
        for y in range(150, 360, 52)
    )
    return _room("#f3e7b9", "#b7b2a6", "#a39e92") + board + chalk


def _stage(rng: random.Random) -> str:
    back = rect(LEFT, LEFT, WIDTH, 1000, "#5b1626")
    folds = "".join(
        path(f"M{x},-400 q30,500 0,960 l46,0 q30,-480 0,-960 Z", "#7d1f33") for x in range(LEFT, RIGHT, 92)
    )
    beam = path(f"M{rng.choice((300, 500, 700))},-60 L120,900 L880,900 Z", "#fff2c4", opacity=0.2)
    swags = "".join(cloud(x, -10, 130, "#a5283f") for x in range(-300, RIGHT, 230))
    return back + folds + floor("#b9793f", "#8f5a2b", 560) + beam + swags


def _museum(rng: random.Random) -> str:
    hung = ""
    for x in (490, 730):
        one, two = rng.sample(("#4f7cac", "#d0743c", "#7a9e5a", "#b0598a", "#e0b64a"), 2)
        hung += rect(x, 130, 190, 230, one, stroke="#c9a24b", stroke_width=18)
        hung += circle(x + rng.randint(60, 130), rng.randint(200, 290), 46, two)
    pillars = "".join(rect(x, LEFT, 60, 980, "#e0ded6") for x in (-20, 960))
    return _room("#d8d3ea", "#8f8a96", "#7f7a86") + hung + pillars


INDOORS = {
    "living room": _living_room,
    "kitchen": _kitchen,
    "classroom": _classroom,
    "stage": _stage,
    "museum": _museum,
}
