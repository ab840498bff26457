"""File to vector against the bare encoder, in one run, and memory against the number of pictures.

    python benchmarks/indexing.py [--count 512] [--size 640x480] [--rounds 3]
    python benchmarks/indexing.py --memory 4000

The first indexes photographs from disk (walk, hash, decode, encode, durable batches) and, in turn
with it, runs the bare encoder (`encoder.images`) on pictures decoded beforehand; it prints the best
rate of each and their ratio, and for comparison the network alone on prepared pixels; the ratio in
processor time holds on a busy machine, too. 640 × 480 is the size of the field's benchmarks; of larger
photographs the decoder takes its share (try --size 1600x1200). The second
indexes once with a quarter of the pictures and once with all, each in a process of its own, and
prints the peak memory of both.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from photographs import folder_of

from circlet.collection.collection import Collection
from circlet.images import open_picture
from circlet.models import PictureEncoder, load_encoder


def cost(run: Callable[[], object], count: int) -> tuple[float, float]:
    """Seconds on the clock and of processor time that one of `count` pictures takes."""
    clock, processor = time.perf_counter(), time.process_time()
    run()
    return (time.perf_counter() - clock) / count, (time.process_time() - processor) / count


def indexed(folder: Path, encoder: PictureEncoder, count: int) -> tuple[float, float]:
    """What a picture costs from file to durable vector, in a fresh index."""
    with tempfile.TemporaryDirectory() as home:
        collection = Collection.open(folder, home=home, encoder=encoder)
        return cost(collection.index, count)


def peak(folder: Path, count: int) -> float:
    """Peak memory in MB of a process that indexes this many pictures."""
    code = f"import sys; sys.path[:0] = {sys.path!r}; import indexing; indexing.measure(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(count)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def measure(folder: str, count: str) -> None:
    """In a process of its own: index `count` pictures and print the peak memory."""
    with tempfile.TemporaryDirectory() as place:
        part = Path(place) / "pictures"
        part.mkdir()
        for number, path in enumerate(sorted(Path(folder).rglob("*.jpg"))[: int(count)]):
            # Not a symbolic link: those that lead out of a folder are not followed.
            (part / f"{number:06}.jpg").hardlink_to(path)
        report = Collection.open(part, home=Path(place) / "home").index()
        assert report.added == int(count), report
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print the rates and their ratio, or the memory of two sizes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=512)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--memory", type=int, metavar="COUNT", help="measure memory instead, at COUNT pictures"
    )
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "circlet-photographs")
    asked = parser.parse_args()
    size = tuple(map(int, asked.size.split("x")))
    folder = folder_of(asked.folder / asked.size, asked.memory or asked.count, size)
    if asked.memory:
        few, many = peak(folder, asked.memory // 4), peak(folder, asked.memory)
        print(
            f"peak memory: {few:.0f} MB at {asked.memory // 4:,} pictures, {many:.0f} MB at {asked.memory:,}"
        )
        return
    encoder = load_encoder("builtin")
    files = sorted(folder.rglob("*.jpg"))[: asked.count]
    opened = [open_picture(file, side=encoder.size) for file in files]
    stacks = [
        np.stack([encoder.prepare(picture) for picture in opened[at : at + 32]])
        for at in range(0, asked.count, 32)
    ]
    encoder.encode_prepared(stacks[0])
    rounds = [
        (
            indexed(folder, encoder, asked.count),
            cost(lambda: encoder.images(opened), asked.count),
            cost(lambda: [encoder.encode_prepared(stack) for stack in stacks], asked.count),
        )
        for _ in range(asked.rounds)
    ]
    whole, bare, network = (np.min(kind, axis=0) for kind in zip(*rounds, strict=True))
    print(f"file to vector       {1 / whole[0]:6.1f}/s  {whole[1] * 1000:5.1f} ms of processor")
    for name, part in (("bare encoder", bare), ("network alone", network)):
        ratios = f"{part[0] / whole[0]:.2f} on the clock, {part[1] / whole[1]:.2f} in processor time"
        print(f"{name:<20} {1 / part[0]:6.1f}/s  {part[1] * 1000:5.1f} ms: ratio {ratios}")


if __name__ == "__main__":
    main()
