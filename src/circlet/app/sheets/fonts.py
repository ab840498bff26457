"""Text in pictures: whichever fonts this machine has, each letter from the first that can draw it."""

from functools import cache
from itertools import groupby
from typing import Any

from PIL import ImageDraw, ImageFont

# Pillow finds these by name in the system's folders; its own font comes last and draws Latin only.
_FAMILIES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("segoeui.ttf", "segoeuib.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("Arial Unicode.ttf", "Arial Unicode.ttf"),
    ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc"),
    ("msyh.ttc", "msyhbd.ttc"),
    ("PingFang.ttc", "PingFang.ttc"),
)
_NOBODY_DRAWS = "\uffff"


@cache
def _fonts(size: int, bold: bool) -> tuple[Any, ...]:
    fonts = []
    for plain, heavy in _FAMILIES:
        try:
            fonts.append(ImageFont.truetype(heavy if bold else plain, size))
        except OSError:
            continue
    return (*fonts, ImageFont.load_default(size))


@cache
def _font_of(letter: str, size: int, bold: bool) -> Any:
    fonts = _fonts(size, bold)
    for font in fonts:
        if letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(_NOBODY_DRAWS)):
            return font
    return fonts[0]


def _runs(text: str, size: int, bold: bool) -> list[tuple[Any, str]]:
    """The text in pieces that one font draws."""
    pieces = groupby(text, key=lambda letter: _font_of(letter, size, bold))
    return [(font, "".join(letters)) for font, letters in pieces]


def width(text: str, size: int, *, bold: bool = False) -> int:
    """How many pixels wide the text is drawn."""
    return round(sum(font.getlength(piece) for font, piece in _runs(text, size, bold)))


def fit(text: str, size: int, room: int, *, bold: bool = False) -> str:
    """The text, shortened in its middle where the room is too narrow: both ends of a name matter."""
    if width(text, size, bold=bold) <= room:
        return text
    keep = len(text) - 1
    while keep > 1:
        short = f"{text[: (keep + 1) // 2]}…{text[len(text) - keep // 2 :]}"
        if width(short, size, bold=bold) <= room:
            return short
        keep -= 1
    return "…"


def write(
    draw: ImageDraw.ImageDraw,
    place: tuple[int, int],
    text: str,
    size: int,
    colour: str,
    *,
    bold: bool = False,
) -> int:
    """Draw one line with its baseline's letters centred on `place`'s height; gives where it ends."""
    x, y = place
    for font, piece in _runs(text, size, bold):
        draw.text((x, y), piece, font=font, fill=colour, anchor="lm")
        x += round(font.getlength(piece))
    return x
