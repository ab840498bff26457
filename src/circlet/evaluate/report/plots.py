"""Plots as small SVG drawings: lines, bars and scattered points, in the page's own colours."""

import math
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from circlet.evaluate.arrays import Floats

# Okabe and Ito's colours, which people with colour blindness tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 16, 44


def colour(place: int) -> str:
    """The colour of the series at this place."""
    return COLOURS[place % len(COLOURS)]


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


class _Axes:
    """A frame with scales: data to pixels, ticks and labels."""

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], *, log_x: bool = False, log_y: bool = False
    ) -> None:
        self.x, self.y, self.log_x, self.log_y = x, y, log_x, log_y
        self.parts: list[str] = []

    def px(self, value: float) -> float:
        return LEFT + _share(value, self.x, self.log_x) * (WIDTH - LEFT - RIGHT)

    def py(self, value: float) -> float:
        return HEIGHT - BOTTOM - _share(value, self.y, self.log_y) * (HEIGHT - TOP - BOTTOM)

    def frame(self, x_ticks: Sequence[float], y_ticks: Sequence[float], x_label: str, y_label: str) -> None:
        """Grid lines with their numbers, and what the axes mean."""
        for tick in x_ticks:
            at = _number(self.px(tick))
            self.parts.append(f'<line class="grid" x1="{at}" x2="{at}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
            self.text(self.px(tick), HEIGHT - BOTTOM + 16, f"{tick:g}", "middle")
        for tick in y_ticks:
            at = _number(self.py(tick))
            self.parts.append(f'<line class="grid" y1="{at}" y2="{at}" x1="{LEFT}" x2="{WIDTH - RIGHT}"/>')
            self.text(LEFT - 8, self.py(tick) + 4, f"{tick:g}", "end")
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label, "middle")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.parts.append(
            f'<text transform="translate(14 {_number(middle)}) rotate(-90)" text-anchor="middle">'
            f"{escape(y_label)}</text>"
        )

    def text(self, x: float, y: float, words: str, anchor: str = "start") -> None:
        self.parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def dot(self, x: float, y: float, radius: float, words: str, look: str) -> None:
        self.parts.append(
            f'<circle {look} cx="{_number(self.px(x))}" cy="{_number(self.py(y))}" r="{_number(radius)}">'
            f"<title>{escape(words)}</title></circle>"
        )

    def drawn(self, title: str, names: Sequence[str] = (), height: int = HEIGHT) -> str:
        """The drawing with its title and, for several series, a legend under it."""
        legend = "".join(
            f'<span><i style="background:{colour(place)}"></i>{escape(name)}</span>'
            for place, name in enumerate(names)
        )
        return (
            f"<figure class=plot><figcaption>{escape(title)}</figcaption>"
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
            f"{''.join(self.parts)}</svg><div class=legend>{legend}</div></figure>"
        )


def _share(value: float, span: tuple[float, float], log: bool) -> float:
    low, high = span
    if log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low) if high > low else 0.5


def _steps(high: float, wanted: int = 5) -> list[float]:
    """Round numbers from zero to `high`, about as many as wanted.

    >>> _steps(100), _steps(0.7)
    ([0, 20, 40, 60, 80, 100], [0.0, 0.2, 0.4, 0.6])
    """
    rough = max(high, 1e-9) / wanted
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    return [round(step * place, 10) for place in range(int(high / step + 1e-9) + 1)]


def lines(
    title: str,
    xs: Sequence[float],
    series: Mapping[str, Sequence[float]],
    *,
    x_label: str,
    y_label: str,
    x_ticks: Sequence[float] = (),
    log_x: bool = False,
) -> str:
    """One line per series over the same places.

    >>> "polyline" in lines("t", [1, 2], {"a": [0, 50]}, x_label="x", y_label="y")
    True
    """
    high = max((max(values) for values in series.values()), default=1) or 1
    top = _steps(high * 1.02)[-1] if high * 1.02 <= _steps(high * 1.02)[-1] else high * 1.05
    axes = _Axes((min(xs), max(xs)), (0, min(top, 100) if high <= 100 else top), log_x=log_x)
    axes.frame(x_ticks or xs, _steps(axes.y[1]), x_label, y_label)
    for place, (name, values) in enumerate(series.items()):
        points = " ".join(
            f"{_number(axes.px(x))},{_number(axes.py(y))}" for x, y in zip(xs, values, strict=True)
        )
        axes.parts.append(
            f'<polyline points="{points}" stroke="{colour(place)}"><title>{escape(name)}</title></polyline>'
        )
        for x, y in zip(xs, values, strict=True) if len(xs) <= 10 else ():
            axes.dot(x, y, 3.5, f"{name}: {y:.2f}", f'fill="{colour(place)}"')
    return axes.drawn(title, list(series))


def bars(title: str, labels: Sequence[str], series: Mapping[str, Sequence[float]], *, x_label: str) -> str:
    """Lying bars: a group per label, in it a bar per series."""
    # Labels are about seven pixels a letter.
    left, thick = 16 + 7 * max(map(len, labels), default=0), 14
    group = thick * len(series) + 10
    height = TOP + group * len(labels) + BOTTOM
    high = max((value for values in series.values() for value in values), default=1) or 1
    scale = (WIDTH - left - 50) / high
    axes = _Axes((0, high), (0, 1))
    for row, label in enumerate(labels):
        y = TOP + row * group
        axes.text(left - 8, y + group / 2, label.replace("_", " "), "end")
        for place, (name, values) in enumerate(series.items()):
            at, wide = y + place * thick, values[row] * scale
            axes.parts.append(
                f'<rect x="{left}" y="{at}" width="{_number(max(wide, 0.5))}" height="{thick - 2}" '
                f'fill="{colour(place)}"><title>{escape(name)}: {values[row]:.2f}</title></rect>'
            )
            axes.text(left + wide + 4, at + thick - 2, f"{values[row]:.1f}")
    axes.text((left + WIDTH) / 2, height - 10, x_label, "middle")
    return axes.drawn(title, list(series), height)


def scatter(title: str, x: Floats, y: Floats, *, x_label: str, y_label: str) -> str:
    """Ranks of two methods against each other, on logarithmic axes; equal places are one larger dot."""
    high = max(2.0, float(max(x.max(initial=1), y.max(initial=1))))
    axes = _Axes((1, high), (1, high), log_x=True, log_y=True)
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 500, 1000, 5000, 20000, 100000) if tick <= high]
    axes.frame(ticks, ticks, x_label, y_label)
    ends = [_number(value) for value in (axes.px(1), axes.py(1), axes.px(high), axes.py(high))]
    axes.parts.append(f'<line class="even" x1="{ends[0]}" y1="{ends[1]}" x2="{ends[2]}" y2="{ends[3]}"/>')
    # Ranks are rounded to a grid of 48 steps per axis, so that a drawing stays small.
    step = math.log(high) / 48
    cells = np.stack([np.round(np.log(x) / step), np.round(np.log(y) / step)], axis=1)
    places, amounts = np.unique(cells, axis=0, return_counts=True)
    for (column, row), amount in zip(places * step, amounts, strict=True):
        radius = min(2 + math.sqrt(amount) * 0.8, 14)
        axes.dot(math.exp(column), math.exp(row), radius, f"{amount} queries", 'class="dot"')
    return axes.drawn(title)
