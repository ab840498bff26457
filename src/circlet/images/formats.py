"""What a file is, told by its first bytes; its name only says whether it claims to be a picture."""

# By suffix: what people call a picture and circlet opens.
SUFFIXES = frozenset({
    ".jpg", ".jpeg", ".jpe", ".jfif", ".mpo", ".png", ".apng", ".webp", ".gif", ".tif", ".tiff", ".bmp",
    ".dib", ".avif", ".avifs", ".heic", ".heif", ".hif", ".heics", ".svg", ".svgz",
})  # fmt: skip
_RAW = (
    ".arw", ".cr2", ".cr3", ".crw", ".dng", ".nef", ".nrw", ".orf", ".pef", ".raf", ".raw", ".rw2", ".srw",
)  # fmt: skip
_OTHER = (
    ".ai", ".eps", ".exr", ".hdr", ".icns", ".ico", ".j2k", ".jp2", ".jxl", ".pbm", ".pcx", ".pgm", ".ppm",
    ".psd", ".qoi", ".tga", ".wmf", ".xcf",
)  # fmt: skip
# By suffix: videos that circlet takes moments from, and those of the pictures that may move as well.
VIDEOS = frozenset({".mp4", ".m4v", ".mov", ".3gp", ".webm", ".mkv"})
ANIMATIONS = frozenset({".gif", ".webp"})
_OTHER_VIDEOS = (".avi", ".flv", ".m2ts", ".mpeg", ".mpg", ".mts", ".ogv", ".wmv")
# By suffix: pictures to a person, but not to circlet. A walk reports them instead of passing by.
FOREIGN = {
    **dict.fromkeys(_RAW, "camera raw is not supported: export it as JPEG or TIFF"),
    **dict.fromkeys(_OTHER, "this picture format is not supported: export it as PNG or JPEG"),
    **dict.fromkeys(_OTHER_VIDEOS, "this video format is not supported: convert it to MP4 or WebM"),
}
# Enough of a file to tell every format; an SVG may open with a long comment.
HEAD = 4096

_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}
# Two letters are too little to know a bitmap by: its header's size must be one of those in use.
_BMP_HEADERS = {12, 16, 40, 52, 56, 64, 108, 124}


def sniff(head: bytes) -> str | None:
    """The format these first bytes announce, by Pillow's name for it; None when it is no picture.

    >>> sniff(b"\\xff\\xd8\\xff\\xe0"), sniff(b"<svg xmlns="), sniff(b"dear diary")
    ('JPEG', 'SVG', None)
    """
    for magic, name in (
        (b"\xff\xd8\xff", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"GIF87a", "GIF"),
        (b"GIF89a", "GIF"),
        (b"II*\0", "TIFF"),
        (b"MM\0*", "TIFF"),
        (b"II+\0", "TIFF"),
        (b"MM\0+", "TIFF"),
    ):
        if head.startswith(magic):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WEBP"
    if head[:2] == b"BM" and int.from_bytes(head[14:18], "little") in _BMP_HEADERS:
        return "BMP"
    if head[4:8] == b"ftyp":
        return _iso_media(head)
    return "SVG" if _svg(head) else None


def _iso_media(head: bytes) -> str | None:
    """AVIF and HEIC share a container: the brands at its start tell them apart."""
    length = min(int.from_bytes(head[:4], "big"), len(head))
    brands = {head[8:12], *(head[at : at + 4] for at in range(16, length, 4))}
    if brands & {b"avif", b"avis"}:
        return "AVIF"
    return "HEIF" if brands & _HEIF_BRANDS else None


def sniff_video(head: bytes) -> str | None:
    """The kind of video that these first bytes announce; None when it is none that circlet opens.

    >>> sniff_video(b"\\0\\0\\0 ftypisom"), sniff_video(b"\\x1aE\\xdf\\xa3...webm"), sniff_video(b"dear")
    ('MP4', 'WEBM', None)
    """
    if head.startswith(b"\x1aE\xdf\xa3"):
        return "WEBM" if b"webm" in head[:64] else "MKV"
    if head[4:8] == b"ftyp":
        return "MOV" if head[8:10] == b"qt" else None if _iso_media(head) else "MP4"
    # Before there were brands, a QuickTime file began with any of these.
    return "MOV" if head[4:8] in (b"moov", b"mdat", b"free", b"wide", b"skip") else None


def _svg(head: bytes) -> bool:
    if head.startswith(b"\x1f\x8b"):
        return True  # gzip: the only compressed picture circlet knows is .svgz
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
    text = text.lstrip()
    return text.startswith("<") and ("<svg" in text or ":svg" in text or "<!DOCTYPE svg" in text)
