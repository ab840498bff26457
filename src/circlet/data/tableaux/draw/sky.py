"""Skies, light and weather: what the time of day does to a picture."""

import random

from circlet.data.tableaux.draw.shapes import LEFT, WIDTH, circle, cloud, gradient, path, rect, stars

Light = tuple[int, int, int]

# Multiplies everything below the sky, 255 being full light.
LIGHT: dict[str, Light] = {
    "dawn": (250, 232, 236),
    "day": (255, 255, 255),
    "sunset": (255, 212, 176),
    "night": (150, 160, 208),
}
LAMPLIGHT: dict[str, Light] = {"day": (255, 255, 255), "sunset": (255, 226, 198), "night": (206, 190, 172)}
_SKY = {
    "dawn": ((178, 160, 222), (255, 214, 205)),
    "day": ((84, 172, 236), (214, 239, 252)),
    "sunset": ((92, 70, 146), (255, 158, 92)),
    "night": ((11, 20, 56), (48, 68, 124)),
}
_VEIL = {"clear": 0, "cloudy": 42, "rain": 58, "snow": 52, "fog": 55}
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
    """The sky: a gradient, then sun, moon and stars when nothing hides them, or clouds."""
    veil, grey = _VEIL[weather], _GREY[weather] * _BRIGHT[time] // 100
    top, low = (
        hexed(tuple((value * (100 - veil) + grey * veil) // 100 for value in colour)) for colour in _SKY[time]
    )
    drawn = gradient("sky", (0, top, 1), (1, low, 1)) + rect(LEFT, LEFT, WIDTH, 1010, "url(#sky)")
    x = rng.choice((160, 250, 760, 850))
    if weather == "clear":
        drawn += _lamp(time, x) + (stars(rng, 70) if time == "night" else "")
    elif weather != "fog":
        tone = hexed((grey - 16,) * 3 if weather == "rain" else (grey + 22, grey + 24, grey + 28))
        for _ in range(7):
            drawn += cloud(rng.randint(-80, 1080), rng.randint(40, 330), rng.randint(70, 120), tone)
    return drawn


def _lamp(time: str, x: int) -> str:
    """The moon, or the sun: high by day, low and large when it rises or sets."""
    if time == "night":
        return circle(x, 150, 62, "#f7f2d6") + circle(x + 24, 138, 52, "#16244f")
    y, radius, colour = {
        "day": (120, 62, "#fff3b0"),
        "dawn": (470, 78, "#fff0d8"),
        "sunset": (480, 105, "#ffe08a"),
    }[time]
    return circle(x, y, radius * 2, colour, opacity=0.25) + circle(x, y, radius, colour)


def veil(weather: str, time: str, rng: random.Random) -> str:
    """What hangs in front of the whole picture: rain, snowflakes or fog; nothing when it is clear."""
    if weather == "rain":
        drops = ((rng.randint(-20, 1040), rng.randint(-60, 1000)) for _ in range(95))
        return "".join(
            path(f"M{x},{y} l-16,62", stroke="#dcecf8", stroke_width=5, stroke_linecap="round", opacity=0.62)
            for x, y in drops
        )
    if weather == "snow":
        flakes = ((rng.randint(0, 1000), rng.randint(0, 1000), rng.randint(6, 13)) for _ in range(110))
        return "".join(circle(x, y, r, "#ffffff", opacity=0.9) for x, y, r in flakes)
    if weather == "fog":
        # Fog takes the colour of the sky behind it, or nobody could tell dawn from day in it.
        mist = hexed(tuple((2 * value + 226 * _BRIGHT[time] // 100) // 3 for value in _SKY[time][1]))
        shade = gradient("fog", (0, mist, 0.25), (0.6, mist, 0.46), (1, mist, 0.26))
        return shade + rect(0, 0, 1000, 1000, "url(#fog)")
    return ""
