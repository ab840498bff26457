"""Animated GIF and WebP, by Pillow: every frame in its turn, each shown as long as the file says."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.core import PictureError
from circlet.images.colours import to_rgb
from circlet.images.films import Film
from circlet.images.opening import MAX_PIXELS, header

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

# A look at every frame of a short one, at so many spread over a long one.
_LOOKS = 240
# The most pixels that are decoded of one animation: a few seconds of work.
_PIXELS = 20 * MAX_PIXELS
# What browsers take for the time of a frame that says none.
_USUAL = 0.1


@contextmanager
def open_animation(path: Path, kind: str) -> Iterator[Film]:
    """The frames of a GIF or WebP file."""
    with header(path) as opened:
        assert opened is not None, "no drawing moves"
        yield _Animation(opened, kind)


class _Animation(Film):
    """Frames in memory one at a time; going back means to begin again."""

    def __init__(self, opened: "ImageFile", kind: str) -> None:
        self._opened = opened
        self.format = kind
        self.width, self.height = opened.size
        self._frames = int(getattr(opened, "n_frames", 1))
        # How long each frame stays shows only on the way through.
        self.seconds = None if self._frames < 2 else self._frames * _USUAL

    def looks(self, side: int | None = None, *, step: float | None = None) -> Iterator[tuple[float, "Image"]]:
        every = -(-self._frames // _LOOKS)
        last = 0.0
        for number, (seconds, frame) in enumerate(self._through()):
            last = seconds
            if number % every == 0:
                yield seconds, _small(frame, side)
        if self._decodable() < self._frames:
            self.note = f"too long to look through: only the first {last:.0f} seconds were"

    def frame(self, seconds: float, side: int | None = None) -> "Image":
        for now, frame in self._through():
            if now >= seconds - 0.0005:
                return _small(frame, side)
        raise PictureError(f"it has no frame at {seconds:g} seconds any more: index its folder again")

    def _decodable(self) -> int:
        return min(self._frames, _PIXELS // max(1, self.width * self.height))

    def _through(self) -> Iterator[tuple[float, "Image"]]:
        if self.width * self.height > MAX_PIXELS:
            raise PictureError(f"{self.width} × {self.height} pixels are over the limit: make a smaller copy")
        now = 0.0
        for number in range(self._decodable()):
            try:
                self._opened.seek(number)
                self._opened.load()
            except (EOFError, OSError, SyntaxError):
                if not number:
                    raise
                self.note = f"cut short: read up to {now:.1f} seconds"
                return
            yield now, self._opened
            stays = float(self._opened.info.get("duration") or 0) / 1000
            now += stays if stays > 0.01 else _USUAL


def _small(frame: "Image", side: int | None) -> "Image":
    small = to_rgb(frame.copy())
    factor = min(small.size) // side if side else 1
    return small.reduce(factor) if factor > 1 else small
