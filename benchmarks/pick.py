"""How long picking one of a few takes once the model is loaded: from files, and from an index.

    python benchmarks/pick.py [--pictures 12] [--size 4000x3000] [--times 9] [--encoder builtin]

Makes photograph-like JPEG files (`photographs.py`), picks among them by words of two clauses, each time
other ones, and prints the middle and the slowest of the times: from the files, as `circlet pick` does it,
and by the vectors of an index, as the page does. Beside them what opening the files and encoding them take
alone. On a machine that others use, the processor's time, halved for two cores, says what the clock cannot.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
from photographs import photograph
from PIL import Image

from circlet.collection import Collection
from circlet.collection.picking import pick, pick_among
from circlet.images import open_picture
from circlet.models import load_encoder

THINGS = ("dog", "cat", "boat", "tree", "house", "car", "bird", "horse", "lamp", "chair", "apple", "river")


def timed(name: str, times: int, call: Callable[[str], object], *, first: int = 0) -> None:
    """Print how long a call took with words that were never said before."""
    took, busy = [], time.process_time()
    for number in range(first, first + times):
        words = (
            f"a {THINGS[number % len(THINGS)]} number {number} at night, without {THINGS[-1 - number % 11]}"
        )
        began = time.perf_counter()
        call(words)
        took.append(time.perf_counter() - began)
    processor = (time.process_time() - busy) / times
    print(
        f"{name:<28}{median(took) * 1000:8.0f} ms in the middle{max(took) * 1000:8.0f} ms at worst"
        f"{processor * 1000:8.0f} ms of the processor, on two cores {processor * 500:.0f} ms"
    )


def main() -> None:
    """Make pictures, pick among them, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=12)
    parser.add_argument("--size", default="4000x3000")
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--encoder", default="builtin")
    asked = parser.parse_args()
    wide, tall = map(int, asked.size.split("x"))
    encoder = load_encoder(asked.encoder)
    encoder.images([Image.new("RGB", (300, 200))])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "pictures"
        folder.mkdir()
        files = [folder / f"{number:02}.jpg" for number in range(asked.pictures)]
        for number, path in enumerate(files):
            photograph(number, (wide, tall)).save(path, quality=85)
        print(f"{len(files)} pictures of {wide} × {tall}, {files[0].stat().st_size / 1e6:.1f} MB each")
        pick(files, "a first word", encoder)
        side = encoder.size
        timed("opening the files alone", asked.times, lambda _: [open_picture(f, side=side) for f in files])
        ready = np.stack([encoder.prepare(open_picture(path, side=side)) for path in files])
        timed("encoding them alone", asked.times, lambda _: encoder.encode_prepared(ready))
        timed("picking, from the files", asked.times, lambda words: pick(files, words, encoder))
        collection = Collection.open(folder, home=Path(place) / "home", encoder=encoder)
        collection.index()
        ids = list(map(str, files))
        timed(
            "picking, from the index", asked.times, lambda words: pick_among(collection, ids, words), first=99
        )


if __name__ == "__main__":
    main()
