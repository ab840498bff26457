"""How each thing a store does grows with the number of pictures: times, and the exponent of each.

    python benchmarks/growth.py                     # 1,000 to 1,000,000 pictures, 3 GB of disk
    python benchmarks/growth.py --most 100000

At each size it fills a fresh store (TMPDIR says where) with seeded vectors in durable batches, and measures:
adding all; opening the store up to the point where it can be searched; an exact search of all; the first
search in a folder of a hundred pictures, by a reader that has asked nothing before; forgetting every
twentieth picture; and verifying every checksum. The exponent is the slope of the line through the times
on paper where both axes are logarithmic: 1 is as much more time as there are more pictures, 0 none. The
targets are 1.05, and 0.2 for opening and for searching in the folder. Where others use the machine, the
clock measures them, too: the second table is the same in processor time, and what misses its target in both
is an error. What can be repeated is the best of several. Vectors alone, without a catalogue, are appended
and searched at ten million where the disk has room for them.
"""

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from circlet.core import Vectors, unit
from circlet.index import Entry, Filters
from circlet.index.embedded.embedded import Embedded
from circlet.index.embedded.exact import exact
from circlet.index.embedded.vectorfile import append, mapped

SPACE = "bench:1"
BATCH = 1000
FOLDER = 100
TARGETS = {"add": 1.05, "open": 0.2, "search": 1.05, "in a folder": 0.2, "forget": 1.05, "verify": 1.05}
NEVER = 10**12
ALONE = 10**7
# What vectors alone take while they are measured, for each byte of them.
ROOM = 2.6


def entry(number: int) -> Entry:
    """A hundred pictures in each folder; contents without any order, as hashes are."""
    path = f"/home/someone/Pictures/album {number // FOLDER:05d}/holiday {number:07d}.jpg"
    return Entry(path, number, 10**18 + number, f"{number * 0x9E3779B97F4A7C15 % 2**64:032x}", 400, 300)


def vectors(start: int, count: int, dim: int) -> Vectors:
    """Rows that are the same whatever the size of the store: what is measured does not look at them."""
    return unit(np.random.default_rng(start).standard_normal((count, dim), np.float32))


class Cost(NamedTuple):
    """Seconds on the clock and of the processor."""

    clock: float
    processor: float


def fastest(call: Callable[[], object], times: int) -> Cost:
    """What the fastest of some calls took."""
    took = []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        call()
        took.append((time.perf_counter() - clock, time.process_time() - processor))
    return Cost(*(min(each) for each in zip(*took, strict=True)))


def measured(folder: Path, rows: int, dim: int) -> dict[str, Cost]:
    """What each thing takes in a store of this many pictures."""
    took: dict[str, Cost] = {}
    adding = []
    with Embedded.open(folder, write=True, approximate_from=NEVER) as store:
        for start in range(0, rows, BATCH):
            batch = [entry(start + at) for at in range(BATCH)], vectors(start, BATCH, dim)
            adding.append(fastest(lambda batch=batch: store.add(*batch, SPACE), 1))
    took["add"] = Cost(*(sum(each) for each in zip(*adding, strict=True)))

    def opened() -> Embedded:
        store = Embedded.open(folder, approximate_from=NEVER)
        assert len(store.space(SPACE)) == rows
        return store

    took["open"] = fastest(lambda: opened().close(), 15)
    query = vectors(0, 1, dim)
    with opened() as store:
        took["search"] = fastest(lambda: store.space(SPACE).search(query), 25)
    inside = Filters(folder=str(Path(entry(rows // 2).path).parent))
    first = []
    for _ in range(15):
        with opened() as store:

            def narrow(store: Embedded = store) -> None:
                assert len(store.space(SPACE).search(query, top=FOLDER + 1, filters=inside)[0].ids) == FOLDER

            first.append(fastest(narrow, 1))
    took["in a folder"] = Cost(*(min(each) for each in zip(*first, strict=True)))
    with Embedded.open(folder, write=True, approximate_from=NEVER) as store:
        gone = [entry(number).path for number in range(0, rows, 20)]
        took["forget"] = fastest(lambda: store.forget(gone), 1)
        took["verify"] = fastest(lambda: [*store.verify()] and exit("the store is damaged"), 1)
    return took


def exponent(sizes: list[int], took: list[float]) -> float:
    """The slope through the times, both axes logarithmic.

    >>> round(exponent([10, 100, 1000], [2.0, 20.0, 200.0]), 3)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(took), 1)[0])


def alone(folder: Path, rows: int, dim: int) -> None:
    """Append and search a vector file of this many rows, where there is room for it."""
    need, free = ROOM * rows * dim * 4, shutil.disk_usage(folder).free
    if free < need:
        print(f"{rows:,} vectors alone: {need / 1e9:.0f} GB would have to be free, {free / 1e9:.0f} GB are")
        return
    path = folder / "alone.f32"
    began = time.perf_counter()
    for start in range(0, rows, BATCH):
        append(path, start, vectors(start, BATCH, dim))
    added = time.perf_counter() - began
    everything, nothing = np.ones(rows, np.bool_), [np.empty(0, np.intp)]
    stored = mapped(path, rows, dim)
    searched = fastest(lambda: exact(stored, vectors(0, 1, dim), top=50, mask=everything, exclude=nothing), 3)
    print(f"{rows:,} vectors alone: made and appended in {added:.0f} s, searched in {searched.clock:.2f} s")


def table(sizes: list[int], took: list[dict[str, Cost]], at: int) -> dict[str, float]:
    """Print the times of one kind with their exponents, which are returned."""
    print(f"{Cost._fields[at]:>12}" + "".join(f"{name:>14}" for name in TARGETS))
    for size, each in zip(sizes, took, strict=True):
        print(f"{size:>12,}" + "".join(f"{each[name][at]:>14.4f}" for name in TARGETS))
    slopes = {name: exponent(sizes, [each[name][at] for each in took]) for name in TARGETS}
    print(f"{'exponent':>12}" + "".join(f"{slope:>14.2f}" for slope in slopes.values()))
    print(f"{'target':>12}" + "".join(f"{target:>14.2f}" for target in TARGETS.values()), flush=True)
    return slopes


def main() -> None:
    """Measure at each size, print times and exponents."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--least", type=int, default=1_000)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--alone", type=int, default=ALONE, help="rows of the vectors alone")
    asked = parser.parse_args()
    sizes = [10**power for power in range(3, 8) if asked.least <= 10**power <= asked.most]
    took = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            took.append(measured(Path(folder), size, asked.dim))
    slopes = [table(sizes, took, at) for at in range(len(Cost._fields))]
    with tempfile.TemporaryDirectory() as folder:
        alone(Path(folder), asked.alone, asked.dim)
    if missed := [name for name in TARGETS if min(each[name] for each in slopes) > TARGETS[name]]:
        raise SystemExit(f"grows faster than its target: {', '.join(missed)}")


if __name__ == "__main__":
    main()
