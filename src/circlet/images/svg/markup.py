"""SVG drawings, rendered without reading anything but the drawing itself."""

import gzip
import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

from PIL import Image

from circlet.core import PictureError
from circlet.images.svg.pool import drawn

# More text than any drawing made by hand or by tools needs, and less than it takes to hurt.
MAX_BYTES = 20_000_000
MAX_SIDE = 4096
# The edge of a drawing when nobody says how large it should be.
DEFAULT_SIDE = 512
# What a drawing may grow to when its <use> elements are written out.
MAX_ELEMENTS = 500_000

# Each octave of noise is half as strong as the one before: the ninth is less than a step of colour.
MAX_OCTAVES = 9

_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_SIZELESS = "an SVG without a size that can be drawn"

Read = Callable[[int], bytes]


def render(read: Read, side: int | None = None) -> Image.Image:
    """The drawing on white, its short edge `side` pixels (512 if not given) unless it is very long.

    >>> drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"/>'
    >>> render(io.BytesIO(drawing).read, 100).size
    (200, 100)
    """
    root = _parse(_text(read))
    width, height = _size(root)
    short = min(side or DEFAULT_SIDE, MAX_SIDE)
    scale = min(short / min(width, height), MAX_SIDE / max(width, height))
    _disarm(root)
    # In pixels of our choosing: its own size could ask for more memory than there is.
    across, down = max(1, round(width * scale)), max(1, round(height * scale))
    root.attrib.setdefault("viewBox", f"0 0 {width} {height}")
    root.attrib.update(width=str(across), height=str(down))
    has_text = any(_local(node) == "text" for node in root.iter())
    png = drawn(ElementTree.tostring(root, encoding="unicode"), across, down, fonts=has_text)
    return Image.open(io.BytesIO(png)).convert("RGB")


def drawn_size(read: Read) -> tuple[int, int]:
    """The size the drawing asks for, in pixels."""
    width, height = _size(_parse(_text(read)))
    return max(1, round(width)), max(1, round(height))


def _text(read: Read) -> bytes:
    data = read(MAX_BYTES + 1)
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as packed:
            data = packed.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PictureError(f"an SVG of more than {MAX_BYTES // 1_000_000} MB: make a PNG of it")
    return data


def _parse(data: bytes) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise PictureError(f"damaged SVG: {error}") from None
    except (ValueError, LookupError):
        raise PictureError("damaged SVG: its text encoding is unknown") from None
    if _local(root) != "svg":
        raise PictureError("not a picture in a format that circlet knows")
    if _written_out(root) > MAX_ELEMENTS:
        raise PictureError("an SVG that repeats itself without end: make a PNG of it")
    return root


def _local(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _target(node: ElementTree.Element) -> str | None:
    """What the element's href points at, in whichever of its two spellings."""
    return next((value for name, value in node.attrib.items() if name.rpartition("}")[2] == "href"), None)


def _disarm(root: ElementTree.Element) -> None:
    """Drop every link that leads out of the drawing: a picture must not read files or the network.

    Noise is drawn in as many octaves as can be seen, whatever the drawing asks for.
    """
    for node in root.iter():
        octaves = node.attrib.get("numOctaves", "").strip()
        if len(octaves) > 1:
            node.attrib["numOctaves"] = str(MAX_OCTAVES) if octaves.strip("+0").isdecimal() else "0"
        for name, value in list(node.attrib.items()):
            if name.rpartition("}")[2] == "href" and not value.strip().startswith(("#", "data:image/")):
                del node.attrib[name]


def _written_out(root: ElementTree.Element) -> int:
    """How many elements are drawn when every <use> is replaced by what it repeats."""
    named = {node.attrib["id"]: node for node in root.iter() if "id" in node.attrib}
    known: dict[int, int] = {}
    # A stack of our own: a drawing nested deeper than Python's is an attack, not a reason to crash.
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        link = _target(node) if _local(node) == "use" else None
        used = named.get(link[1:]) if link and link.startswith("#") else None
        parts = [*node, *([used] if used is not None else [])]
        if ready:
            known[id(node)] = 1 + sum(known[id(part)] for part in parts)
        elif id(node) not in known:
            # Zero while it is being counted, so that a <use> of itself ends (renderers drop those).
            known[id(node)] = 0
            stack.append((node, True))
            stack.extend((part, False) for part in parts)
    return known[id(root)]


def _length(text: str | None) -> float | None:
    match = re.fullmatch(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([a-z]*)\s*", text or "")
    if not match or match[2] not in _UNITS:
        return None
    try:
        return float(match[1]) * _UNITS[match[2]]
    except ValueError:
        return None


def _size(root: ElementTree.Element) -> tuple[float, float]:
    """The drawing's own size in pixels: its width and height, or its view box, or a square."""
    width, height = _length(root.get("width")), _length(root.get("height"))
    if 0 in (width, height):
        raise PictureError(_SIZELESS)
    box = [_length(part.lstrip("-")) for part in re.split(r"[\s,]+", (root.get("viewBox") or "").strip())]
    across, down = (box[2], box[3]) if len(box) == 4 else (None, None)
    if not (across and down):
        across, down = width or height or 100.0, height or width or 100.0
    if width and not height:
        height = width * down / across
    elif height and not width:
        width = height * across / down
    width, height = width or across, height or down
    if not (1e-3 < width < 1e9 and 1e-3 < height < 1e9):
        raise PictureError(_SIZELESS)
    return width, height
