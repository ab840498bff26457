"""How fast a video is indexed, beside nothing but decoding it, and whether memory stays flat.

    python benchmarks/video.py [--minutes 10] [--encoder builtin]

Writes a video of 720p at 25 frames a second by PyAV itself (H.264, 4 Mbit/s, a new scene every five
seconds, grain that moves, the same twenty seconds again and again), decodes all of it and does nothing
else, then indexes it with `--video` in a home of its own. Prints seconds on the clock and of the processor
for both, how many times faster than the video runs that is, and the memory in use while it was indexed, the
most of it in each tenth of that time; two minutes and forty seconds of video were indexed before, so that
everything that runs ahead is full. On a machine that others use, the processor's seconds, halved for two
cores, say what the clock cannot.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import av
import numpy as np
from PIL import Image

from circlet.collection import Collection
from circlet.models import load_encoder

WIDE, HIGH, RATE, PIECE = 1280, 720, 25, 20
# So many pieces have more frames to look at than are read ahead and encoded at once.
FILLS = 8


def piece(path: Path) -> None:
    """Twenty seconds of video: soft coloured grounds with things that drift over them."""
    rng = np.random.default_rng(0)
    grain = rng.integers(-9, 10, (HIGH, WIDE, 1), np.int16)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=RATE, options={"preset": "ultrafast"})
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = WIDE, HIGH, "yuv420p", 4_000_000
        ground = np.zeros((HIGH, WIDE, 3), np.int16)
        for number in range(PIECE * RATE):
            if number % (5 * RATE) == 0:
                coarse = Image.fromarray(rng.integers(0, 255, (5, 8, 3), np.uint8))
                ground = np.asarray(coarse.resize((WIDE, HIGH), Image.Resampling.BICUBIC), np.int16)
            frame = ground + np.roll(grain, number * 37, axis=1)
            left = number * 9 % (WIDE - 240)
            frame[240:480, left : left + 240] = (230, 60, 40)
            drawn = av.VideoFrame.from_ndarray(frame.clip(0, 255).astype(np.uint8), format="rgb24")
            container.mux(stream.encode(drawn))
        container.mux(stream.encode(None))


def again(source: Path, path: Path, times: int) -> None:
    """The same video so many times over, its packets copied as they are."""
    with av.open(str(path), "w") as out:
        written: Any = None
        for number in range(times):
            with av.open(str(source)) as container:
                stream = container.streams.video[0]
                written = written or out.add_stream_from_template(stream)
                shift = number * round(PIECE / stream.time_base)
                for packet in container.demux(stream):
                    if packet.dts is None:
                        continue
                    packet.pts += shift
                    packet.dts += shift
                    packet.stream = written
                    out.mux(packet)


def decode(path: Path) -> int:
    """Every frame, decoded by as many threads as indexing takes, and thrown away."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        return sum(1 for _ in container.decode(stream))


def timed(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """What a call gave, its seconds on the clock and its seconds of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    made = call()
    return made, time.perf_counter() - clock, time.process_time() - processor


class Memory(Thread):
    """How much memory this process holds, in megabytes, looked at ten times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.seen: list[float] = []
        self._done = Event()

    def run(self) -> None:
        while not self._done.wait(0.1):
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            self.seen.append(pages * resource.getpagesize() / 1e6)

    def __enter__(self) -> "Memory":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self.join()

    def tenths(self) -> list[float]:
        """The most in each tenth of the time."""
        return [float(part.max()) for part in np.array_split(np.array(self.seen), 10)]


def main() -> None:
    """Write, decode, index, and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--encoder", default="builtin")
    asked = parser.parse_args()
    encoder = load_encoder(asked.encoder)
    encoder.images([Image.new("RGB", (300, 200))])
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "piece.mp4"
        short, long = Path(folder) / "short" / "clip.mp4", Path(folder) / "long" / "clip.mp4"
        for path in (short, long):
            path.parent.mkdir()
        length = 60 * asked.minutes
        piece(first)
        again(first, short, FILLS)
        again(first, long, length // PIECE)
        print(f"{asked.minutes} minutes of {WIDE} × {HIGH}, {long.stat().st_size / 1e6:.0f} MB")

        def index(path: Path) -> Any:
            made = Collection.open(path.parent, home=Path(folder) / "home", encoder=encoder)
            made.watch(True)
            return made.index()

        index(short)
        frames, *bare = timed(lambda: decode(long))
        with Memory() as memory:
            report, *indexed = timed(lambda: index(long))
        for name, (clock, processor) in (("decoding alone", bare), ("indexing", indexed)):
            print(
                f"{name}: {clock:.1f} s on the clock ({length / clock:.0f} × real time), "
                f"{processor:.1f} s of the processor ({2 * length / processor:.0f} × real time on two cores)"
            )
        print(f"indexing against decoding alone: {indexed[1] / bare[1]:.2f} of the processor's time")
        print(f"{frames} frames, {report.added} moments kept")
        print(f"memory, MB, in tenths: {' '.join(f'{most:.0f}' for most in memory.tenths())}")


if __name__ == "__main__":
    main()
