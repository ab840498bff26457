"""How fast `circlet move` copies an index, folder to folder, into a Milvus server and back.

    python benchmarks/move.py [--rows 20000] [--dim 768] [--no-server] [--seed 0]

It fills a store in a temporary folder with seeded vectors of that many pictures, a tiny copy for each and
a few marks, and copies it. Printed for each way: pictures a second, the same again with nothing left to
write (which compares all of it), and the most memory the process had until then. The last checksum must be
the first.
"""

import argparse
import contextlib
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from circlet.core import unit
from circlet.core.marks import PEOPLE, Mark
from circlet.index import Entry, Store, open_store, transfer
from circlet.index.embedded.embedded import Embedded

BATCH = 2_000


def fill(store: Embedded, rows: int, dim: int, seed: int) -> None:
    """That many pictures with vectors of two encoders; one in ten has a mark."""
    random = np.random.default_rng(seed)
    store.add_root("/pictures")
    for start in range(0, rows, BATCH):
        numbers = range(start, min(start + BATCH, rows))
        entries = [
            Entry(
                f"/pictures/{at // 1000:04}/{at:07}.jpg", 400_000 + at, 10**18 + at, f"{at:032x}", 1600, 1200
            )
            for at in numbers
        ]
        store.add(entries, unit(random.standard_normal((len(entries), dim), dtype=np.float32)), "bench:1")
        tiny = unit(random.standard_normal((len(entries), 192), dtype=np.float32))
        store.add(entries, tiny, "tiny:1", searched=False)
        store.mark(PEOPLE, {entry.path: Mark("faces:1", 2) for entry in entries[::10]})


def copied(source: Store, target: Store, what: str) -> str:
    """Copy, and compare once more; prints the rates and returns the checksum."""
    rates, sums = [], []
    for _ in range(2):
        began = time.perf_counter()
        report = transfer(source, target)
        rates.append(report.pictures / (time.perf_counter() - began))
        sums.append(report.checksum)
    assert sums[0] == sums[1]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{what}: {rates[0]:,.0f} pictures a second, {rates[1]:,.0f} compared again, {most:,.0f} MB at most"
    )
    return sums[0]


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--dim", type=int, default=768)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-server", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as stack:
        source = stack.enter_context(Embedded.open(Path(made) / "source", write=True))
        fill(source, asked.rows, asked.dim, asked.seed)
        target = stack.enter_context(open_store(Path(made) / "target", write=True))
        first = last = copied(source, target, "folder to folder")
        if not asked.no_server:
            from circlet.testing import milvus_server, why_no_server

            if reason := why_no_server():
                sys.exit(reason)
            server = stack.enter_context(milvus_server())
            kept = stack.enter_context(open_store(f"{server.address}/moved", write=True))
            copied(source, kept, "folder to Milvus")
            back = stack.enter_context(open_store(Path(made) / "back", write=True))
            last = copied(kept, back, "Milvus to folder")
        assert last == first
        print(f"checksum {last}, the same all the way")


if __name__ == "__main__":
    main()
