"""Walking a folder: every picture in it, and every thing that was passed by with the reason."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from circlet.core import PictureError
from circlet.images.addresses import id_of
from circlet.images.files import cause, kind, open_regular, shown
from circlet.images.films import lacking
from circlet.images.formats import FOREIGN, HEAD, SUFFIXES, VIDEOS, sniff


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that claims to be a picture, or a video, with what tells whether it changed."""

    path: Path
    size: int
    mtime_ns: int

    @property
    def id(self) -> str:
        """The picture's id: its path, or its address where it lies elsewhere."""
        return id_of(self.path)


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that the walk did not take, and why. `path` can always be printed."""

    path: Path
    reason: str

    @property
    def id(self) -> str:
        """What to call it: its path, or its address where it lies elsewhere."""
        return id_of(self.path)


def walk(folder: Path, *, follow: bool = True, video: bool = False) -> Iterator[FoundFile | SkippedFile]:
    """Every picture in the folder and the folders in it, in a fixed order, one folder at a time.

    A file counts as a picture by its suffix, and one without a suffix by its first bytes; whether it
    really is one shows when it is opened. Links are followed, each real folder is entered once; without
    `follow` those that lead out of the folder come as `SkippedFile`.
    With `video`, videos are found as well, if they can be read here; else each comes as `SkippedFile`.
    Hidden folders, unreadable ones and pictures that circlet cannot take come as `SkippedFile`.
    What lies under a skipped folder was not seen, which does not mean that it is gone.

        for item in walk(Path("~/Pictures").expanduser()):
            print(item.path)
    """
    folder = Path(folder).absolute()
    try:
        info = folder.stat()
    except OSError as error:
        raise PictureError(f"{shown(folder)}: {cause(error).replace('file', 'folder')}") from None
    if not stat.S_ISDIR(info.st_mode):
        raise PictureError(f"{shown(folder)}: {kind(info.st_mode) or 'a file'}, not a folder")
    seen: set[tuple[int, int]] = set()
    inside = None if follow else folder.resolve()
    # What is said of every video; nothing where they are taken.
    unseen = lacking(wanted=video)
    # Folders reached by links wait for the end, so that a picture's own path wins over the link's.
    waiting = [folder]
    while waiting:
        linked: list[Path] = []
        for start in waiting:
            yield from _tree(start, seen, linked, inside, unseen)
        waiting = sorted(linked)


def _tree(
    start: Path, seen: set[tuple[int, int]], linked: list[Path], within: Path | None, unseen: str
) -> Iterator[FoundFile | SkippedFile]:
    stack = [start]
    while stack:
        here = stack.pop()
        try:
            info = here.stat()
            # Windows gives no inode through a folder listing, but stat has one on every system.
            key = (info.st_dev, info.st_ino)
            if key in seen:
                yield SkippedFile(here, "leads to a folder that was already walked")
                continue
            seen.add(key)
            with os.scandir(here) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield SkippedFile(_printable(here), cause(error).replace("file", "folder"))
            continue
        inside: list[Path] = []
        for entry in entries:
            if within is not None and entry.is_symlink() and _leads_out(Path(entry.path), within):
                yield SkippedFile(_printable(Path(entry.path)), _LEADS_OUT)
                continue
            yield from _take(entry, inside, linked, unseen)
        stack.extend(reversed(inside))


def _take(
    entry: os.DirEntry[str], inside: list[Path], linked: list[Path], unseen: str
) -> Iterator[FoundFile | SkippedFile]:
    path = Path(entry.path)
    try:
        if entry.is_dir():
            if entry.name.startswith("."):
                yield SkippedFile(_printable(path), "hidden folder")
            elif not _sayable(entry.name):
                yield SkippedFile(_printable(path), _UNSAYABLE)
            else:
                (linked if entry.is_symlink() else inside).append(path)
            return
        suffix = path.suffix.lower()
        if not claims(suffix):
            return
        info = entry.stat()
    except OSError as error:
        if path.suffix.lower() in SUFFIXES | VIDEOS:
            broken = entry.is_symlink() and isinstance(error, FileNotFoundError)
            yield SkippedFile(_printable(path), "a link to nothing" if broken else cause(error))
        return
    reason = kind(info.st_mode)
    if not suffix and (reason or not _looks_like_a_picture(path)):
        return
    if reason := reason or unfit(entry.name, unseen):
        yield SkippedFile(_printable(path), reason)
    else:
        yield FoundFile(path, info.st_size, info.st_mtime_ns)


def claims(suffix: str) -> bool:
    """Whether a file of this ending is worth a word: it may be a picture, or is to a person."""
    return not suffix or suffix in _CLAIMING


def unfit(name: str, unseen: str) -> str:
    """Why a file of this name is not taken, `unseen` for a video; nothing where it is.

    >>> unfit("beach.jpg", ""), unfit(".beach.jpg", "")
    ('', 'hidden file')
    """
    suffix = PurePath(name).suffix.lower()
    if reason := FOREIGN.get(suffix) or (unseen if suffix in VIDEOS else ""):
        return reason
    if name.startswith("."):
        return "hidden file"
    return "" if _sayable(name) else _UNSAYABLE


# Endings that make a file worth a word, whether it can be taken or not.
_CLAIMING = SUFFIXES | VIDEOS | FOREIGN.keys()
_LEADS_OUT = "a link that leads out of the folder: index it with --follow to take it along"


def _leads_out(path: Path, within: Path) -> bool:
    """Whether a link leads to a folder or a picture that lies elsewhere."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return False  # to nothing, or in a circle: said as such
    wanted = real.is_dir() or path.suffix.lower() in _CLAIMING
    return wanted and not real.is_relative_to(within)


_UNSAYABLE = "its name is not valid text on this system: rename it"


def _sayable(name: str) -> bool:
    """Whether the name is text: raw bytes that are none come as lone surrogates, which nothing can store."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: Path) -> Path:
    return path if _sayable(str(path)) else Path(os.fsencode(path).decode("utf-8", "replace"))


def _looks_like_a_picture(path: Path) -> bool:
    """A name without a suffix says nothing, so its first bytes are asked."""
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
    except (PictureError, OSError):
        return False
    return sniff(head) is not None and not head.startswith(b"\x1f\x8b")
