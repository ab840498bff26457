"""What checking clauses costs: one search with and without it, at several sizes of the collection.

    python benchmarks/clauses.py [--sizes 2000 100000] [--rounds 15]

Random vectors of the built-in encoder's length in an index on disk, a picture of the index with words
that no round repeats. The best of several rounds, in turns, so that a busy moment hits all alike.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from circlet.core import Query, Turn, unit
from circlet.index import Entry, open_store
from circlet.models import load_encoder, load_method

METHODS = ("edits", "balanced", "default")
TEXTS = ("in the snow, without people", "in red", "at night, add a dog", "but a cat, with no cars")


def main() -> None:
    """Print milliseconds for each size and method."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[2_000, 100_000])
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    encoder = load_encoder("builtin")
    methods = {name: load_method(name, encoder) for name in METHODS}
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as folder:
            rng = np.random.default_rng(0)
            with open_store(Path(folder), write=True) as store:
                for start in range(0, size, 10_000):
                    count = min(10_000, size - start)
                    entries = [Entry(f"/p/{start + n}.jpg", 1, 1, f"{start + n}", 9, 9) for n in range(count)]
                    store.add(entries, unit(rng.normal(size=(count, encoder.dim))), encoder.fingerprint)
            with open_store(Path(folder)) as store:
                space = store.space(encoder.fingerprint)
                took: dict[str, list[float]] = {name: [] for name in METHODS}
                for number in range(asked.rounds + 2):
                    text = f"{TEXTS[number % len(TEXTS)]}, like number {number}"
                    for name, method in methods.items():
                        query = Query("q", (Turn(picture=f"/p/{number}.jpg", text=f"{text} {name}"),))
                        began = time.perf_counter()
                        method.rank([query], space, top=30)
                        took[name].append(time.perf_counter() - began)
            best = {name: 1000 * min(times[2:]) for name, times in took.items()}
            line = ", ".join(f"{name} {ms:.1f} ms" for name, ms in best.items())
            print(f"{size:,} pictures: {line}; default {best['default'] / best['edits']:.2f} × edits")


if __name__ == "__main__":
    main()
