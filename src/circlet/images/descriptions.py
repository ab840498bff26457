"""What a picture file says of itself in words: IPTC and XMP captions, keywords, EXIF, PNG texts."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PIL import ExifTags, Image, ImageFile

from circlet.images.opening import header

# Headline, caption and object name; keywords are joined to one text.
_IPTC_TEXTS = ((2, 120), (2, 105), (2, 5))
_IPTC_KEYWORDS = (2, 25)
_XMP_TEXTS = ("description", "title", "headline", "alttextaccessibility")
_XMP_KEYWORDS = "subject"
_PNG_TEXTS = ("Description", "Title", "Caption", "Comment")
_LONGEST_XMP = 1_000_000
# What cameras and programs write into every picture says nothing of this one.
_NOISE = re.compile(
    r"digital camera|^(sony|dsc|minolta|kodak|samsung|dcim|untitled|created with|screenshot)\b", re.IGNORECASE
)


def descriptions(source: Path | bytes) -> tuple[str, ...]:
    """Every text about the picture inside its file, each once; the pixels are not decoded.

    >>> import io
    >>> from PIL.PngImagePlugin import PngInfo
    >>> file, info = io.BytesIO(), PngInfo()
    >>> info.add_text("Description", "a red boat")
    >>> Image.new("RGB", (3, 2)).save(file, "PNG", pnginfo=info)
    >>> descriptions(file.getvalue())
    ('a red boat',)
    """
    with header(source) as picture:
        if picture is None:
            return ()
        texts = [*_iptc(picture), *_xmp(picture), *_own(picture)]
    plain = (" ".join(text.replace("\0", " ").split()) for text in texts)
    return tuple(dict.fromkeys(text for text in plain if text and not _NOISE.search(text)))


def _iptc(picture: ImageFile.ImageFile) -> Iterator[str]:
    from PIL.IptcImagePlugin import getiptcinfo

    try:
        held = getiptcinfo(picture) or {}
    except Exception:
        return  # metadata that cannot be read is no reason to lose the picture
    for key in _IPTC_TEXTS:
        yield from _decoded(held.get(key))
    yield ", ".join(_decoded(held.get(_IPTC_KEYWORDS)))


def _decoded(value: Any) -> Iterator[str]:
    for part in value if isinstance(value, list) else [value] if value else []:
        try:
            yield part.decode("utf-8")
        except UnicodeDecodeError:
            yield part.decode("latin-1")


def _xmp(picture: Image.Image) -> Iterator[str]:
    raw = picture.info.get("xmp") or picture.info.get("XML:com.adobe.xmp") or b""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
    # A packet that defines entities could swell to any size when it is read.
    if not text or len(text) > _LONGEST_XMP or "<!" in text:
        return
    try:
        tree = ElementTree.fromstring(text.strip("\0 \n"))
    except ElementTree.ParseError:
        return
    for element in tree.iter():
        space, _, name = element.tag.lower().rpartition("}")
        if name in _XMP_TEXTS and "rdf-syntax" not in space:
            yield from (part for part in element.itertext() if part.strip())
        elif name == _XMP_KEYWORDS:
            yield ", ".join(part.strip() for part in element.itertext() if part.strip())


def _own(picture: Image.Image) -> Iterator[str]:
    """EXIF's description and the texts of a PNG."""
    with suppress(Exception):
        yield str(Image.Image.getexif(picture).get(ExifTags.Base.ImageDescription, ""))
    for name in _PNG_TEXTS:
        if isinstance(value := picture.info.get(name), str):
            yield value
