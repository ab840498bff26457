"""Photographs that tests take themselves: grey with a tinge, and the time as a camera writes it."""

from datetime import datetime, timedelta
from pathlib import Path

from PIL import ExifTags, Image

NOON = datetime(2024, 7, 1, 12)
# So near to each other that shots of one burst may have them, and far enough apart to be told by words.
TINGES = {
    "grey": (150, 150, 150),
    "red": (168, 142, 142),
    "green": (142, 168, 142),
    "blue": (142, 142, 168),
    "dark": (20, 20, 20),
}


def shot(path: Path, tinge: str, *, seconds: float | None = 0) -> Path:
    """Write a picture of this tinge, taken so many seconds after noon; None: nobody knows when."""
    path.parent.mkdir(parents=True, exist_ok=True)
    exif = Image.Exif()
    if seconds is not None:
        when = f"{NOON + timedelta(seconds=seconds):%Y:%m:%d %H:%M:%S}"
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = when
    Image.new("RGB", (160, 120), TINGES[tinge]).save(path, exif=exif)
    return path


def burst(folder: Path, *, names: str = "shot-{}.jpg", start: float = 0) -> list[Path]:
    """Four shots of one moment within three seconds: grey, red, green, blue."""
    four = ("grey", "red", "green", "blue")
    return [shot(folder / names.format(tinge), tinge, seconds=start + at) for at, tinge in enumerate(four)]
