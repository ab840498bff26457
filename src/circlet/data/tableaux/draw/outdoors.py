"""The settings under the sky, on the water, under it and on the moon, in daylight colours."""

import random

from circlet.data.tableaux.draw.shapes import (
    LEFT,
    RIGHT,
    WIDTH,
    circle,
    dots,
    ellipse,
    floor,
    hills,
    path,
    rect,
    ridge,
    stars,
    tufts,
    waves,
)


def _meadow(rng: random.Random) -> str:
    return (
        hills(rng, 500, 40, "#8fc46a")
        + hills(rng, 545, 18, "#7cb956")
        + floor("#86c45c", "#5fa63d", 590)
        + dots(rng, 60, ("#ffffff", "#ffe066", "#f7b2d0"))
        + tufts(rng, 22, "#4e9233")
    )


def _park(rng: random.Random) -> str:
    hedge = "".join(
        ellipse(
            x, 530, rng.randint(70, 110), rng.randint(46, 84), rng.choice(("#3f7f3a", "#4a8f44", "#376f35"))
        )
        for x in range(-360, RIGHT, 105)
    )
    way = (
        "M470,545 C420,660 700,720 520,860 C420,950 380,1040 360,1400 "
        "L800,1400 C760,1050 800,960 860,850 C940,720 560,650 540,545 Z"
    )
    return hedge + floor("#a5d474", "#78b84e", 545) + path(way, "#e6d3a7") + tufts(rng, 12, "#5c9e3f")


def _farm(rng: random.Random) -> str:
    furrows = "".join(
        path(f"M{500 + x},560 L{500 + x * 5},1400", stroke="#b98b42", stroke_width=9, opacity=0.55)
        for x in range(-800, 801, 72)
    )
    posts = "".join(rect(x, 512, 14, 76, "#f4efe2", rx=4) for x in range(-390, RIGHT, 92))
    rails = "".join(rect(LEFT, y, WIDTH, 11, "#f4efe2") for y in (528, 556))
    return hills(rng, 500, 30, "#9dbb5a") + floor("#ddb566", "#c4954a", 560) + furrows + rails + posts


def _savanna(rng: random.Random) -> str:
    trees = ""
    for x in rng.sample(range(-250, 1300, 190), 3):
        trees += path(f"M{x},565 q8,-60 -6,-110 l16,0 q-2,60 14,110 Z", "#5d4a2a")
        trees += ellipse(x + 8, 446, 118, 30, "#6d7a35") + ellipse(x - 30, 430, 70, 22, "#7c8a3d")
    ground = floor("#e2c06c", "#cfa049", 560)
    return hills(rng, 520, 16, "#c9a45c") + trees + ground + tufts(rng, 46, "#a67c2e")


def _desert(rng: random.Random) -> str:
    return (
        hills(rng, 490, 60, "#ecc98a", 340)
        + hills(rng, 560, 36, "#e3b66c", 420)
        + hills(rng, 700, 40, "#d9a557", 520)
        + hills(rng, 900, 40, "#cf9848", 600)
    )


def _beach(rng: random.Random) -> str:
    glints = "".join(
        rect(rng.randint(-380, 1350), rng.randint(508, 585), rng.randint(30, 110), 5, "#9fdcf2", rx=2)
        for _ in range(26)
    )
    foam = [(x, 604 + rng.randint(-10, 10)) for x in range(LEFT, RIGHT + 130, 130)]
    return (
        rect(LEFT, 500, WIDTH, 140, "#3fa9d6")
        + glints
        + ridge(foam, "#f4fbff")
        + ridge([(x, y + 16) for x, y in foam], "#e8cf94")
        + ridge([(x, y + 60) for x, y in foam], "#f2dda6")
        + dots(rng, 40, ("#e0c487", "#fff4d4", "#d8b877"), 700)
    )


def _forest(rng: random.Random) -> str:
    parts = [rect(LEFT, LEFT, WIDTH, 1000, "#2f5d3a", opacity=0.55)]
    for tone, base, width, step in (("#3b6b41", 520, 34, 110), ("#2c5434", 560, 48, 190)):
        for x in range(-380, RIGHT, step):
            x += rng.randint(-30, 30)
            parts.append(rect(x, LEFT, width, 400 + base, "#4a3826", opacity=0.9))
            parts.append(ellipse(x + width // 2, rng.randint(30, 190), 150, 120, tone))
    ground = hills(rng, 556, 10, "#4b7a3c") + floor("#557f3f", "#3f6730", 590)
    return "".join(parts) + ground + tufts(rng, 34, "#2f5426")


def _mountains(rng: random.Random) -> str:
    parts = []
    for x in (-200, 120, 420, 740, 1080):
        x, peak = x + rng.randint(-50, 50), rng.randint(130, 270)
        cap = (600 - peak) // 4
        parts.append(path(f"M{x - 330},600 L{x},{peak} L{x + 330},600 Z", "#7d8aa3"))
        parts.append(path(f"M{x},{peak} L{x + 330},600 L{x + 60},600 Z", "#6b7791"))
        parts.append(path(f"M{x},{peak} l-84,{cap} l40,-16 l44,34 l42,-34 l42,16 Z", "#f5f8fc"))
    return "".join(parts) + hills(rng, 560, 22, "#7fa55c") + floor("#8bb465", "#6a9648", 610)


def _snowfield(rng: random.Random) -> str:
    return (
        hills(rng, 480, 46, "#cfe0ef")
        + hills(rng, 540, 24, "#e1ecf6")
        + floor("#f4f9fd", "#dfeaf5", 580)
        + dots(rng, 30, ("#c9dcec", "#ffffff"))
    )


def _street(rng: random.Random) -> str:
    parts, x = [], LEFT
    while x < RIGHT:
        width, top = rng.randint(110, 190), rng.randint(120, 360)
        wall = rng.choice(("#b9a58f", "#9fb0bf", "#c08f7c", "#a9a3b5", "#8fa39b"))
        parts.append(rect(x, top, width, 620 - top, wall))
        parts += [
            rect(x + dx, y, 22, 32, "#5f7488")
            for dx in range(18, width - 28, 42)
            for y in range(top + 24, 540, 58)
        ]
        x += width + 6
    parts.append(rect(LEFT, 595, WIDTH, 100, "#c6c3bd") + rect(LEFT, 690, WIDTH, 700, "#6d7076"))
    parts.append(rect(LEFT, 688, WIDTH, 10, "#9a978f"))
    parts += [rect(x, 800, 96, 14, "#f2efe6") for x in range(-380, RIGHT, 190)]
    return "".join(parts)


def _village(rng: random.Random) -> str:
    parts = [hills(rng, 470, 40, "#8fb873")]
    for x in range(-330, RIGHT, 190):
        x += rng.randint(-14, 14)
        wall = rng.choice(("#f6e3c5", "#f3cdb8", "#dfe8ee", "#f7efc8"))
        roof = rng.choice(("#b5523b", "#8f4a3a", "#a86a3d"))
        parts.append(rect(x, 430, 128, 150, wall) + path(f"M{x - 16},436 l80,-86 l80,86 Z", roof))
        parts.append(rect(x + 50, 508, 32, 72, "#7c5a3c"))
        parts += [rect(x + dx, 462, 28, 28, "#8fb6cc") for dx in (14, 88)]
    return "".join(parts) + floor("#d9c6a0", "#c3aa7c", 575) + dots(rng, 60, ("#cdb88e", "#b99f70"))


def _lake(rng: random.Random) -> str:
    shore = hills(rng, 490, 40, "#6f9d5a") + hills(rng, 520, 12, "#5c8c4a")
    return shore + floor("#7cc4dd", "#3f93bd", 536) + waves(rng, "#b5e3f0", 34)


def _open_sea(rng: random.Random) -> str:
    return floor("#2f8fc4", "#12588f", 500) + waves(rng, "#7fc4e8", 60)


def _sea_floor(rng: random.Random) -> str:
    rays = "".join(
        path(f"M{x},-400 l90,0 l{rng.randint(60, 200)},1300 l-260,0 Z", "#ffffff", opacity=0.09)
        for x in range(-300, 1300, 260)
    )
    weeds = ""
    for x in rng.sample(range(-200, 1250, 70), 9):
        h = rng.randint(120, 300)
        stem = f"M{x},860 q-40,{-h // 3} 0,{-h * 2 // 3} q36,{-h // 4} 4,{-h // 2}"
        weeds += path(stem, stroke="#2f8f6b", stroke_width=16, stroke_linecap="round")
    bubbles = "".join(
        circle(
            rng.randint(-200, 1200), rng.randint(0, 700), rng.randint(6, 15), "none",
            stroke="#d8f3ff", stroke_width=4, opacity=0.7,
        )
        for _ in range(16)
    )  # fmt: skip
    sand = hills(rng, 800, 26, "#dcc48c") + hills(rng, 880, 20, "#cdb277")
    return floor("#58c3e6", "#0f5d95", LEFT, "water") + rays + weeds + sand + bubbles


def _moon(rng: random.Random) -> str:
    night = rect(LEFT, LEFT, WIDTH, 1010, "#0a0d1c") + stars(rng, 90)
    x = rng.choice((180, 790))
    earth = circle(x, 170, 92, "#3f8fd6")
    earth += path(f"M{x - 60},130 q40,-50 80,-20 q10,50 -40,60 q-60,10 -40,-40 Z", "#5aa650")
    earth += path(f"M{x + 10},210 q40,-20 60,6 q-16,36 -50,28 Z", "#5aa650")
    craters = ""
    for _ in range(16):
        cx, cy = rng.randint(-300, 1300), rng.randint(600, 1150)
        r = (cy - 480) // 9
        craters += ellipse(cx, cy, r * 2, r * 7 // 10, "#8f9096")
        craters += ellipse(cx, cy + r // 5, r * 17 // 10, r // 2, "#a3a4aa")
    return night + earth + hills(rng, 540, 20, "#b3b4ba") + floor("#b9bac0", "#95969d", 590) + craters


OUTDOORS = {
    "meadow": _meadow,
    "park": _park,
    "farm": _farm,
    "savanna": _savanna,
    "desert": _desert,
    "beach": _beach,
    "forest": _forest,
    "mountains": _mountains,
    "snowfield": _snowfield,
    "street": _street,
    "village": _village,
    "lake": _lake,
    "open sea": _open_sea,
    "sea floor": _sea_floor,
    "moon": _moon,
}
