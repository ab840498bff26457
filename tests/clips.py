"""Tiny videos that tests write themselves: one plain colour after the other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

av: Any = pytest.importorskip("av", reason="PyAV is not installed: pip install 'circlet[video]'")

COLOURS = {"red": (230, 20, 20), "green": (20, 200, 20), "blue": (20, 20, 230)}
RATE = 10


def scene(colour: str, size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A plain colour, white along the top so that up can be told."""
    drawn = Image.new("RGB", size, COLOURS[colour])
    ImageDraw.Draw(drawn).rectangle((0, 0, size[0], size[1] // 8), fill="white")
    return drawn


def clip(
    path: Path,
    colours: Sequence[str] = ("red", "green", "blue"),
    *,
    each: float = 2.0,
    codec: str = "",
    turned: float = 0,
    keys: int = 100,
    **options: str,
) -> Path:
    """Write a video that shows each colour for so many seconds, ten frames a second."""
    path.parent.mkdir(parents=True, exist_ok=True)
    codec = codec or ("libvpx" if path.suffix == ".webm" else "libx264")
    with av.open(str(path), "w", options=options) as container:
        stream = container.add_stream(codec, rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        stream.codec_context.gop_size = keys
        if turned:
            stream.set_display_rotation(turned)
        for colour in colours:
            frame = av.VideoFrame.from_image(scene(colour))
            for _ in range(round(each * RATE)):
                frame.pts = None
                container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def seen(picture: Image.Image) -> str:
    """The colour that a picture shows in its middle."""
    middle = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(middle, tuple)
    return min(COLOURS, key=lambda name: sum(abs(a - b) for a, b in zip(middle, COLOURS[name], strict=True)))


def animation(path: Path, colours: Sequence[str] = ("red", "green", "blue"), each: int = 500) -> Path:
    """Write an animated GIF or WebP that shows each colour for so many milliseconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    first, *rest = [scene(colour) for colour in colours]
    first.save(path, save_all=True, append_images=rest, duration=each, loop=0)
    return path
