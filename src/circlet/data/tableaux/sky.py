"""Skies, light and weather: what the time of day does to a picture."""

import random

Light = tuple[int, int, int]

# Multiplies everything below the sky, 256 being full light.
LIGHT: dict[str, Light] = {
    "dawn": (250, 232, 236),
    "day": (256, 256, 256),
    "sunset": (256, 212, 176),
    "night": (150, 160, 208),
}
LAMPLIGHT: dict[str, Light] = {"day": (256, 256, 256), "sunset": (256, 226, 198), "night": (206, 190, 172)}
_SKY = {
    "dawn": ((178, 160, 222), (255, 214, 205)),
    "day": ((84, 172, 236), (214, 239, 252)),
    "sunset": ((92, 70, 146), (255, 158, 92)),
    "night": ((11, 20, 56), (48, 68, 124)),
}
_VEIL = {"clear": 0, "cloudy": 50, "rain": 72, "snow": 66, "fog": 88}
_GREY = {"clear": 0, "cloudy": 205, "rain": 138, "snow": 214, "fog": 226}
_BRIGHT = {"dawn": 96, "day": 100, "sunset": 84, "night": 36}


def hexed(rgb: tuple[int, ...]) -> str:
    """A colour as SVG writes it.

    >>> hexed((255, 0, 16))
    '#ff0010'
    """
    return "#" + "".join(f"{max(0, min(255, value)):02x}" for value in rgb)


def light(time: str, weather: str) -> Light:
    """What falls on the ground at this time in this weather."""
    red, green, blue = LIGHT[time]
    dim = {"rain": 90, "cloudy": 95}.get(weather, 100)
    return (red * dim // 100, green * dim // 100, blue * dim // 100)


def heaven(time: str, weather: str, rng: random.Random) -> str:
    """The sky: a gradient, then sun, moon and stars when nothing hides them, then clouds."""
    veil, grey = _VEIL[weather], _GREY[weather] * _BRIGHT[time] // 100
    top, low = (
        tuple((value * (100 - veil) + grey * veil) // 100 for value in colour) for colour in _SKY[time]
    )
    parts = [
        f'<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{hexed(top)}"/>'
        f'<stop offset="1" stop-color="{hexed(low)}"/></linearGradient></defs>'
        '<rect x="-400" y="-400" width="1800" height="1010" fill="url(#sky)"/>'
    ]
    x = rng.choice((160, 250, 760, 850))
    if weather == "clear":
        parts.append(_lamp(time, x))
        if time == "night":
            parts += [
                f'<circle cx="{rng.randint(-200, 1200)}" cy="{rng.randint(-200, 470)}" '
                f'r="{rng.choice((2, 3, 4))}" fill="#fffbe6" opacity="0.{rng.randint(5, 9)}"/>'
                for _ in range(70)
            ]
    elif weather in ("cloudy", "rain", "snow"):
        tone = hexed((grey + 22, grey + 24, grey + 28)) if weather != "rain" else hexed((grey - 16,) * 3)
        parts += [
            cloud(rng.randint(-80, 1080), rng.randint(40, 330), rng.randint(70, 120), tone) for _ in range(7)
        ]
    return "".join(parts)


def _lamp(time: str, x: int) -> str:
    if time == "night":
        return (
            f'<circle cx="{x}" cy="150" r="62" fill="#f7f2d6"/>'
            f'<circle cx="{x + 24}" cy="138" r="52" fill="#16244f"/>'
        )
    y, radius, colour = {
        "day": (120, 62, "#fff3b0"),
        "dawn": (470, 78, "#fff0d8"),
        "sunset": (480, 105, "#ffe08a"),
    }[time]
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius * 2}" fill="{colour}" opacity="0.25"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'
    )


def cloud(x: int, y: int, r: int, fill: str) -> str:
    """A cloud of four puffs."""
    puffs = ((0, 0, 100), (-95, 18, 72), (92, 22, 66), (-30, -42, 70))
    return "".join(
        f'<ellipse cx="{x + dx * r // 100}" cy="{y + dy * r // 100}" rx="{size * r // 95}" '
        f'ry="{size * r // 150}" fill="{fill}" opacity="0.92"/>'
        for dx, dy, size in puffs
    )


def veil(weather: str, time: str, rng: random.Random) -> str:
    """What hangs in front of the whole picture: rain, snowflakes or fog; nothing when it is clear."""
    if weather == "rain":
        return "".join(
            f'<line x1="{x}" y1="{y}" x2="{x - 16}" y2="{y + 62}" stroke="#dcecf8" stroke-width="5" '
            'stroke-linecap="round" opacity="0.62"/>'
            for x, y in ((rng.randint(-20, 1040), rng.randint(-60, 1000)) for _ in range(95))
        )
    if weather == "snow":
        return "".join(
            f'<circle cx="{rng.randint(0, 1000)}" cy="{rng.randint(0, 1000)}" r="{rng.randint(6, 13)}" '
            'fill="#ffffff" opacity="0.9"/>'
            for _ in range(110)
        )
    if weather == "fog":
        mist = hexed(tuple(value * _BRIGHT[time] // 100 for value in (228, 232, 236)))
        return (
            f'<defs><linearGradient id="fog" x1="0" y1="0" x2="0" y2="1">'
            f'<stop offset="0" stop-color="{mist}" stop-opacity="0.25"/>'
            f'<stop offset="0.6" stop-color="{mist}" stop-opacity="0.55"/>'
            f'<stop offset="1" stop-color="{mist}" stop-opacity="0.3"/></linearGradient></defs>'
            '<rect width="1000" height="1000" fill="url(#fog)"/>'
        )
    return ""
