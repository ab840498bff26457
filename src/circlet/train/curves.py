"""The curves of a training as an SVG: loss and validation by epoch, drawn without any library."""

from collections.abc import Sequence
from html import escape

from circlet.train.fit import Epoch

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 420, 220, 60, 40, 90


def curves(history: Sequence[Epoch], *, title: str, measure: str) -> str:
    """Two panels side by side: the mean loss of each epoch, and the score where it was validated."""
    losses = [(float(epoch.epoch), epoch.loss) for epoch in history]
    scores = [(float(epoch.epoch), epoch.score) for epoch in history if epoch.score is not None]
    width = 2 * _WIDTH + 2 * _LEFT + _GAP
    height = _HEIGHT + 2 * _TOP + 20
    panels = _panel(losses, "loss", _LEFT, "#8a3b12") + _panel(
        scores, measure, _LEFT + _WIDTH + _GAP, "#1c5d99"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        f'<text x="{_LEFT}" y="20" font-size="14">{escape(title)}</text>\n{panels}</svg>\n'
    )


def _panel(points: Sequence[tuple[float, float]], label: str, left: int, colour: str) -> str:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = min(ys), max(ys)
    last, span = max(*xs, 2.0), (high - low) or 1.0

    def place(x: float, y: float) -> str:
        return f"{left + _WIDTH * (x - 1) / (last - 1):.1f},{_TOP + _HEIGHT * (1 - (y - low) / span):.1f}"

    bottom = _TOP + _HEIGHT
    dots = "".join(
        '<circle cx="{}" cy="{}" r="2.5" fill="{}"/>\n'.format(*place(x, y).split(","), colour)
        for x, y in points
    )
    return (
        f'<rect x="{left}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#999"/>\n'
        f'<text x="{left}" y="{_TOP - 6}">{escape(label)}</text>\n'
        f'<text x="{left - 6}" y="{_TOP + 10}" text-anchor="end">{high:.4g}</text>\n'
        f'<text x="{left - 6}" y="{bottom}" text-anchor="end">{low:.4g}</text>\n'
        f'<text x="{left}" y="{bottom + 16}">1</text>\n'
        f'<text x="{left + _WIDTH}" y="{bottom + 16}" text-anchor="end">epoch {last:.0f}</text>\n'
        f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
        + " ".join(place(x, y) for x, y in points)
        + f'"/>\n{dots}'
    )
