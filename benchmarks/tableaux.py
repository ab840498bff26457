"""How fast the tableaux world is drawn, and what a picture weighs.

    python benchmarks/tableaux.py [--scenes 2000] [--workers 2]

Prints scenes (graphs) a second, pictures of 224 px a second in one process with cold and with warm
caches, and in all workers together from a cold start, which is what `circlet data make` does. The
wall clock is what a person waits; the processor's clock is given beside it, because it hardly changes
when other programs run.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

from circlet.data.tableaux import encoded, render
from circlet.data.tableaux.files import draw
from circlet.data.tableaux.world.families import family


def clocks() -> tuple[float, float]:
    """The wall clock and this process's own."""
    return time.perf_counter(), time.process_time()


def told(what: str, number: int, since: tuple[float, float]) -> None:
    """One line of the report."""
    wall, own = (now - then for now, then in zip(clocks(), since, strict=True))
    print(f"{what:<34} {number / wall:8.0f}/s  {number / max(own, 1e-9):8.0f} per second of processor time")


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--scenes", type=int, default=2000)
    asked.add_argument("--workers", type=int, default=2)
    said = asked.parse_args()

    began = clocks()
    rng, seen = random.Random(0), set[str]()
    scenes = [scene for _ in range(said.scenes // 20) for scene in family(rng, "train", 20, seen)]
    told("scene graphs", len(scenes), began)

    for what in ("one process, cold caches", "one process, warm caches"):
        began = clocks()
        weight = sum(len(encoded(render(scene))) for scene in scenes)
        told(what, len(scenes), began)

    with tempfile.TemporaryDirectory() as folder:
        began = clocks()
        named = {f"s-{number:06d}": scene for number, scene in enumerate(scenes)}
        draw(Path(folder), named, 224, said.workers, lambda stage, done, of: None)
        wall = time.perf_counter() - began[0]
        print(f"{f'{said.workers} processes, cold, to disk':<34} {len(scenes) / wall:8.0f}/s")
    each = weight / len(scenes)
    print(f"a picture weighs {each / 1000:.1f} kB, ten thousand {each / 100:.0f} MB")


if __name__ == "__main__":
    main()
