"""What moves, as pictures one after the other: a video or an animation, looked through or at one moment."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.core import PictureError, UnreadableError
from circlet.images.files import cause, open_regular, shown
from circlet.images.formats import ANIMATIONS, HEAD, VIDEOS, sniff, sniff_video

if TYPE_CHECKING:
    from PIL.Image import Image

# At most so many frames of a film are looked at, whatever its length; a longer one is looked at less often.
MOST_LOOKS = 3_600
# A frame a second, and of short films so many in all.
_STEP = 1.0
_FEWEST = 20


class Film(ABC):
    """An open video or animation; `note` says after a look through what of it could not be seen.

    Times are seconds from the first frame, which stands at 0.
    """

    format: str
    # As it is shown: upright.
    width: int
    height: int
    # How long it says it is; None where it does not say.
    seconds: float | None
    taken: datetime | None = None
    note: str = ""

    @abstractmethod
    def looks(self, side: int | None = None, *, step: float | None = None) -> Iterator[tuple[float, "Image"]]:
        """Frames from beginning to end, `step` seconds apart, with their times; `side` as in `open_picture`.

        Without a step it is that of `step_of`; an animation gives every frame.
        """

    @abstractmethod
    def frame(self, seconds: float, side: int | None = None) -> "Image":
        """The frame that stands at this time."""


def step_of(seconds: float | None, wanted: float | None = None) -> float:
    """How many seconds two looks at a film of this length are apart, where no more often is `wanted`.

    >>> step_of(600), step_of(5), step_of(4 * 3600), step_of(None), step_of(600, 0.5)
    (1.0, 0.25, 4.0, 1.0, 0.5)
    """
    if not seconds:
        return wanted or _STEP
    return max(wanted or min(_STEP, seconds / _FEWEST), seconds / MOST_LOOKS)


def moves(path: Path) -> bool:
    """Whether this file is a video, or a GIF or WebP of more than one frame, by its first bytes.

    What cannot be read does not move: whoever opens it as a picture will say why.
    """
    suffix = path.suffix.lower()
    if suffix not in ANIMATIONS:
        return suffix in VIDEOS
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
        if sniff(head) == "WEBP":
            return head[12:16] == b"VP8X" and bool(head[20] & 2)
        if sniff(head) != "GIF":
            return False
        with open_film(path) as film:
            return film.seconds is not None
    except (PictureError, OSError, IndexError):
        return False


def lacking(*, wanted: bool) -> str:
    """Why videos are passed by where they are not `wanted`, or cannot be read; nothing where they can.

    >>> lacking(wanted=False).startswith("a video: circlet index --video takes its moments along")
    True
    """
    there = find_spec("av") is not None
    if wanted:
        return "" if there else "a video: to read it, pip install 'circlet[video]'"
    also = "" if there else ", after pip install 'circlet[video]'"
    return f"a video: circlet index --video takes its moments along{also}"


@contextmanager
def open_film(path: Path) -> Iterator[Film]:
    """The film in this file; whatever is wrong with it, the error is a `PictureError` of one line.

    with open_film(Path("clip.mp4")) as film:
        for seconds, picture in film.looks(side=224):
            print(seconds, picture.size)
    """
    name = shown(path)
    try:
        with _reader(path) as film:
            yield film
    except PictureError as error:
        text = str(error)
        raise type(error)(text if text.startswith(name) else f"{name}: {text}") from None
    except MemoryError:
        raise UnreadableError(f"{name}: too large for the memory of this machine") from None
    except OSError as error:
        if error.errno and type(error).__module__ == "builtins":
            raise UnreadableError(f"{name}: {cause(error)}") from None
        raise PictureError(f"{name}: damaged: {' '.join(str(error).split())[:200]}") from error
    except (EOFError, ValueError, SyntaxError, IndexError, ArithmeticError) as error:
        # A damaged file can bring a decoder to raise any of these; the walk over the others goes on.
        raise PictureError(f"{name}: damaged: {' '.join(str(error).split())[:200]}") from error


def _reader(path: Path) -> "AbstractContextManager[Film]":
    with open_regular(path) as file:
        head = file.read(HEAD)
    if not head:
        raise PictureError("empty: the file has no bytes")
    if kind := sniff_video(head):
        if reason := lacking(wanted=True):
            raise PictureError(reason)
        from circlet.images.video import open_video

        return open_video(path, kind)
    kind = sniff(head)
    if kind in ("GIF", "WEBP"):
        from circlet.images.animation import open_animation

        return open_animation(path, kind)
    raise PictureError("not a video in a format that circlet knows")
