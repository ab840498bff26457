"""Where pictures stand on the measure of blur, as they are and blurred on purpose.

    python benchmarks/blur.py FOLDER [--pictures 200] [--seed 0]

Takes photographs of a folder at random (of Tux Paint's stamps, say), brings the short edge to 224 pixels,
and blurs copies by Gaussians of several widths. Prints the measure's median, its fifth and ninety-fifth
percentile, and how many of a hundred would be left out at the limit that `circlet build frames` has.
"""

import argparse
import random
from pathlib import Path

import numpy as np
from PIL import ImageFilter

from circlet.core import PictureError
from circlet.images import FoundFile, open_picture, walk
from circlet.images.sharpness import BLURRED, SIDE, blur_of

WIDTHS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


def main() -> None:
    """Blur, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    paths = [item.path for item in walk(asked.folder) if isinstance(item, FoundFile)]
    paths = sorted(path for path in paths if path.suffix.lower() not in (".svg", ".svgz"))
    random.Random(asked.seed).shuffle(paths)
    found: dict[float, list[float]] = {width: [] for width in WIDTHS}
    for path in paths:
        try:
            picture = open_picture(path, side=SIDE)
        except PictureError:
            continue
        if min(picture.size) < SIDE:
            continue
        scale = SIDE / min(picture.size)
        small = picture.resize((round(picture.width * scale), round(picture.height * scale)))
        for width in WIDTHS:
            found[width].append(blur_of(small.filter(ImageFilter.GaussianBlur(width)) if width else small))
        if len(found[0.0]) == asked.pictures:
            break
    print(f"{len(found[0.0])} pictures; left out from {BLURRED} on")
    for width, values in found.items():
        low, middle, high = np.percentile(values, [5, 50, 95])
        left_out = 100 * np.mean([value >= BLURRED for value in values])
        print(
            f"Gaussian of {width}: median {middle:.2f} ({low:.2f} to {high:.2f}), left out {left_out:.0f} %"
        )


if __name__ == "__main__":
    main()
