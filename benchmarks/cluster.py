"""Indexing by Ray workers against indexing by one process, in turn, in one run.

    python benchmarks/cluster.py [--pictures 2000] [--size 640x480] [--rounds 3] [--workers 2]

Both index the same photographs into a fresh embedded store: walk, hash, decode, encode, durable batches.
The clock runs from when a quarter of them is done until three are, so beginning and end are left out of
both; how long it was until the first batch is printed beside. The best round of each counts, and the ratio
of the two; the ratio in processor time, of all processes together, holds on a busy machine, too. What the
process that gives out the work and writes takes of a processor for each picture says how many workers it
can keep busy.
"""

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from photographs import folder_of
from processes_below import processor_seconds

from circlet.collection import Collection


@dataclass
class Rate:
    """What one run came to: pictures a second, and what a picture took of processors, in all and of ours."""

    pictures: float
    processors: float
    ours: float
    waited: float


def rate(folder: Path, workers: str, count: int) -> Rate:
    """Index into a fresh store, and look at the clock when a quarter is done and when three are."""
    told: list[tuple[float, int]] = []
    looks: list[tuple[int, float, float]] = []

    def tell(done: int, total: int | None) -> None:
        told.append((time.perf_counter(), done))
        if done in (count // 4, 3 * count // 4):
            looks.append((len(told) - 1, processor_seconds(os.getpid()), time.process_time()))

    with tempfile.TemporaryDirectory(dir=folder.parent) as home:
        began = time.perf_counter()
        report = Collection.open(folder, home=home).index(tell, workers=workers)
        assert (report.added, len(report.skipped)) == (count, 0)
    (first, spent, busy), (last, more, busier) = looks
    (start, before), (end, after) = _whole(told, first), _whole(told, last)
    done = after - before
    return Rate(done / (end - start), (more - spent) / done, (busier - busy) / done, told[0][0] - began)


def _whole(told: list[tuple[float, int]], at: int) -> tuple[float, int]:
    """When the batch came that this was told of, and how many were done with all of it."""
    while at + 1 < len(told) and told[at + 1][0] - told[at][0] < 0.02:
        at += 1
    return told[at]


def main() -> None:
    """Index in turn, print both rates and their ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    with tempfile.TemporaryDirectory(prefix="circlet-cluster-") as place:
        folder = folder_of(Path(place) / "photographs", asked.pictures, (width, height))
        alone, many = [], []
        for number in range(1, asked.rounds + 1):
            alone.append(rate(folder, "", asked.pictures))
            many.append(rate(folder, f"ray:{asked.workers}", asked.pictures))
            print(
                f"round {number}: one process {alone[-1].pictures:.1f} pictures/s, {asked.workers} Ray "
                f"workers {many[-1].pictures:.1f} (begun after {many[-1].waited:.0f} s); a picture takes "
                f"{alone[-1].processors * 1000:.1f} and {many[-1].processors * 1000:.1f} ms of processors",
                flush=True,
            )
    one, some = (max(run.pictures for run in runs) for runs in (alone, many))
    cost, costs = (min(run.processors for run in runs) for runs in (alone, many))
    print(f"{asked.pictures} photographs of {asked.size}, {os.cpu_count()} processors, best of each")
    print(f"one process      {one:.1f} pictures/s, {cost * 1000:.1f} ms of processors a picture")
    print(f"{asked.workers} Ray workers    {some:.1f} pictures/s, {costs * 1000:.1f} ms")
    print(f"ratio            {some / one:.2f} on the clock, {cost / costs:.2f} in processor time")
    ours = min(run.ours for run in many)
    print(f"the process that gives out and writes takes {ours * 1000:.2f} ms of a processor a picture")


if __name__ == "__main__":
    main()
