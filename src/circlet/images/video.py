"""Videos, by PyAV: MP4, QuickTime, WebM and Matroska, decoded no more than a look through needs.

The file is opened here and handed over, with the one demuxer that its first bytes name: a playlist that
calls itself a video could otherwise have other files and addresses opened.
"""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circlet.core import PictureError
from circlet.images.files import open_regular
from circlet.images.films import MOST_LOOKS, Film, step_of
from circlet.images.opening import MAX_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image

_DEMUXERS = {"MP4": "mov", "MOV": "mov", "WEBM": "matroska", "MKV": "matroska"}
# Where frames that stand alone come at least this often (seconds), nothing else is decoded.
_OFTEN = 2.0
# The most frames that are decoded on the way through a video: an hour at sixty a second.
MOST_FRAMES = 3_600 * 60
# The most frames between one that stands alone and the one that is wanted.
_MOST_BETWEEN = 20_000
_THREADS = min(4, os.cpu_count() or 1)
# Half a millisecond: times in ids are rounded to a whole one.
_SLACK = 0.0005


@contextmanager
def open_video(path: Path, kind: str) -> Iterator[Film]:
    """The pictures of a video file; sound is passed by."""
    import av

    with open_regular(path) as file:
        try:
            with av.open(file, format=_DEMUXERS[kind], metadata_errors="replace") as container:
                yield _Video(container, kind)
        except av.error.FFmpegError as error:
            raise PictureError(_plain(error)) from None


def _plain(error: Exception) -> str:
    import av

    if isinstance(error, av.error.InvalidDataError | av.error.EOFError):
        return "cut short or damaged: what says where its frames are is missing"
    return f"damaged: {' '.join(str(error).split())[:200]}"


class _Video(Film):
    """The first stream of pictures that is no cover of a piece of music."""

    def __init__(self, container: Any, kind: str) -> None:
        import av

        cover = av.stream.Disposition.attached_pic
        streams = [one for one in container.streams.video if not one.disposition & cover]
        if not streams:
            raise PictureError("sound without pictures: there is nothing to see in it")
        self._container, self._stream = container, streams[0]
        self.format = kind
        context = self._stream.codec_context
        if context is None or not context.width or not context.height:
            raise PictureError("no frame of it can be read: its header makes no sense")
        if context.width * context.height > MAX_PIXELS:
            raise PictureError(
                f"{context.width} × {context.height} pixels are over the limit: make a smaller copy"
            )
        context.thread_type, context.thread_count = "AUTO", _THREADS
        squeezed = self._stream.sample_aspect_ratio
        self._wide = round(context.width * float(squeezed)) if squeezed else context.width
        self._high = context.height
        self.width, self.height = self._wide, self._high
        base, length = self._stream.time_base, self._stream.duration
        self.seconds = (
            float(length * base)
            if length and base
            else container.duration / 1e6
            if container.duration
            else None
        )
        self._start = float((self._stream.start_time or 0) * base) if base else 0.0
        self.taken = _taken(container.metadata.get("creation_time", ""))
        with suppress(av.error.FFmpegError, StopIteration):
            if next(self._decoded()).rotation % 180:
                self.width, self.height = self.height, self.width
        self._rewind()

    def looks(self, side: int | None = None, *, step: float | None = None) -> Iterator[tuple[float, "Image"]]:
        step, due, last, seen = step_of(self.seconds, step), 0.0, 0.0, 0
        for seconds, frame in self._jumps(step) if self._long else self._through(step):
            # The first frame is the beginning, whatever the file says of it.
            last = seconds if seen else 0.0
            if last >= due - _SLACK:
                yield last, self._image(frame, side)
                due = (math.floor(last / step + 1e-6) + 1) * step
                seen += 1
        if not seen:
            raise PictureError("no frame of it can be read")
        if self._long:
            self.note = f"{_length(self.seconds)} long: looked at every {step:.1f} seconds"
        elif self.seconds and last < self.seconds - max(2.5, 0.1 * self.seconds) and not self.note:
            self.note = f"cut short: read up to {last:.0f} of {self.seconds:.0f} seconds"

    def frame(self, seconds: float, side: int | None = None) -> "Image":
        for place in (seconds, 0.0):
            self._rewind(place)
            for number, (now, frame) in enumerate(self._timed()):
                if number == 0 and now > seconds + _SLACK and place:
                    break  # the file's own list of places is wrong: from the beginning, then
                if now >= seconds - _SLACK or not seconds:
                    return self._image(frame, side)
                if number > _MOST_BETWEEN and place:
                    break
        raise PictureError(f"it has no frame at {seconds:g} seconds any more: index its folder again")

    @property
    def _long(self) -> bool:
        return (self.seconds or 0) > MOST_LOOKS

    def _through(self, step: float) -> Iterator[tuple[float, Any]]:
        """Frames in their order: those that stand alone, where they come often enough, or all."""
        import av

        gap = self._gap()
        if gap is not None and gap <= max(_OFTEN if step >= 1 else step, step):
            self._stream.codec_context.skip_frame = "NONKEY"
        last = 0.0
        try:
            for number, (seconds, frame) in enumerate(self._timed()):
                last = seconds
                yield seconds, frame
                if number >= MOST_FRAMES:
                    self.note = f"too long to look through: only the first {_length(last)} were"
                    return
        except av.error.FFmpegError:
            if not last:
                raise
            self.note = f"damaged after {last:.1f} seconds: read up to there"

    def _jumps(self, step: float) -> Iterator[tuple[float, Any]]:
        """The frame that stands alone nearest before each step: as many as of a video of an hour."""
        import av

        self._stream.codec_context.skip_frame = "NONKEY"
        last = -1.0
        for number in range(MOST_LOOKS):
            try:
                self._rewind(number * step)
                seconds, frame = next(self._timed())
            except (av.error.FFmpegError, StopIteration):
                continue
            if seconds > last:
                last = seconds
                yield seconds, frame

    def _gap(self) -> float | None:
        """Seconds between frames that stand alone, as the file's own list says; None: it has none."""
        keys = sum(1 for entry in self._stream.index_entries if entry.is_keyframe)
        return self.seconds / keys if keys and self.seconds else None

    def _rewind(self, seconds: float = 0.0) -> None:
        base = self._stream.time_base
        self._container.seek(int((self._start + seconds + _SLACK) / base), stream=self._stream)

    def _timed(self) -> Iterator[tuple[float, Any]]:
        """Frames with their times; a frame that says none comes right after the one before."""
        now, rate = 0.0, float(self._stream.average_rate or 25)
        for number, frame in enumerate(self._decoded()):
            stamp = frame.time
            now = now + (1 / rate if number else 0) if stamp is None else max(0.0, stamp - self._start)
            yield now, frame

    def _decoded(self) -> Iterator[Any]:
        return self._container.decode(self._stream)

    def _image(self, frame: Any, side: int | None) -> "Image":
        """The frame upright, its short edge not much above `side`."""
        from PIL import Image

        share = min(1.0, side / min(self._wide, self._high)) if side else 1.0
        size = (math.ceil(self._wide * share), math.ceil(self._high * share))
        picture: Image.Image = frame.to_image(width=size[0], height=size[1], interpolation="AREA")
        turn = {90: "ROTATE_90", 180: "ROTATE_180", 270: "ROTATE_270"}.get(round(frame.rotation) % 360)
        return picture.transpose(Image.Transpose[turn]) if turn else picture


def _length(seconds: float | None) -> str:
    minutes = round((seconds or 0) / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def _taken(said: str) -> datetime | None:
    """When a camera says it took the video; many programs write the beginning of their calendar."""
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return None
    local = moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
    return local if local.year > 1980 else None
