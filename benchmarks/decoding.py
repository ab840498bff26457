"""JPEG decoders beside each other: what a picture costs before the network sees it, in processor time.

    pip install simplejpeg && python benchmarks/decoding.py [--size 1024x768] [--count 64]

Each decoder gives at least the size that the built-in encoder wants, by the fraction that JPEG itself can be
decoded at. Beside them stand `open_picture`, which also looks at the file and turns it upright, and the
network: what a decoder could save of the whole is the difference between the first two lines over the sum
of the last two. Medians of several rounds, in an order drawn anew for each.
"""

import argparse
import io
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from photographs import folder_of
from PIL import Image

from circlet.images import open_picture
from circlet.models import load_encoder

ROUNDS = 7


def main() -> None:
    """Decode the same pictures by each, and print what one costs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", default="1024x768")
    parser.add_argument("--count", type=int, default=64)
    asked = parser.parse_args()
    import simplejpeg

    encoder = load_encoder("builtin")
    with tempfile.TemporaryDirectory() as place:
        size = tuple(map(int, asked.size.split("x")))
        files = sorted(folder_of(Path(place), asked.count, size).rglob("*.jpg"))[: asked.count]
        data = [file.read_bytes() for file in files]
        stack = np.stack([encoder.prepare(open_picture(file, side=encoder.size)) for file in files])

        def pillow() -> None:
            for each in data:
                picture = Image.open(io.BytesIO(each), formats=["JPEG"])
                picture.draft("RGB", (encoder.size, encoder.size))
                picture.load()

        def simple() -> None:
            for each in data:
                simplejpeg.decode_jpeg(
                    each, min_height=encoder.size, min_width=encoder.size, fastdct=True, fastupsample=True
                )

        ways: dict[str, Callable[[], object]] = {
            "pillow, at a fraction": pillow,
            "simplejpeg, at a fraction, its fast ways": simple,
            "open_picture": lambda: [open_picture(file, side=encoder.size) for file in files],
            "the network": lambda: [
                encoder.encode_prepared(stack[at : at + 32]) for at in range(0, asked.count, 32)
            ],
        }
        took: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, way in random.sample(sorted(ways.items()), len(ways)):
                began = time.process_time()
                way()
                took[name].append((time.process_time() - began) / asked.count)
    cost = {name: statistics.median(each) for name, each in took.items()}
    for name, seconds in cost.items():
        print(f"{name:42}{1000 * seconds:6.2f} ms")
    one, other, opened, network = cost.values()
    print(f"the other decoder would save {(one - other) / (opened + network):.1%} of opening and encoding")


if __name__ == "__main__":
    main()
