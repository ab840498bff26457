"""The settings, drawn: hills, dunes, waves, streets and rooms, in daylight colours."""

import random
from collections.abc import Callable

from circlet.data.tableaux.layout import HORIZON
from circlet.data.tableaux.sky import cloud, hexed

Painter = Callable[[random.Random], str]
_LEFT, _RIGHT, _BOTTOM = -400, 1400, 1400


def _path(points: list[tuple[int, int]], fill: str, close: int = _BOTTOM) -> str:
    """A smooth hill line through the points, filled down to `close`."""
    line = f"M{points[0][0]},{points[0][1]}"
    for (ax, ay), (bx, by) in zip(points, points[1:], strict=False):
        middle = (ax + bx) // 2
        line += f" C{middle},{ay} {middle},{by} {bx},{by}"
    return f'<path d="{line} L{points[-1][0]},{close} L{points[0][0]},{close} Z" fill="{fill}"/>'


def _hills(rng: random.Random, y: int, swing: int, fill: str, step: int = 260) -> str:
    return _path([(x, y + rng.randint(-swing, swing)) for x in range(_LEFT, _RIGHT + step, step)], fill)


def _floor(top: str, low: str, y: int = HORIZON, name: str = "floor") -> str:
    """A flat ground that gets deeper in colour towards the eye."""
    return (
        f'<defs><linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient></defs>'
        f'<rect x="{_LEFT}" y="{y}" width="1800" height="{_BOTTOM - y}" fill="url(#{name})"/>'
    )


def _tufts(rng: random.Random, number: int, colour: str, low: int = HORIZON + 40) -> str:
    parts = []
    for _ in range(number):
        x, y = rng.randint(-300, 1300), rng.randint(low, 1180)
        h = (y - HORIZON + 90) // 11
        parts.append(
            f'<path d="M{x - h // 2},{y} l{h // 3},{-h} l{h // 5},{h} l{h // 3},{-h * 3 // 4} l0,{h * 3 // 4}" '
            f'stroke="{colour}" stroke-width="4" fill="none" stroke-linejoin="round"/>'
        )
    return "".join(parts)


def _dots(rng: random.Random, number: int, colours: tuple[str, ...], low: int = HORIZON + 50) -> str:
    parts = []
    for _ in range(number):
        y = rng.randint(low, 1180)
        parts.append(
            f'<circle cx="{rng.randint(-300, 1300)}" cy="{y}" r="{3 + (y - HORIZON) // 90}" '
            f'fill="{rng.choice(colours)}"/>'
        )
    return "".join(parts)


def meadow(rng: random.Random) -> str:
    return (
        _hills(rng, 500, 40, "#8fc46a")
        + _hills(rng, 545, 18, "#7cb956")
        + _floor("#86c45c", "#5fa63d", 590)
        + _dots(rng, 60, ("#ffffff", "#ffe066", "#f7b2d0"))
        + _tufts(rng, 22, "#4e9233")
    )


def park(rng: random.Random) -> str:
    hedge = "".join(
        f'<ellipse cx="{x}" cy="530" rx="{rng.randint(70, 110)}" ry="{rng.randint(46, 84)}" '
        f'fill="{rng.choice(("#3f7f3a", "#4a8f44", "#376f35"))}"/>'
        for x in range(-360, 1400, 105)
    )
    way = '<path d="M470,545 C420,660 700,720 520,860 C420,950 380,1040 360,1400 L800,1400 C760,1050 800,960 860,850 C940,720 560,650 540,545 Z" fill="#e6d3a7"/>'
    return hedge + _floor("#a5d474", "#78b84e", 545) + way + _tufts(rng, 12, "#5c9e3f")


def farm(rng: random.Random) -> str:
    furrows = "".join(
        f'<path d="M{500 + x},560 L{500 + x * 5},1400" stroke="#b98b42" stroke-width="9" opacity="0.55"/>'
        for x in range(-800, 801, 72)
    )
    posts = "".join(
        f'<rect x="{x}" y="512" width="14" height="76" rx="4" fill="#f4efe2"/>' for x in range(-390, 1400, 92)
    )
    rails = "".join(f'<rect x="-400" y="{y}" width="1800" height="11" fill="#f4efe2"/>' for y in (528, 556))
    return _hills(rng, 500, 30, "#9dbb5a") + _floor("#ddb566", "#c4954a", 560) + furrows + rails + posts


def savanna(rng: random.Random) -> str:
    trees = ""
    for x in rng.sample(range(-250, 1300, 190), 3):
        trees += (
            f'<path d="M{x},565 q8,-60 -6,-110 l16,0 q-2,60 14,110 Z" fill="#5d4a2a"/>'
            f'<ellipse cx="{x + 8}" cy="446" rx="118" ry="30" fill="#6d7a35"/>'
            f'<ellipse cx="{x - 30}" cy="430" rx="70" ry="22" fill="#7c8a3d"/>'
        )
    return (
        _hills(rng, 520, 16, "#c9a45c")
        + trees
        + _floor("#e2c06c", "#cfa049", 560)
        + _tufts(rng, 46, "#a67c2e")
    )


def desert(rng: random.Random) -> str:
    return (
        _hills(rng, 490, 60, "#ecc98a", 340)
        + _hills(rng, 560, 36, "#e3b66c", 420)
        + _hills(rng, 700, 40, "#d9a557", 520)
        + _hills(rng, 900, 40, "#cf9848", 600)
    )


def beach(rng: random.Random) -> str:
    sea = '<rect x="-400" y="500" width="1800" height="140" fill="#3fa9d6"/>'
    glints = "".join(
        f'<rect x="{rng.randint(-380, 1350)}" y="{rng.randint(508, 585)}" width="{rng.randint(30, 110)}" '
        'height="5" rx="2" fill="#9fdcf2"/>'
        for _ in range(26)
    )
    foam = [(x, 604 + rng.randint(-10, 10)) for x in range(_LEFT, _RIGHT + 130, 130)]
    return (
        sea
        + glints
        + _path(foam, "#f4fbff")
        + _path([(x, y + 16) for x, y in foam], "#e8cf94")
        + _path([(x, y + 60) for x, y in foam], "#f2dda6")
        + _dots(rng, 40, ("#e0c487", "#fff4d4", "#d8b877"), 700)
    )


def forest(rng: random.Random) -> str:
    parts = ['<rect x="-400" y="-400" width="1800" height="1000" fill="#2f5d3a" opacity="0.55"/>']
    for tone, base, width in (("#3b6b41", 520, 34), ("#2c5434", 560, 48)):
        for x in range(-380, 1400, 110 if width == 34 else 190):
            x += rng.randint(-30, 30)
            parts.append(
                f'<rect x="{x}" y="-400" width="{width}" height="{400 + base}" fill="#4a3826" opacity="0.9"/>'
                f'<ellipse cx="{x + width // 2}" cy="{rng.randint(30, 190)}" rx="150" ry="120" fill="{tone}"/>'
            )
    return (
        "".join(parts)
        + _hills(rng, 556, 10, "#4b7a3c")
        + _floor("#557f3f", "#3f6730", 590)
        + _tufts(rng, 34, "#2f5426")
    )


def mountains(rng: random.Random) -> str:
    parts = []
    for x in (-200, 120, 420, 740, 1080):
        x, peak = x + rng.randint(-50, 50), rng.randint(130, 270)
        parts.append(
            f'<path d="M{x - 330},600 L{x},{peak} L{x + 330},600 Z" fill="#7d8aa3"/>'
            f'<path d="M{x},{peak} L{x + 330},600 L{x + 60},600 Z" fill="#6b7791"/>'
            f'<path d="M{x},{peak} l-84,{(600 - peak) // 4} l40,-16 l44,34 l42,-34 l42,16 Z" fill="#f5f8fc"/>'
        )
    return "".join(parts) + _hills(rng, 560, 22, "#7fa55c") + _floor("#8bb465", "#6a9648", 610)


def snowfield(rng: random.Random) -> str:
    return (
        _hills(rng, 480, 46, "#cfe0ef")
        + _hills(rng, 540, 24, "#e1ecf6")
        + _floor("#f4f9fd", "#dfeaf5", 580)
        + _dots(rng, 30, ("#c9dcec", "#ffffff"))
    )


def street(rng: random.Random) -> str:
    parts, x = [], -400
    while x < 1400:
        width, top = rng.randint(110, 190), rng.randint(120, 360)
        wall = rng.choice(("#b9a58f", "#9fb0bf", "#c08f7c", "#a9a3b5", "#8fa39b"))
        parts.append(f'<rect x="{x}" y="{top}" width="{width}" height="{620 - top}" fill="{wall}"/>')
        parts += [
            f'<rect x="{x + dx}" y="{y}" width="22" height="32" fill="#5f7488"/>'
            for dx in range(18, width - 28, 42)
            for y in range(top + 24, 540, 58)
        ]
        x += width + 6
    road = '<rect x="-400" y="690" width="1800" height="700" fill="#6d7076"/>'
    walk = '<rect x="-400" y="595" width="1800" height="100" fill="#c6c3bd"/><rect x="-400" y="688" width="1800" height="10" fill="#9a978f"/>'
    dashes = "".join(
        f'<rect x="{x}" y="800" width="96" height="14" fill="#f2efe6"/>' for x in range(-380, 1400, 190)
    )
    return "".join(parts) + walk + road + dashes


def village(rng: random.Random) -> str:
    parts = [_hills(rng, 470, 40, "#8fb873")]
    for x in range(-330, 1400, 190):
        x += rng.randint(-14, 14)
        wall = rng.choice(("#f6e3c5", "#f3cdb8", "#dfe8ee", "#f7efc8"))
        roof = rng.choice(("#b5523b", "#8f4a3a", "#a86a3d"))
        parts.append(
            f'<rect x="{x}" y="430" width="128" height="150" fill="{wall}"/>'
            f'<path d="M{x - 16},436 l80,-86 l80,86 Z" fill="{roof}"/>'
            f'<rect x="{x + 50}" y="508" width="32" height="72" fill="#7c5a3c"/>'
            f'<rect x="{x + 14}" y="462" width="28" height="28" fill="#8fb6cc"/>'
            f'<rect x="{x + 88}" y="462" width="28" height="28" fill="#8fb6cc"/>'
        )
    return "".join(parts) + _floor("#d9c6a0", "#c3aa7c", 575) + _dots(rng, 60, ("#cdb88e", "#b99f70"))


def _waves(rng: random.Random, colour: str, number: int) -> str:
    parts = []
    for _ in range(number):
        y = rng.randint(HORIZON + 16, 1150)
        w = 24 + (y - HORIZON) // 6
        x = rng.randint(-350, 1350)
        parts.append(
            f'<path d="M{x},{y} q{w // 2},{-w // 4} {w},0 q{w // 2},{w // 4} {w},0" stroke="{colour}" '
            'stroke-width="5" fill="none" stroke-linecap="round"/>'
        )
    return "".join(parts)


def lake(rng: random.Random) -> str:
    return (
        _hills(rng, 490, 40, "#6f9d5a")
        + _hills(rng, 520, 12, "#5c8c4a")
        + _floor("#7cc4dd", "#3f93bd", 536)
        + _waves(rng, "#b5e3f0", 34)
    )


def open_sea(rng: random.Random) -> str:
    return _floor("#2f8fc4", "#12588f", 500) + _waves(rng, "#7fc4e8", 60)


def sea_floor(rng: random.Random) -> str:
    rays = "".join(
        f'<path d="M{x},-400 l90,0 l{rng.randint(60, 200)},1300 l-260,0 Z" fill="#ffffff" opacity="0.09"/>'
        for x in range(-300, 1300, 260)
    )
    weeds = ""
    for x in rng.sample(range(-200, 1250, 70), 9):
        h = rng.randint(120, 300)
        weeds += (
            f'<path d="M{x},860 q-40,{-h // 3} 0,{-h * 2 // 3} q36,{-h // 4} 4,{-h // 2}" stroke="#2f8f6b" '
            'stroke-width="16" fill="none" stroke-linecap="round"/>'
        )
    bubbles = "".join(
        f'<circle cx="{rng.randint(-200, 1200)}" cy="{rng.randint(0, 700)}" r="{rng.randint(6, 15)}" '
        'fill="none" stroke="#d8f3ff" stroke-width="4" opacity="0.7"/>'
        for _ in range(16)
    )
    water = _floor("#58c3e6", "#0f5d95", _LEFT, "water")
    return water + rays + weeds + _hills(rng, 800, 26, "#dcc48c") + _hills(rng, 880, 20, "#cdb277") + bubbles


def moon(rng: random.Random) -> str:
    stars = "".join(
        f'<circle cx="{rng.randint(-300, 1300)}" cy="{rng.randint(-300, 500)}" r="{rng.choice((2, 3, 4))}" fill="#fff"/>'
        for _ in range(90)
    )
    x = rng.choice((180, 790))
    earth = (
        f'<circle cx="{x}" cy="170" r="92" fill="#3f8fd6"/>'
        f'<path d="M{x - 60},130 q40,-50 80,-20 q10,50 -40,60 q-60,10 -40,-40 Z" fill="#5aa650"/>'
        f'<path d="M{x + 10},210 q40,-20 60,6 q-16,36 -50,28 Z" fill="#5aa650"/>'
    )
    craters = ""
    for _ in range(16):
        cx, cy = rng.randint(-300, 1300), rng.randint(600, 1150)
        r = (cy - 480) // 9
        craters += f'<ellipse cx="{cx}" cy="{cy}" rx="{r * 2}" ry="{r * 7 // 10}" fill="#8f9096"/><ellipse cx="{cx}" cy="{cy + r // 5}" rx="{r * 17 // 10}" ry="{r // 2}" fill="#a3a4aa"/>'
    night = '<rect x="-400" y="-400" width="1800" height="1010" fill="#0a0d1c"/>'
    return night + stars + earth + _hills(rng, 540, 20, "#b3b4ba") + _floor("#b9bac0", "#95969d", 590) + craters


def _room(wall: str, boards: str, line: str, y: int = 590) -> str:
    planks = "".join(
        f'<path d="M{500 + x},{y} L{500 + x * 3},1400" stroke="{line}" stroke-width="5"/>'
        for x in range(-900, 901, 120)
    )
    return (
        f'<path d="M-400,-400 H1400 V{y} H-400 Z {window_hole()}" fill="{wall}" fill-rule="evenodd"/>'
        f'<rect x="-400" y="{y}" width="1800" height="810" fill="{boards}"/>{planks}'
        f'<rect x="-400" y="{y - 22}" width="1800" height="24" fill="#fbf7ee"/>'
    )


def window_hole() -> str:
    """The part of a room's wall through which the sky shows."""
    return "M90,90 H390 V400 H90 Z"


def _frame() -> str:
    return (
        '<path d="M90,90 H390 V400 H90 Z" fill="none" stroke="#fdfaf2" stroke-width="22"/>'
        '<path d="M240,90 V400 M90,245 H390" stroke="#fdfaf2" stroke-width="12"/>'
        '<rect x="66" y="404" width="348" height="24" rx="6" fill="#fdfaf2"/>'
    )


def living_room(rng: random.Random) -> str:
    art = (
        '<rect x="610" y="110" width="240" height="180" fill="#fff8e8" stroke="#8a5f3a" stroke-width="16"/>'
        + _path([(620, 240), (700, 190), (770, 230), (840, 180)], "#7fae8f", 282)
        + '<circle cx="790" cy="160" r="20" fill="#f0b45a"/>'
    )
    rug = '<ellipse cx="500" cy="850" rx="470" ry="120" fill="#c9746a"/><ellipse cx="500" cy="850" rx="400" ry="95" fill="none" stroke="#f0d9b5" stroke-width="12"/>'
    wall = rng.choice(("#e9d8c0", "#cfdcd2", "#e6cfc8"))
    return _room(wall, "#b98a5a", "#a67848") + _frame() + art + rug


def kitchen(rng: random.Random) -> str:
    tiles = "".join(
        f'<path d="M{x},-400 V560 M-400,{y} H1400" stroke="#cfe3e6" stroke-width="5"/>'
        for x, y in zip(range(-400, 1400, 90), range(-380, 560, 52), strict=False)
    )
    wall = f'<path d="M-400,-400 H1400 V560 H-400 Z {window_hole()}" fill="#eaf4f4" fill-rule="evenodd"/>'
    shelf = '<rect x="560" y="300" width="400" height="24" fill="#a4713f"/>' + "".join(
        f'<rect x="{590 + i * 90}" y="{222 + rng.randint(0, 14)}" width="56" height="82" rx="12" fill="{tone}"/>'
        for i, tone in enumerate(rng.sample(("#d98c5f", "#7fb0a4", "#e2bf63", "#b7a0c4", "#c96f6a"), 4))
    )
    hole = f'<clipPath id="tiles"><path d="M-400,-400 H1400 V560 H-400 Z {window_hole()}" clip-rule="evenodd"/></clipPath>'
    table = '<rect x="-400" y="560" width="1800" height="840" fill="#c99a63"/><rect x="-400" y="560" width="1800" height="20" fill="#dfb57f"/>'
    grain = "".join(
        f'<path d="M-400,{y} C0,{y - 16} 500,{y + 18} 1400,{y}" stroke="#b88850" stroke-width="5" fill="none"/>'
        for y in range(640, 1200, 74)
    )
    return f'{wall}<defs>{hole}</defs><g clip-path="url(#tiles)">{tiles}</g>' + _frame() + shelf + table + grain


def classroom(rng: random.Random) -> str:
    board = '<rect x="450" y="90" width="500" height="300" fill="#2f6b4f" stroke="#a4713f" stroke-width="20"/>'
    chalk = "".join(
        f'<path d="M{490 + rng.randint(0, 40)},{y} h{rng.randint(120, 360)}" stroke="#e8f2ec" stroke-width="7" opacity="0.8"/>'
        for y in range(150, 360, 52)
    )
    return _room("#f3e7b9", "#b7b2a6", "#a39e92") + _frame() + board + chalk


def stage(rng: random.Random) -> str:
    back = '<rect x="-400" y="-400" width="1800" height="1000" fill="#5b1626"/>'
    folds = "".join(
        f'<path d="M{x},-400 q30,500 0,960 l46,0 q30,-480 0,-960 Z" fill="#7d1f33"/>'
        for x in range(-400, 1400, 92)
    )
    beam = f'<path d="M{rng.choice((300, 500, 700))},-60 L120,900 L880,900 Z" fill="#fff2c4" opacity="0.2"/>'
    swags = "".join(cloud(x, -10, 130, "#a5283f") for x in range(-300, 1400, 230))
    return back + folds + _floor("#b9793f", "#8f5a2b", 560) + beam + swags


def museum(rng: random.Random) -> str:
    hung = ""
    for x in (490, 730):
        one, two = rng.sample(("#4f7cac", "#d0743c", "#7a9e5a", "#b0598a", "#e0b64a"), 2)
        hung += (
            f'<rect x="{x}" y="130" width="190" height="230" fill="{one}" stroke="#c9a24b" stroke-width="18"/>'
            f'<circle cx="{x + rng.randint(60, 130)}" cy="{rng.randint(200, 290)}" r="46" fill="{two}"/>'
        )
    pillars = "".join(
        f'<rect x="{x}" y="-400" width="60" height="980" fill="{hexed((224, 222, 214))}"/>'
        for x in (-20, 960)
    )
    return _room("#d8d3ea", "#8f8a96", "#7f7a86") + _frame() + hung + pillars


PAINTERS: dict[str, Painter] = {
    "meadow": meadow, "park": park, "farm": farm, "savanna": savanna, "desert": desert, "beach": beach,
    "forest": forest, "mountains": mountains, "snowfield": snowfield, "street": street,
    "village": village, "lake": lake, "open sea": open_sea, "sea floor": sea_floor, "moon": moon,
    "living room": living_room, "kitchen": kitchen, "classroom": classroom, "stage": stage,
    "museum": museum,
}  # fmt: skip
