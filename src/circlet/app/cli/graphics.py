"""Small pictures in terminals that can show them: kitty's, iTerm2's and sixel's ways."""

import base64
import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from PIL.Image import Image

_CHUNK = 4096  # kitty takes a picture in pieces no longer than this


def protocol(environment: Mapping[str, str], terminal: bool) -> str | None:
    """Which way this terminal shows pictures, as far as its environment tells; None for none.

    >>> protocol({"TERM": "xterm-kitty"}, True), protocol({"TERM": "xterm-kitty"}, False)
    ('kitty', None)
    >>> protocol({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, True)
    'iterm2'
    """
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if not terminal or environment.get("TMUX") or term.startswith("screen"):
        # A multiplexer swallows pictures unless it is told otherwise.
        return None
    if "kitty" in term or "KITTY_WINDOW_ID" in environment or program == "ghostty":
        return "kitty"
    if program in {"iTerm.app", "WezTerm"} or environment.get("LC_TERMINAL") == "iTerm2":
        return "iterm2"
    if "sixel" in term or term in {"foot", "foot-extra", "mlterm", "contour"}:
        return "sixel"
    return None


def here() -> str | None:
    """Which way the terminal behind standard output shows pictures."""
    return protocol(os.environ, sys.stdout.isatty())


def escape(picture: "Image", way: str) -> str:
    """The characters that make the terminal show this picture."""
    return _WAYS[way](picture)


def _png(picture: "Image") -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _kitty(picture: "Image") -> str:
    data = base64.standard_b64encode(_png(picture)).decode()
    pieces = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    shown = []
    for number, piece in enumerate(pieces):
        keys = "a=T,f=100," if number == 0 else ""
        shown.append(f"\x1b_G{keys}m={int(number < len(pieces) - 1)};{piece}\x1b\\")
    return "".join(shown) + "\n"


def _iterm2(picture: "Image") -> str:
    data = _png(picture)
    keys = f"inline=1;size={len(data)};width={picture.width}px;height={picture.height}px"
    return f"\x1b]1337;File={keys}:{base64.standard_b64encode(data).decode()}\x07\n"


def _sixel(picture: "Image") -> str:
    """Bands of six rows; in each band every colour draws its own dots over the ones before."""
    flat = picture.convert("RGB").quantize(64)
    palette = np.array(flat.getpalette() or [], np.uint8).reshape(-1, 3)
    pixels = np.asarray(flat)
    out = [f'\x1bPq"1;1;{picture.width};{picture.height}']
    for number, colour in enumerate(palette):
        red, green, blue = (int(value) * 100 // 255 for value in colour)
        out.append(f"#{number};2;{red};{green};{blue}")
    for top in range(0, len(pixels), 6):
        band = pixels[top : top + 6]
        bits = (1 << np.arange(len(band)))[:, None]
        for colour in np.unique(band):
            dots = ((band == colour) * bits).sum(axis=0) + 63
            out.append(f"#{colour}{_packed(dots.astype(np.uint8))}$")
        out.append("-")
    return "".join(out) + "\x1b\\\n"


def _packed(dots: "np.ndarray[tuple[int], np.dtype[np.uint8]]") -> str:
    """A row of sixels with repeats counted."""
    edges = np.flatnonzero(np.diff(dots)) + 1
    starts, ends = np.r_[0, edges], np.r_[edges, len(dots)]
    return "".join(
        f"!{end - start}{chr(dots[start])}" if end - start > 3 else chr(dots[start]) * (end - start)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    )


_WAYS: dict[str, Callable[["Image"], str]] = {"kitty": _kitty, "iterm2": _iterm2, "sixel": _sixel}
