"""Every format opens upright in RGB; every kind of bad file gives one line that names it."""

import io
import os
import struct
import threading
import zlib
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from circlet.core import PictureError
from circlet.images import content_hash, open_picture, opening, probe, thumbnail

ORIENTATION, CHANGED, TAKEN, EXIF_IFD = 0x0112, 0x0132, 0x9003, 0x8769


def quarters(width: int = 64, height: int = 48) -> Image.Image:
    """Red and green above, blue and white below: any turn or flip shows."""
    picture = Image.new("RGB", (width, height), "white")
    picture.paste("red", (0, 0, width // 2, height // 2))
    picture.paste("lime", (width // 2, 0, width, height // 2))
    picture.paste("blue", (0, height // 2, width // 2, height))
    return picture


def corners(picture: Image.Image) -> list[str]:
    """The colours at top left, top right, bottom left and bottom right, by name."""
    named = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255), "white": (255, 255, 255)}
    width, height = picture.size
    places = [(x, y) for y in (height // 4, 3 * height // 4) for x in (width // 4, 3 * width // 4)]
    return [
        min(named, key=lambda n: sum(abs(a - b) for a, b in zip(named[n], picture.getpixel(at), strict=True)))
        for at in places
    ]


UPRIGHT = ["red", "lime", "blue", "white"]


def saved(picture: Image.Image, format: str, **options: object) -> bytes:
    if format == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    file = io.BytesIO()
    picture.save(file, format, **options)
    return file.getvalue()


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "HEIF"])
def test_every_format_opens_by_its_content_whatever_its_name(tmp_path, format) -> None:
    path = tmp_path / "misnamed.jpg"
    path.write_bytes(saved(quarters(), format))
    picture = open_picture(path)
    assert (picture.mode, picture.size) == ("RGB", (64, 48))
    assert corners(picture) == UPRIGHT
    header = probe(path)
    assert (header.width, header.height, header.taken, header.format) == (64, 48, None, format)


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_many_frames_the_first_is_taken(format) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("blue", "red", "lime")]
    data = saved(frames[0], format, save_all=True, append_images=frames[1:])
    assert open_picture(data).getpixel((4, 4)) == (0, 0, 255)


def turned(orientation: int) -> Image.Image:
    """The upright picture as a camera held that way stores it."""
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose that undoes the tag's
    return quarters() if orientation == 1 else quarters().transpose(Image.Transpose(undo[orientation]))


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format", ["JPEG", "PNG", "TIFF", "WEBP", "AVIF"])
def test_pictures_stand_upright(orientation, format) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    data = saved(turned(orientation), format, exif=exif)
    picture = open_picture(data)
    assert picture.size == (64, 48)
    assert corners(picture) == UPRIGHT
    assert not picture.getexif(), "whoever turns it again would turn it wrong"
    assert (probe(data).width, probe(data).height) == (64, 48)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "TIFF", "WEBP", "AVIF", "HEIF"])
def test_the_camera_says_when_a_picture_was_taken(format) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 1
    if format == "TIFF":
        exif[CHANGED] = "2019:07:14 21:30:05"
    else:
        exif[CHANGED] = "2024:01:01 00:00:00"
        exif.get_ifd(EXIF_IFD)[TAKEN] = "2019:07:14 21:30:05"
    assert probe(saved(quarters(), format, exif=exif)).taken == datetime(2019, 7, 14, 21, 30, 5)
    exif.get_ifd(EXIF_IFD)[TAKEN] = exif[CHANGED] = "0000:00:00 00:00:00"
    assert probe(saved(quarters(), "JPEG", exif=exif)).taken is None


def test_metadata_that_makes_no_sense_does_not_lose_the_picture() -> None:
    data = saved(quarters(), "JPEG", exif=b"Exif\0\0" + b"\xff" * 40)
    assert corners(open_picture(data)) == UPRIGHT
    assert probe(data).taken is None


@pytest.mark.parametrize("mode", ["RGBA", "LA", "PA", "P"])
def test_what_is_transparent_is_white(mode) -> None:
    picture = Image.new("RGBA", (8, 8), (0, 0, 0, 0))
    picture.paste((0, 0, 0, 255), (0, 0, 4, 8))
    if mode == "P":
        data = saved(picture, "GIF")
    else:
        data = saved(
            picture.convert(mode) if mode != "PA" else picture,
            "PNG" if mode != "PA" else "WEBP",
            lossless=True,
        )
    opened = open_picture(data)
    assert opened.getpixel((1, 4)) == (0, 0, 0)
    assert opened.getpixel((6, 4)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("mode", "value", "seen"),
    [("1", 1, 255), ("L", 90, 90), ("I;16", 0x8012, 0x80), ("CMYK", (0, 0, 0, 0), 255)],
)
def test_every_depth_becomes_rgb(mode, value, seen) -> None:
    data = saved(Image.new(mode, (4, 4), value), "TIFF")
    assert open_picture(data).getpixel((2, 2)) == (seen,) * 3


def test_measured_values_are_stretched_to_what_can_be_seen() -> None:
    ramp = Image.fromarray(np.linspace(-3.5, 1e6, 256, dtype=np.float32).reshape(16, 16))
    opened = np.asarray(open_picture(saved(ramp, "TIFF")))
    assert (opened.min(), opened.max()) == (0, 255)


@pytest.mark.parametrize("format", ["JPEG", "progressive", "PNG"])
@pytest.mark.parametrize("side", [50, 224, 5000])
def test_a_smaller_decode_is_never_smaller_than_asked(format, side) -> None:
    progressive = format == "progressive"
    data = saved(quarters(2400, 1600), "JPEG" if progressive else format, progressive=progressive)
    picture = open_picture(data, side=side)
    assert min(picture.size) >= min(side, 1600)
    assert corners(picture) == UPRIGHT
    if side == 50:
        assert max(picture.size) < 1200
    assert abs(picture.size[0] / picture.size[1] - 1.5) < 0.05


def test_a_thumbnail_fits_its_square() -> None:
    assert thumbnail(saved(quarters(900, 300), "JPEG"), 90).size == (90, 30)
    assert thumbnail(saved(quarters(), "PNG"), 90).size == (64, 48)


def png_header(width: int, height: int) -> bytes:
    """A valid PNG header that promises more pixels than the file has."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")


def test_a_picture_too_large_to_hold_is_one_line() -> None:
    with pytest.raises(PictureError, match=r"20000 × 20000 pixels is over the limit of 180 megapixels"):
        open_picture(png_header(20_000, 20_000))
    assert probe(png_header(20_000, 20_000)).width == 20_000


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF", "HEIF"])
def test_a_probe_does_not_decode(format, monkeypatch) -> None:
    data = saved(quarters(), format)

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the pixels were decoded")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", refuse)
    assert probe(data).width == 64


def test_a_huge_jpeg_is_decoded_at_a_fraction(monkeypatch) -> None:
    data = saved(quarters(2000, 2000), "JPEG")
    monkeypatch.setattr(opening, "MAX_PIXELS", 1_000_000)
    assert open_picture(data, side=100).size == (250, 250)
    assert open_picture(data).size == (250, 250)
    with pytest.raises(PictureError, match="over the limit"):
        open_picture(saved(quarters(2000, 2000), "JPEG", progressive=True))
    monkeypatch.setattr(opening, "MAX_DRAFTED", 1_000_000)
    with pytest.raises(PictureError, match="over the limit"):
        open_picture(data)


def bad_files(folder: Path) -> dict[str, tuple[Path, str]]:
    """Every way a file can be bad, with what the line must say."""
    whole = saved(quarters(640, 480), "JPEG", quality=95)
    contents = {
        "empty.jpg": (b"", "empty: the file has no bytes"),
        "words.jpg": (b"dear diary, today I indexed my pictures", "not a picture in a format"),
        "page.png": (b"<!doctype html><html><body>404</body></html>", "not a picture in a format"),
        "cut.jpg": (whole[: len(whole) // 2], "cut short"),
        "head.jpg": (whole[:20], "damaged|cut short"),
        "cut.png": (saved(quarters(640, 480), "PNG")[:-900], "cut short|damaged"),
        "cut.webp": (saved(quarters(640, 480), "WEBP", quality=100)[:-90], "damaged|cut short"),
        "cut.gif": (saved(quarters(640, 480), "GIF")[:900], "cut short|damaged"),
        "cut.tiff": (saved(quarters(640, 480), "TIFF")[:900], "damaged|cut short"),
        "cut.avif": (saved(quarters(640, 480), "AVIF")[:-100], "damaged|cut short"),
        "cut.heic": (saved(quarters(640, 480), "HEIF")[:-300], "damaged|cut short"),
        "cut.bmp": (saved(quarters(640, 480), "BMP")[:900], "cut short|damaged"),
        "noise.jpg": (b"\xff\xd8\xff" + bytes(range(256)) * 40, "damaged|cut short"),
        "zeros.png": (b"\x89PNG\r\n\x1a\n" + b"\0" * 500, "damaged|cut short"),
    }
    files = {}
    for name, (data, said) in contents.items():
        (folder / name).write_bytes(data)
        files[name] = (folder / name, said)
    files["gone.jpg"] = (folder / "gone.jpg", "no such file: it was moved or deleted")
    (folder / "folder.jpg").mkdir()
    files["folder.jpg"] = (folder / "folder.jpg", "a folder, not a picture file")
    (folder / "loop.jpg").symlink_to(folder / "loop.jpg")
    files["loop.jpg"] = (folder / "loop.jpg", "a link that leads back to itself")
    os.mkfifo(folder / "pipe.jpg")
    files["pipe.jpg"] = (folder / "pipe.jpg", "a pipe, not a picture file")
    files["null"] = (Path(os.devnull), "a device, not a picture file")
    (folder / "two\nlines.jpg").write_bytes(b"")
    files["two\\nlines.jpg"] = (folder / "two\nlines.jpg", "empty")
    return files


def test_every_bad_file_is_one_line_that_names_it(tmp_path) -> None:
    for name, (path, said) in bad_files(tmp_path).items():
        with pytest.raises(PictureError, match=said) as caught:
            open_picture(path)
        message = str(caught.value)
        assert name in message, message
        assert "\n" not in message
        assert len(message) < 400


def test_a_file_that_may_not_be_read_says_so(tmp_path, monkeypatch) -> None:
    path = tmp_path / "private.jpg"
    path.write_bytes(saved(quarters(), "JPEG"))
    # Permissions do not bind root, who may run this test: the system's answer is played.
    monkeypatch.setattr("circlet.images.files.os.open", _denied)
    for ask in (open_picture, probe, content_hash):
        with pytest.raises(PictureError, match=r"private\.jpg: permission denied: make it readable"):
            ask(path)


def _denied(*args: object) -> int:
    raise PermissionError(13, "Permission denied")


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_raises_anything_but_a_picture_error(data) -> None:
    format = data.draw(st.sampled_from(["JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP", "AVIF"]))
    content = bytearray(saved(quarters(32, 24), format))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(1, len(content)))]
    for ask in (open_picture, probe):
        try:
            ask(bytes(content))
        except PictureError as error:
            assert "\n" not in str(error)  # noqa: PT017 (damage may also go unnoticed)


def test_the_hash_is_of_the_content(tmp_path) -> None:
    one, two = tmp_path / "a.jpg", tmp_path / "b.png"
    one.write_bytes(b"same")
    two.write_bytes(b"same")
    assert content_hash(one) == content_hash(two) == content_hash(b"same")
    assert content_hash(b"other") != content_hash(one)


def test_opening_in_many_threads_gives_the_same_pixels() -> None:
    data = {format: saved(quarters(300, 200), format) for format in ("JPEG", "PNG", "AVIF", "HEIF", "WEBP")}
    expected = {format: open_picture(content, side=64).tobytes() for format, content in data.items()}
    wrong: list[str] = []

    def work() -> None:
        for format, content in data.items():
            if open_picture(content, side=64).tobytes() != expected[format]:
                wrong.append(format)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
