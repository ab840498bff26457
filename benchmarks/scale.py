"""What a number of pictures takes on one machine: disk, memory, time; and the same by arithmetic for more.

    python benchmarks/scale.py [--sizes 10000 100000] [--encode 400] [--seed 0]

For each size it fills a store in a temporary folder (TMPDIR says where) as indexing does with the built-in
encoder: vectors of 768 numbers that lie in clusters, a tiny copy of 192 for each, durable batches. Then a
process of its own opens it and searches. Printed for each size: pictures added a second, the time to close
(which builds the approximate index, where circlet[large] is installed and it pays), bytes a picture by
kind, the reader's memory, and the time of a search. `--encode N` reads and encodes N photographs of
640 × 480 and prints how many a second. At the end the figures of the largest size are carried on to
10⁵ … 10⁸ pictures.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from photographs import folder_of

from circlet.collection import Collection
from circlet.core import Vectors, unit
from circlet.images.duplicates import SPACE as TINY
from circlet.index import Entry, open_store

SPACE, DIM, TINY_DIM, BATCH, CLUSTERS = "bench:1", 768, 192, 2_000, 1_000


def rows_of(count: int, seed: int, centres: Vectors) -> Vectors:
    """Vectors in clusters, as pictures have them."""
    random = np.random.default_rng(seed)
    noise = random.standard_normal((count, DIM), dtype=np.float32) * np.float32(0.7 / np.sqrt(DIM))
    return unit(centres[random.integers(0, len(centres), count)] + noise)


def fill(folder: Path, count: int, seed: int) -> tuple[float, float]:
    """A store of so many pictures: seconds to add them, and to close it."""
    random = np.random.default_rng(seed)
    centres = unit(random.standard_normal((CLUSTERS, DIM), dtype=np.float32))
    store = open_store(folder, write=True)
    store.add_root("/pictures")
    spent = 0.0
    for start in range(0, count, BATCH):
        entries = [
            Entry(
                f"/pictures/{at // 500:06}/IMG_{at:09}.jpg", 10**6 + at, 10**18 + at, f"{at:032x}", 4000, 3000
            )
            for at in range(start, min(start + BATCH, count))
        ]
        vectors = rows_of(len(entries), seed + 1 + start, centres)
        tiny = unit(random.standard_normal((len(entries), TINY_DIM), dtype=np.float32))
        began = time.perf_counter()
        store.add(entries, vectors, SPACE)
        store.add(entries, tiny, TINY, searched=False)
        spent += time.perf_counter() - began
    began = time.perf_counter()
    store.close()
    return spent, time.perf_counter() - began


def read(folder: str, count: int, seed: int) -> None:
    """In a process of its own: open, search, and tell the time and the memory it took."""
    random = np.random.default_rng(seed)
    centres = unit(random.standard_normal((CLUSTERS, DIM), dtype=np.float32))
    queries = rows_of(40, seed + 7, centres)
    began = time.perf_counter()
    with open_store(folder) as store:
        space = store.space(SPACE)
        space.search(queries[:1], top=50)
        first = time.perf_counter() - began
        # A reader of a large store first searches exactly, and loads what is faster when that has paid.
        for query in np.concatenate([queries] * 2):
            space.search(query[None], top=50)
        times, bare = [], []
        # In turn with the bare product over the same rows, which meets the same machine.
        pieces = [piece.vectors for piece, _ in space.pieces()]
        for query in queries[:15]:
            began = time.perf_counter()
            space.search(query[None], top=50)
            times.append(time.perf_counter() - began)
            began = time.perf_counter()
            for piece in pieces:
                piece @ query
            bare.append(time.perf_counter() - began)
        lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own, mapped = (int(lines[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    print(f"{first} {statistics.median(times)} {statistics.median(bare)} {own} {mapped}")


def measured(count: int, seed: int) -> dict[str, float]:
    """What one size takes; prints it."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "index"
        spent, closing = fill(folder, count, seed)
        kinds = {"catalogue": "catalogue.sqlite*", "vectors": "*.f32", "approximate": "vectors-*-*.*"}
        sizes = {
            kind: sum(file.stat().st_size for file in folder.glob(pattern)) for kind, pattern in kinds.items()
        }
        asked = [sys.executable, __file__, "--read", str(folder), "--sizes", str(count), "--seed", str(seed)]
        told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()
    first, search, bare, own, mapped = map(float, told)
    each = {kind: size / count for kind, size in sizes.items()}
    print(
        f"{count:>11,}: added at {count / spent:,.0f} a second, closed in {closing:.1f} s; bytes a picture: "
        f"{each['vectors']:,.0f} vectors, {each['catalogue']:,.0f} catalogue, {each['approximate']:,.0f} "
        f"approximate; first search after {first:.2f} s, then {search * 1000:.1f} ms, "
        f"{search / bare:.2f} of the bare product over all; "
        f"memory {own:,.0f} MB and {mapped:,.0f} MB of files"
    )
    return {**each, "add": count / spent, "search": search, "count": float(count)}


def encoded(count: int) -> float:
    """Photographs read, encoded and kept, a second; the loading of the encoder left out."""
    with tempfile.TemporaryDirectory() as made:
        folder = folder_of(Path(made) / "photographs", count, (640, 480))
        collection = Collection.open(folder, home=Path(made) / "home")
        few = folder_of(Path(made) / "few", 20, (640, 480))
        Collection.open(few, home=Path(made) / "home", encoder=collection.encoder).index()
        began, busy = time.perf_counter(), time.process_time()
        collection.index()
        rate = count / (time.perf_counter() - began)
        busy = (time.process_time() - busy) / count
    print(
        f"{count} photographs of 640 × 480: {rate:.0f} a second on this machine, "
        f"{busy * 1000:.1f} ms of processor each"
    )
    return busy


def carried_on(known: dict[str, float], busy: float) -> None:
    """The largest measured size, and what more would take if each picture takes the same."""
    per_disk = known["vectors"] + known["catalogue"] + known["approximate"]
    print(
        f"by arithmetic: {per_disk:,.0f} bytes a picture on disk, {busy * 1000:.1f} ms of processor to encode"
    )
    for count in (10**5, 10**6, 10**7, 10**8):
        print(
            f"{count:>11,}: {count * per_disk / 1e9:8,.1f} GB on disk, of which vectors to search "
            f"{count * DIM * 4 / 1e9:,.1f} GB and approximate {count * known['approximate'] / 1e9:,.1f} GB; "
            f"encoded in {count * busy / 3600:,.1f} processor hours"
        )


def main() -> None:
    """Print what was measured, then what follows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--encode", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.read:
        read(asked.read, asked.sizes[0], asked.seed)
        return
    busy = encoded(asked.encode)
    for count in asked.sizes:
        known = measured(count, asked.seed)
    carried_on(known, busy)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of the process that encoded and filled: {most:,.0f} MB")


if __name__ == "__main__":
    main()
