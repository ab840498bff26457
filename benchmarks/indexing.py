"""File to vector against the bare encoder, in one run, and memory against the number of pictures.

    python benchmarks/indexing.py [--count 600] [--size 1024x768] [--rounds 3]
    python benchmarks/indexing.py --memory 4000

The first indexes photographs from disk (walk, hash, decode, encode, durable batches) and, in turn
with it, runs the bare encoder (`encoder.images`) on pictures decoded beforehand; it prints the best
rate of each and their ratio, and for comparison the network alone on prepared pixels. The second
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

from circlet.app.collection import Collection
from circlet.images import open_picture
from circlet.models import load_encoder


def rate(run: Callable[[], object], size: int, count: int) -> float:
    """Things a second when `run` does `size` of them, repeated until `count` are done."""
    run()
    began = time.perf_counter()
    for _ in range(0, count, size):
        run()
    return count / (time.perf_counter() - began)


def indexed(folder: Path) -> float:
    """Pictures a second from file to durable vector, in a fresh index."""
    with tempfile.TemporaryDirectory() as home:
        collection = Collection.open(folder, home=home)
        collection.encoder.images([open_picture(next(folder.rglob("*.jpg")), side=256)])
        began = time.perf_counter()
        report = collection.index()
        return report.added / (time.perf_counter() - began)


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
            (part / f"{number:06}.jpg").symlink_to(path)
        report = Collection.open(part, home=Path(place) / "home").index()
        assert report.added == int(count), report
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Print the rates and their ratio, or the memory of two sizes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--size", default="1024x768")
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
    files = sorted(folder.rglob("*.jpg"))[:64]
    opened = [open_picture(file, side=encoder.size) for file in files]
    pixels = np.stack([encoder.prepare(picture) for picture in opened[:32]])
    rates = [
        (
            indexed(folder),
            rate(lambda: encoder.images(opened), 64, asked.count),
            rate(lambda: encoder.encode_prepared(pixels), 32, asked.count),
        )
        for _ in range(asked.rounds)
    ]
    files_rate, images_rate, network_rate = (max(column) for column in zip(*rates, strict=True))
    print(
        f"file to vector {files_rate:.1f}/s, bare encoder {images_rate:.1f}/s: {files_rate / images_rate:.2f}"
    )
    print(f"network alone on prepared pixels {network_rate:.1f}/s: {files_rate / network_rate:.2f}")


if __name__ == "__main__":
    main()
