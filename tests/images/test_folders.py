"""Walking: every picture once, in a fixed order, and every skip with its reason."""

import os
import socket
from pathlib import Path

import pytest
from PIL import Image

from circlet.core import PictureError
from circlet.images import FoundFile, SkippedFile, walk


def touch(path: Path, data: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def taken(folder: Path) -> list[str]:
    return [item.path.relative_to(folder).as_posix() for item in walk(folder) if isinstance(item, FoundFile)]


def skipped(folder: Path) -> dict[str, str]:
    return {
        item.path.relative_to(folder).as_posix(): item.reason
        for item in walk(folder)
        if isinstance(item, SkippedFile)
    }


def test_pictures_are_found_in_order_with_what_tells_a_change(tmp_path) -> None:
    for name in ("b.JPG", "a/c.png", "a/z/d.heic", "a.svg", "notes.txt", "film.mp4"):
        touch(tmp_path / name, b"four")
    assert taken(tmp_path) == ["a.svg", "b.JPG", "a/c.png", "a/z/d.heic"]
    item = next(iter(walk(tmp_path)))
    info = (tmp_path / "a.svg").stat()
    assert item == FoundFile(tmp_path / "a.svg", 4, info.st_mtime_ns)
    ((film, reason),) = skipped(tmp_path).items()
    assert film == "film.mp4"
    assert reason.startswith("a video: circlet index --video takes its moments along")


def test_a_name_without_suffix_is_asked_for_its_first_bytes(tmp_path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "IMG_0001", "PNG")
    touch(tmp_path / "README", b"no picture")
    touch(tmp_path / "archive", b"\x1f\x8b\x08")
    touch(tmp_path / "empty", b"")
    assert taken(tmp_path) == ["IMG_0001"]


def test_links_are_followed_and_loops_end(tmp_path) -> None:
    outside = tmp_path / "outside"
    touch(outside / "far.jpg")
    root = tmp_path / "root"
    touch(root / "b" / "near.jpg")
    (root / "a-link").symlink_to(root / "b")
    (root / "b" / "up").symlink_to(root)
    (root / "far").symlink_to(outside)
    (root / "one.jpg").symlink_to(outside / "far.jpg")
    (root / "lost.jpg").symlink_to(root / "nothing.jpg")
    (root / "round.jpg").symlink_to(root / "round.jpg")
    assert taken(root) == ["one.jpg", "b/near.jpg", "far/far.jpg"]
    assert skipped(root) == {
        "a-link": "leads to a folder that was already walked",
        "b/up": "leads to a folder that was already walked",
        "lost.jpg": "a link to nothing",
        "round.jpg": "a link that leads back to itself",
    }


def test_what_is_hidden_is_skipped_unless_it_is_asked_for(tmp_path) -> None:
    touch(tmp_path / ".cache" / "thumb.png")
    touch(tmp_path / "._photo.jpg")
    touch(tmp_path / ".DS_Store")
    assert taken(tmp_path) == []
    assert skipped(tmp_path) == {".cache": "hidden folder", "._photo.jpg": "hidden file"}
    assert taken(tmp_path / ".cache") == ["thumb.png"]


def test_pipes_sockets_and_devices_are_not_opened(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)
        server.bind("socket.png")
        os.chdir(here)
        assert skipped(tmp_path) == {"pipe.jpg": "a pipe", "socket.png": "a socket"}


def test_pictures_that_circlet_cannot_open_are_told(tmp_path) -> None:
    touch(tmp_path / "shot.CR2")
    touch(tmp_path / "art.psd")
    assert skipped(tmp_path) == {
        "art.psd": "this picture format is not supported: export it as PNG or JPEG",
        "shot.CR2": "camera raw is not supported: export it as JPEG or TIFF",
    }


@pytest.mark.parametrize(
    "name", ["пляж.jpg", "海滩.png", "🏖.webp", "שלום.gif", "cafe\u0301.jpg", "a\nb.jpg", " .jpg"]
)
def test_names_in_every_script(tmp_path, name) -> None:
    touch(tmp_path / name)
    assert taken(tmp_path) == [name]


def test_a_name_that_is_no_text_is_skipped_with_a_path_that_prints(tmp_path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.jpg")).write_bytes(b"x")
    (tmp_path / os.fsdecode(b"f\xe9te")).mkdir()
    items = list(walk(tmp_path))
    assert {item.reason for item in items} == {"its name is not valid text on this system: rename it"}
    assert sorted(item.path.name for item in items) == ["caf\ufffd.jpg", "f\ufffdte"]
    for item in items:
        str(item.path).encode()


def test_a_folder_that_may_not_be_read_is_skipped_and_the_walk_goes_on(tmp_path, monkeypatch) -> None:
    touch(tmp_path / "a" / "secret.jpg")
    touch(tmp_path / "b" / "open.jpg")
    listing = os.scandir

    def guarded(path: Path):
        # Permissions do not bind root, who may run this test: the system's answer is played.
        if Path(path).name == "a":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", guarded)
    assert taken(tmp_path) == ["b/open.jpg"]
    assert skipped(tmp_path) == {"a": "permission denied: make it readable for you"}


def test_a_folder_that_is_none_is_one_line(tmp_path) -> None:
    with pytest.raises(PictureError, match=r"holiday: no such folder: it was moved or deleted"):
        list(walk(tmp_path / "holiday"))
    with pytest.raises(PictureError, match=r"a\.jpg: a file, not a folder"):
        list(walk(touch(tmp_path / "a.jpg")))


def test_depth_has_no_limit(tmp_path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    touch(deep / "found.jpg")
    assert len(taken(tmp_path)) == 1
