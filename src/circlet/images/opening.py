"""Opening one picture: upright, RGB, no larger than needed, and safe against what files can hold."""

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

from PIL import ExifTags, Image, ImageFile, UnidentifiedImageError

from circlet.core import PictureError, UnreadableError
from circlet.images.colours import to_rgb
from circlet.images.files import cause, open_regular, shown
from circlet.images.formats import HEAD, sniff, sniff_video
from circlet.images.moments import moment_of

# The most pixels that are held decoded at once (RGB: about half a gigabyte).
MAX_PIXELS = 180_000_000
# The most pixels that a JPEG may have on disk: it is decoded at an eighth, but all of it is read.
MAX_DRAFTED = 1_000_000_000
# What a pixel takes while it is decoded, brought to RGB and made smaller, and what a drawing takes.
_A_PIXEL = 8
_SVG = 300_000_000

_PLUGINS = {
    "JPEG": "PIL.JpegImagePlugin",
    "PNG": "PIL.PngImagePlugin",
    "GIF": "PIL.GifImagePlugin",
    "TIFF": "PIL.TiffImagePlugin",
    "BMP": "PIL.BmpImagePlugin",
    "WEBP": "PIL.WebPImagePlugin",
    "AVIF": "PIL.AvifImagePlugin",
}
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True)
class Probe:
    """What a picture's header says: its upright size in pixels, when it was taken, its format."""

    width: int
    height: int
    taken: datetime | None
    format: str


def open_picture(source: Path | bytes, *, side: int | None = None) -> Image.Image:
    """The picture in RGB, upright, first frame, transparency on white; of `clip.mp4#t=12.5`, that moment.

    With `side`, the short edge may come out smaller than the file's but never smaller than `side`:
    a JPEG is decoded at a fraction of its size, which is several times faster.
    Whatever is wrong with the file, the error is a `PictureError` of one line that names it.

    >>> file = io.BytesIO()
    >>> Image.new("LA", (3, 2), (0, 0)).save(file, "PNG")
    >>> picture = open_picture(file.getvalue())
    >>> picture.mode, picture.size, picture.getpixel((0, 0))
    ('RGB', (3, 2), (255, 255, 255))
    """
    if not isinstance(source, bytes) and (moment := moment_of(source)):
        from circlet.images.films import open_film

        with open_film(moment.file) as film:
            return film.frame(moment.seconds, side)
    with _opened(source) as (file, kind):
        if kind == "SVG":
            from circlet.images.svg.markup import render

            return render(file.read, side)
        picture = _load_header(file, kind)
        _shrink(picture, side)
        picture.load()
        upright = _upright(to_rgb(_reduced(picture, side)), _orientation(picture))
        return _bare(upright, picture)


def probe(source: Path | bytes) -> Probe:
    """The picture's size, date and format from its header alone; the pixels are not decoded.

    >>> file = io.BytesIO()
    >>> Image.new("RGB", (3, 2)).save(file, "GIF")
    >>> probe(file.getvalue())
    Probe(width=3, height=2, taken=None, format='GIF')
    """
    if not isinstance(source, bytes) and (moment := moment_of(source)):
        from circlet.images.films import open_film

        with open_film(moment.file) as film:
            return Probe(film.width, film.height, film.taken, film.format)
    with _opened(source) as (file, kind):
        if kind == "SVG":
            from circlet.images.svg.markup import drawn_size

            width, height = drawn_size(file.read)
            return Probe(width, height, None, kind)
        picture = _load_header(file, kind)
        width, height = picture.size
        # Pillow gives the upright size of a TIFF by itself, and of no other format.
        if kind != "TIFF" and _orientation(picture) >= 5:
            width, height = height, width
        return Probe(width, height, _taken(picture), kind)


def cost(source: Path | bytes, side: int | None = None) -> int:
    """About how many bytes of memory opening the picture at this size takes, from its header alone.

    >>> file = io.BytesIO()
    >>> Image.new("RGB", (300, 200)).save(file, "PNG")
    >>> cost(file.getvalue())
    480000
    """
    if not isinstance(source, bytes) and moment_of(source):
        # A frame of the file's own size for each thread that decodes, and the picture made of it.
        seen = probe(source)
        return 2 * _A_PIXEL * seen.width * seen.height
    with _opened(source) as (file, kind):
        if kind == "SVG":
            return _SVG
        picture = _load_header(file, kind)
        width, height = picture.size
        # All of a progressive JPEG is held as numbers of two bytes, whatever comes out.
        whole = 6 * width * height if picture.info.get("progressive") else 0
        _shrink(picture, side)
        return whole + _A_PIXEL * picture.size[0] * picture.size[1]


@contextmanager
def header(source: Path | bytes) -> Iterator[ImageFile.ImageFile | None]:
    """The picture with nothing but its header read, metadata included; None for a drawing in SVG.

    >>> file = io.BytesIO()
    >>> Image.new("RGB", (3, 2)).save(file, "PNG", compress_level=9)
    >>> with header(file.getvalue()) as picture:
    ...     picture.size
    (3, 2)
    """
    with _opened(source) as (file, kind):
        yield None if kind == "SVG" else _load_header(file, kind)


def thumbnail(source: Path | bytes, side: int = 256) -> Image.Image:
    """The picture made to fit a square of `side` pixels; a smaller picture stays as it is.

    >>> file = io.BytesIO()
    >>> Image.new("RGB", (400, 200)).save(file, "PNG")
    >>> thumbnail(file.getvalue(), 100).size
    (100, 50)
    """
    picture = open_picture(source, side=side)
    picture.thumbnail((side, side), Image.Resampling.LANCZOS)
    return picture


@contextmanager
def _opened(source: Path | bytes) -> Iterator[tuple[IO[bytes], str]]:
    """The source as an open file with its format; every failure inside becomes one `PictureError`."""
    name = "these bytes" if isinstance(source, bytes) else shown(source)
    _silence()
    with io.BytesIO(source) if isinstance(source, bytes) else open_regular(Path(source)) as file:
        try:
            head = file.read(HEAD)
            if not head:
                raise PictureError("empty: the file has no bytes")
            if not (kind := sniff(head)):
                if sniff_video(head):
                    raise PictureError("a video: name a moment of it, as in clip.mp4#t=12.5")
                raise PictureError("not a picture in a format that circlet knows")
            file.seek(0)
            yield file, kind
        except PictureError as error:
            raise PictureError(f"{name}: {error}") from None
        except MemoryError:
            raise UnreadableError(f"{name}: too large for the memory of this machine") from None
        except OSError as error:
            # Pillow raises OSError without a number for what it cannot decode.
            if error.errno:
                raise UnreadableError(f"{name}: {cause(error)}") from None
            raise PictureError(f"{name}: {_plain(error)}") from None
        except Exception as error:
            # A damaged file can bring a decoder to raise anything; the walk over the others goes on.
            raise PictureError(f"{name}: {_plain(error)}") from error


def _plain(error: Exception) -> str:
    message = " ".join(str(error).split())
    if re.search(r"truncated|unexpected end|not enough data|premature", message, re.IGNORECASE):
        return "cut short: the end of the file is missing"
    if re.search(r"unsupported|unknown (pixel mode|data|compression)|cannot handle", message, re.IGNORECASE):
        return f"a variant of its format that is not supported ({message[:100]}): export it as PNG or JPEG"
    if isinstance(error, UnidentifiedImageError | SyntaxError) or not message:
        return "damaged: its header makes no sense"
    return f"damaged: {message[:200]}"


@cache
def _silence() -> None:
    """Pillow warns on the terminal about odd metadata; what matters is raised as an error here."""
    warnings.filterwarnings("ignore", module=r"PIL\.")


@cache
def _plugin(kind: str) -> None:
    """Load what opens this format, and only that."""
    if kind == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    else:
        import_module(_PLUGINS[kind])


def _load_header(file: IO[bytes], kind: str) -> ImageFile.ImageFile:
    """The picture with its header read, opened by the one decoder that its first bytes name.

    `Image.open` would refuse a JPEG of 400 megapixels before it could be told to decode an eighth
    of it, so the decoder is called directly and the limit is ours (see `_shrink`).
    """
    _plugin(kind)
    return Image.OPEN[kind][0](file, "")


def _shrink(picture: Image.Image, side: int | None) -> None:
    """Tell the decoder to give fewer pixels where it can, and refuse what stays too large."""
    width, height = picture.size
    pixels = width * height
    if picture.format in ("JPEG", "MPO"):
        # All of a progressive one is in memory before any of it is decoded, at whatever size.
        most = MAX_PIXELS if picture.info.get("progressive") else MAX_DRAFTED
        wanted = side or (1 if pixels > MAX_PIXELS else None)
        if wanted and pixels <= most:
            picture.draft("RGB", (wanted, wanted))
    if picture.size[0] * picture.size[1] > MAX_PIXELS:
        raise PictureError(
            f"{width} × {height} pixels is over the limit of {MAX_PIXELS // 1_000_000} megapixels: "
            "make a smaller copy of it"
        )


def _reduced(picture: Image.Image, side: int | None) -> Image.Image:
    """At least twice `side` on the short edge: a cheap box filter takes the bulk away."""
    factor = min(picture.size) // (2 * side) if side else 1
    if factor < 2 or picture.mode in ("P", "PA", "1", "I;16", "I;16B", "I;16L"):
        return picture
    return picture.reduce(factor)


def _exif(picture: Image.Image) -> Image.Exif:
    """The metadata that the header brought; a PNG's own getexif would decode all of the picture first."""
    return Image.Image.getexif(picture)


def _orientation(picture: Image.Image) -> int:
    try:
        return int(_exif(picture).get(ExifTags.Base.Orientation, 1))
    except Exception:
        # Metadata that cannot be read is no reason to lose the picture: it is shown as it lies.
        return 1


def _upright(picture: Image.Image, orientation: int) -> Image.Image:
    turn = _TURNS.get(orientation)
    return picture if turn is None else picture.transpose(turn)


def _bare(upright: Image.Image, opened: Image.Image) -> Image.Image:
    """The pixels without the file and its metadata: whoever turned it again would turn it wrong."""
    picture = upright.copy() if isinstance(upright, ImageFile.ImageFile) else upright
    profile = opened.info.get("icc_profile") if opened.mode == "RGB" else None
    picture.info = {"icc_profile": profile} if profile else {}
    return picture


def _taken(picture: Image.Image) -> datetime | None:
    """When the camera says it took the picture, on the camera's own clock."""
    try:
        exif = _exif(picture)
        inner = exif.get_ifd(ExifTags.IFD.Exif)
        moment = inner.get(ExifTags.Base.DateTimeOriginal) or exif.get(ExifTags.Base.DateTime)
        return datetime.strptime(str(moment).strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S")
    except Exception:
        # Dates of zeros, of spaces and of other calendars are common: no date is the honest answer.
        return None
