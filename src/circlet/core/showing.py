"""HTML pieces that values show themselves with in a notebook: every word escaped, every style inline."""

from collections.abc import Callable, Collection, Sequence
from html import escape
from pathlib import Path

from circlet.core.turns import Turn

# A picture's address for an <img> by its id, or nothing where it cannot be shown.
Address = Callable[[str], str]

_SMALL, _LARGE = 72, 136
_PICTURE = "object-fit:contain;border-radius:8px;background:rgba(128,128,128,.12)"
_GOOD, _BAD, _PLAIN = "#2f8f4e", "#c0504d", "rgba(128,128,128,.35)"


def no_address(id: str) -> str:
    """For values that do not know where their pictures lie: names stand in their place."""
    return ""


def page(*parts: str) -> str:
    """The parts one under another, in the notebook's own letters and colours."""
    return f'<div style="font-family:system-ui,sans-serif;line-height:1.35">{"".join(parts)}</div>'


def line(text: str) -> str:
    """A remark above or under what is shown.

    >>> line("5 > 3")
    '<p style="margin:.3em 0;opacity:.75">5 &gt; 3</p>'
    """
    return f'<p style="margin:.3em 0;opacity:.75">{escape(text)}</p>'


def image(id: str, address: Address, *, side: int = _SMALL, colour: str = _PLAIN) -> str:
    """A picture in a square of `side` pixels; where there is no address, its name."""
    name = escape(Path(id).name, quote=True)
    box = f"width:{side}px;height:{side}px;{_PICTURE};border:2px solid {colour}"
    if source := address(id):
        return f'<img alt="{name}" title="{name}" src="{escape(source, quote=True)}" style="{box}">'
    return f'<span style="display:inline-block;overflow:hidden;font-size:.7em;{box}">{name}</span>'


def turns(said: Sequence[Turn], address: Address = no_address) -> str:
    """What was said, a row a turn: its pictures, its words, what must not be seen, likes and dislikes.

    >>> "not &lt;people&gt;" in turns([Turn(text="a beach", without=("<people>",))])
    True
    """
    return "".join(_turn(number, turn, address) for number, turn in enumerate(said, start=1))


def _turn(number: int, turn: Turn, address: Address) -> str:
    parts = [f'<b style="opacity:.6">{number}</b>']
    parts += [image(turn.picture, address)] if turn.picture else []
    parts += [image(id, address, colour=_GOOD) for id in turn.liked]
    parts += [image(id, address, colour=_BAD) for id in turn.disliked]
    parts += (
        [f'<span style="font-size:1.15em;font-weight:600">{escape(turn.text)}</span>'] if turn.text else []
    )
    tags = [(f"not {thing}", _BAD) for thing in turn.without]
    tags += [(f"{weight:g} × {phrase}", _GOOD) for phrase, weight in turn.emphasis]
    tags += [("more like this", _GOOD)] if turn.liked else []
    tags += [("less like this", _BAD)] if turn.disliked else []
    parts += [
        f'<span style="border:1px solid {colour};border-radius:1em;padding:0 .6em">{escape(text)}</span>'
        for text, colour in tags
    ]
    style = "display:flex;flex-wrap:wrap;align-items:center;gap:.6em;margin:.3em 0"
    return f'<div style="{style}">{"".join(parts)}</div>'


def card(id: str, said: Sequence[str], address: Address, *, colour: str = _PLAIN, faint: bool = False) -> str:
    """A picture with lines under it, for a contact sheet."""
    style = f"margin:0;width:{_LARGE + 4}px;font-size:.8em;overflow-wrap:anywhere{';opacity:.45' * faint}"
    lines = "<br>".join(map(escape, said))
    shown = image(id, address, side=_LARGE, colour=colour)
    return f'<figure style="{style}">{shown}<figcaption>{lines}</figcaption></figure>'


def truth(id: str, said: Sequence[str], address: Address) -> str:
    """The card of a picture that is to be found."""
    return card(id, said, address, colour=_GOOD)


def wrong(id: str, said: Sequence[str], address: Address) -> str:
    """The card of a picture that must not be taken for it."""
    return card(id, said, address, colour=_BAD)


def sheet(cards: Sequence[str]) -> str:
    """Cards side by side, as many to a row as there is room for."""
    return f'<div style="display:flex;flex-wrap:wrap;gap:.8em;margin:.5em 0">{"".join(cards)}</div>'


def table(
    head: Sequence[str], lines: Sequence[Sequence[str]], *, best: Collection[tuple[int, int]] = ()
) -> str:
    """A table whose first column is of words; the cells of `best`, by line and column, are bold.

    >>> table(["a"], [["<b>"]]).count("&lt;b&gt;")
    1
    """
    rows = [_row("th", head)]
    for number, cells in enumerate(lines):
        rows.append(_row("td", cells, {column for line, column in best if line == number}))
    return f'<table style="border-collapse:collapse">{"".join(rows)}</table>'


def _row(tag: str, cells: Sequence[str], bold: Collection[int] = ()) -> str:
    styles = [
        f"text-align:{'right' if place else 'left'};padding:.15em .6em{';font-weight:700' * (place in bold)}"
        for place in range(len(cells))
    ]
    inside = "".join(
        f'<{tag} style="{style}">{escape(cell)}</{tag}>' for style, cell in zip(styles, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"
