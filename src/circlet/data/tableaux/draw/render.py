"""From a scene to a picture: backdrop, shadows, things from back to front, weather in front of all."""

import io
import random
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont

from circlet.core import DataError
from circlet.data.tableaux.draw import sky
from circlet.data.tableaux.draw.art import lit, raster, sprite
from circlet.data.tableaux.draw.indoors import INDOORS
from circlet.data.tableaux.draw.outdoors import OUTDOORS
from circlet.data.tableaux.draw.shapes import ellipse
from circlet.data.tableaux.world.frame import Frame
from circlet.data.tableaux.world.layout import CANVAS, HORIZON, Placed, placed
from circlet.data.tableaux.world.scene import Scene

SIDE = 224
_ZOOM = {"close": 118, "normal": 100, "wide": 82}
# Backdrops and weathers repeat in so many variants; more would only fill the cache.
_VARIANTS = 6


def render(scene: Scene, side: int = SIDE) -> Image.Image:
    """The picture of a scene, `side` pixels square.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> render(Scene(setting="desert", things=(Thing(kind="camel", facing="left"),))).size
    (224, 224)
    """
    if wrong := scene.faults():
        raise DataError(f"this scene cannot be drawn: {wrong[0]}")
    variant = random.Random(f"backdrop {scene.jitter}").randrange(_VARIANTS)
    canvas = _backdrop(scene.setting, scene.time, scene.weather, scene.view, variant, side).copy()
    light = light_in(scene.setting, scene.time, scene.weather)
    things = placed(scene)
    for one in things:
        _shadow(canvas, one, scene, side)
    if scene.sign:
        _sign(canvas, scene, light, side)
    for one in things:
        _draw(canvas, one, light, side)
    veil = _veil(scene.weather, scene.time, variant, side)
    if veil is not None:
        canvas.paste(veil, (0, 0), veil)
    return canvas


def shot(frame: Frame, side: int = SIDE) -> Image.Image:
    """The picture of a film's frame: its scene, faded into another, brighter or darker, blurred."""
    picture = render(frame.scene, side)
    if frame.fade and frame.into is not None:
        picture = Image.blend(picture, render(frame.into, side), frame.fade / 100)
    if frame.light != 100:
        picture = ImageEnhance.Brightness(picture).enhance(frame.light / 100)
    if frame.blur:
        picture = picture.filter(ImageFilter.GaussianBlur(frame.blur / 10 * side / SIDE))
    return picture


def encoded(picture: Image.Image) -> bytes:
    """The bytes of the picture's file: JPEG with fixed settings, so that equal pictures are equal files."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=90, subsampling=0, optimize=False)
    return buffer.getvalue()


def light_in(place: str, time: str, weather: str) -> sky.Light:
    """The light that things stand in."""
    if place == "sea floor" and time == "night":
        return (158, 172, 206)
    return sky.LAMPLIGHT[time] if place in INDOORS else sky.light(time, weather)


def _backdrop(place: str, time: str, weather: str, view: str, variant: int, side: int) -> Image.Image:
    picture = _heaven(time, weather, view, variant, side).copy()
    ground = lit(_ground(place, view, variant, side), light_in(place, time, weather))
    picture.paste(ground, (0, 0), ground)
    return picture


# Sky and ground are kept apart: a few hundred of each make every backdrop there is.
@lru_cache(maxsize=400)
def _heaven(time: str, weather: str, view: str, variant: int, side: int) -> Image.Image:
    rng = random.Random(f"heaven {variant}")
    return raster(_zoomed(sky.heaven(time, weather, rng), view), side, side).convert("RGB")


@lru_cache(maxsize=400)
def _ground(place: str, view: str, variant: int, side: int) -> Image.Image:
    rng = random.Random(f"{place} {variant}")
    return raster(_zoomed((OUTDOORS | INDOORS)[place](rng), view), side, side)


def _zoomed(drawn: str, view: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CANVAS} {CANVAS}">'
        f'<g transform="translate(500 {HORIZON}) scale({_ZOOM[view] / 100}) translate(-500 -{HORIZON})">'
        f"{drawn}</g></svg>"
    )


@lru_cache(maxsize=256)
def _veil(weather: str, time: str, variant: int, side: int) -> Image.Image | None:
    drawn = sky.veil(weather, time, random.Random(f"veil {variant}"))
    if not drawn:
        return None
    return raster(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CANVAS} {CANVAS}">{drawn}</svg>', side, side
    )


def pixels(units: int, side: int) -> int:
    """A length on the canvas in pixels of a picture of this side."""
    return (units * side + CANVAS // 2) // CANVAS


def thing_art(one: Placed, light: sky.Light, side: int) -> Image.Image:
    """One thing as it is drawn: at its size in pixels, mirrored where it faces the other way, lit."""
    thing = one.thing
    size = (max(4, pixels(one.width, side)), max(4, pixels(one.height, side)))
    mirrored = bool(thing.facing) and thing.facing != thing.of.faces
    return sprite(thing.kind, thing.colour, thing.tone, thing.hair, size, mirrored, light)


def _draw(canvas: Image.Image, one: Placed, light: sky.Light, side: int) -> None:
    art = thing_art(one, light, side)
    canvas.paste(art, (pixels(one.left, side), pixels(one.top, side)), art)


@cache
def _blot(strength: int) -> Image.Image:
    fade = f'<stop offset="0.35" stop-opacity="{strength / 100}"/><stop offset="1" stop-opacity="0"/>'
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 32">'
        f'<defs><radialGradient id="shade">{fade}</radialGradient></defs>'
        f"{ellipse(64, 16, 64, 16, 'url(#shade)')}</svg>"
    )
    return raster(svg, 128, 32)


def _shadow(canvas: Image.Image, one: Placed, scene: Scene, side: int) -> None:
    """A soft shadow under what stands, longer when the sun is low; what flies or swims has none."""
    stance = one.thing.of.stance
    if stance in ("air", "swim", "bust"):
        return
    long = 130 if scene.time in ("dawn", "sunset") else 108
    width = max(4, pixels(one.width * long // 100, side))
    height = max(3, pixels(max(one.width // 6, 24), side))
    strength = {"night": 50, "day": 42}.get(scene.time, 36) - (
        12 if scene.weather in ("fog", "cloudy") else 0
    )
    blot = _blot(strength).resize((width, height), Image.Resampling.BILINEAR)
    left = pixels(one.left + one.width // 2, side) - width // 2
    canvas.paste(blot, (left, pixels(one.foot, side) - height * 6 // 10), blot)


def _sign(canvas: Image.Image, scene: Scene, light: sky.Light, side: int) -> None:
    """A board with a word on it, on a post that stands at the horizon."""
    wide, high = 50 * len(scene.sign) + 60, 96
    board = Image.new("RGBA", (wide, 260), (0, 0, 0, 0))
    draw = ImageDraw.Draw(board)
    draw.rectangle((wide // 2 - 9, high, wide // 2 + 9, 259), fill=(122, 84, 48))
    draw.rounded_rectangle((0, 0, wide - 1, high), 16, fill=(255, 250, 232), outline=(60, 44, 30), width=8)
    font = ImageFont.load_default(72)
    draw.text((wide // 2, high // 2), scene.sign, fill=(40, 30, 24), font=font, anchor="mm")
    board = lit(board, light).resize(
        (pixels(wide, side), pixels(260, side)), Image.Resampling.LANCZOS, reducing_gap=2.0
    )
    canvas.paste(board, (pixels(500 - wide // 2, side), pixels(420, side)), board)
