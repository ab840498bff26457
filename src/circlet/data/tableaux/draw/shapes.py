"""A few SVG shapes as text, and the grounds and hill lines that backdrops are made of."""

import itertools
import random

from circlet.data.tableaux.world.layout import HORIZON

# A backdrop is drawn beyond the canvas, so that a wide view still finds something there.
LEFT, RIGHT, BOTTOM = -400, 1400, 1400
WIDTH = RIGHT - LEFT


def _tag(name: str, attributes: dict[str, object]) -> str:
    return (
        f"<{name} "
        + " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
        + "/>"
    )


def rect(x: int, y: int, width: int, height: int, fill: str, **more: object) -> str:
    """A rectangle.

    >>> rect(0, 0, 4, 2, "#fff", rx=1)
    '<rect x="0" y="0" width="4" height="2" fill="#fff" rx="1"/>'
    """
    return _tag("rect", {"x": x, "y": y, "width": width, "height": height, "fill": fill} | more)


def ellipse(cx: int, cy: int, rx: int, ry: int, fill: str, **more: object) -> str:
    """An ellipse."""
    return _tag("ellipse", {"cx": cx, "cy": cy, "rx": rx, "ry": ry, "fill": fill} | more)


def circle(cx: int, cy: int, r: int, fill: str, **more: object) -> str:
    """A circle."""
    return ellipse(cx, cy, r, r, fill, **more)


def path(d: str, fill: str = "none", **more: object) -> str:
    """A path."""
    return _tag("path", {"d": d, "fill": fill} | more)


def gradient(name: str, *stops: tuple[float, str, float]) -> str:
    """A gradient from top to bottom: (where, colour, opacity) for each stop."""
    inside = "".join(
        _tag("stop", {"offset": offset, "stop_color": colour, "stop_opacity": opacity})
        for offset, colour, opacity in stops
    )
    return f'<defs><linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1">{inside}</linearGradient></defs>'


def ridge(points: list[tuple[int, int]], fill: str, down_to: int = BOTTOM) -> str:
    """A smooth line through the points, filled below."""
    line = f"M{points[0][0]},{points[0][1]}"
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        middle = (ax + bx) // 2
        line += f" C{middle},{ay} {middle},{by} {bx},{by}"
    return path(f"{line} L{points[-1][0]},{down_to} L{points[0][0]},{down_to} Z", fill)


def hills(rng: random.Random, y: int, swing: int, fill: str, step: int = 260) -> str:
    """A line of hills."""
    return ridge([(x, y + rng.randint(-swing, swing)) for x in range(LEFT, RIGHT + step, step)], fill)


def floor(far: str, near: str, y: int = HORIZON, name: str = "floor") -> str:
    """Flat ground whose colour deepens towards the eye."""
    shade = gradient(name, (0, far, 1), (1, near, 1))
    return shade + rect(LEFT, y, WIDTH, BOTTOM - y, f"url(#{name})")


def tufts(rng: random.Random, number: int, colour: str) -> str:
    """Tufts of grass, larger where they are nearer."""
    parts = []
    for _ in range(number):
        x, y = rng.randint(-300, 1300), rng.randint(HORIZON + 40, 1180)
        h = (y - HORIZON + 90) // 11
        blades = f"M{x - h // 2},{y} l{h // 3},{-h} l{h // 5},{h} l{h // 3},{-h * 3 // 4} l0,{h * 3 // 4}"
        parts.append(path(blades, stroke=colour, stroke_width=4, stroke_linejoin="round"))
    return "".join(parts)


def dots(rng: random.Random, number: int, colours: tuple[str, ...], low: int = HORIZON + 50) -> str:
    """Flowers, pebbles or snow crystals, larger where they are nearer."""
    parts = []
    for _ in range(number):
        x, y = rng.randint(-300, 1300), rng.randint(low, 1180)
        parts.append(circle(x, y, 3 + (y - HORIZON) // 90, rng.choice(colours)))
    return "".join(parts)


def waves(rng: random.Random, colour: str, number: int) -> str:
    """Small waves on water, larger where they are nearer."""
    parts = []
    for _ in range(number):
        x, y = rng.randint(-350, 1350), rng.randint(HORIZON + 16, 1150)
        w = 24 + (y - HORIZON) // 6
        swell = f"M{x},{y} q{w // 2},{-w // 4} {w},0 q{w // 2},{w // 4} {w},0"
        parts.append(path(swell, stroke=colour, stroke_width=5, stroke_linecap="round"))
    return "".join(parts)


def stars(rng: random.Random, number: int) -> str:
    """A starry sky's stars."""
    return "".join(
        circle(rng.randint(-250, 1250), rng.randint(-250, 480), rng.choice((2, 3, 4)), "#fffbe6")
        for _ in range(number)
    )


def cloud(x: int, y: int, r: int, fill: str) -> str:
    """A cloud of four puffs."""
    puffs = ((0, 0, 100), (-95, 18, 72), (92, 22, 66), (-30, -42, 70))
    return "".join(
        ellipse(x + dx * r // 100, y + dy * r // 100, size * r // 95, size * r // 150, fill, opacity=0.92)
        for dx, dy, size in puffs
    )
