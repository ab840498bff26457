"""How alike copies of a picture are, and how alike different pictures: where folding should begin.

    python benchmarks/folding.py FOLDER [--sample 300] [--encoder builtin]
    python benchmarks/folding.py FOLDER --bursts [--sample 300]

Makes copies as people have them (saved again at quality 60, at half the size, lightly brightened,
one hundredth cropped away), and prints how far copy and original are apart against each picture and
the nearest other one: first by the tiny copies that circlet folds by (of 255; `NEAR` in
`circlet.images.duplicates` lies between the two), then by the encoder's vectors, which do not tell copies
from neighbours.

`--bursts` makes of each picture further shots of the same moment instead: the camera shakes (moved by up to
three hundredths, turned by up to two degrees, the light changed by up to six), turns by a tenth of the
picture, steps nearer by a tenth, or something as wide as a quarter of the picture crosses it. It prints how
many of them, and how many of all pairs of different pictures, lie within each difference of looks (of 255):
`ALIKE` in `circlet.images.bursts` is chosen by it.
"""

import argparse
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance

from circlet.images import FoundFile, open_picture, walk
from circlet.images.duplicates import tiny_copy
from circlet.models import load_encoder


def saved_again(picture: Image.Image, quality: int = 60) -> Image.Image:
    """The picture after a round through a JPEG file."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("RGB")


def cropped(picture: Image.Image) -> Image.Image:
    """The picture less one hundredth on each side."""
    wide, tall = picture.size
    return picture.crop((wide // 100, tall // 100, wide - wide // 100, tall - tall // 100))


COPIES = {
    "quality 60": saved_again,
    "half size": lambda picture: picture.resize((picture.width // 2, picture.height // 2)),
    "half size, quality 60": lambda p: saved_again(p.resize((p.width // 2, p.height // 2))),
    "brightened by 5 %": lambda picture: ImageEnhance.Brightness(picture).enhance(1.05),
    "cropped by 1 %": cropped,
}


def part(picture: Image.Image, left: float, top: float, share: float) -> Image.Image:
    """This share of the picture's sides, from here on, as large as the picture was."""
    wide, tall = picture.size
    box = (left * wide, top * tall, (left + share) * wide, (top + share) * tall)
    return picture.resize(picture.size, Image.Resampling.BILINEAR, box)


def shaken(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    """The same moment by a hand that is not steady."""
    turned = picture.rotate(rng.uniform(-2, 2), Image.Resampling.BILINEAR)
    lit = ImageEnhance.Brightness(turned).enhance(1 + rng.uniform(-0.06, 0.06))
    return part(lit, *rng.uniform(0, 0.06, 2), 0.94)


def shots(
    picture: Image.Image, other: Image.Image, rng: np.random.Generator
) -> dict[str, tuple[Image.Image, Image.Image]]:
    """Two shots of one moment, by what happened between them."""
    steady = part(picture, 0.03, 0.03, 0.94)
    small = other.resize((picture.width // 4, picture.height // 4))
    crossed = [part(picture, 0, 0, 0.9), shaken(picture, rng)]
    for shot in crossed:
        place = (int(rng.uniform(0, 0.75) * shot.width), int(rng.uniform(0, 0.75) * shot.height))
        shot.paste(small, place)
    return {
        "shaken": (steady, shaken(picture, rng)),
        "turned by a tenth": (part(picture, 0, 0.05, 0.9), part(picture, 0.09, 0.05, 0.9)),
        "nearer by a tenth": (picture, part(picture, 0.05, 0.05, 0.9)),
        "shaken, and crossed": (crossed[0], crossed[1]),
    }


def bursts(pictures: list[Image.Image]) -> None:
    """Print which shares lie within which difference."""
    rng = np.random.default_rng(0)
    marks = (6, 12, 18, 24, 30, 36, 42)
    pairs = [shots(one, pictures[at - 1], rng) for at, one in enumerate(pictures)]
    print(f"{'within':<24}" + "".join(f"{mark:>8}" for mark in marks))

    def told(name: str, apart: np.ndarray) -> None:
        print(f"{name:<24}" + "".join(f"{(apart <= mark).mean():8.3f}" for mark in marks))

    for name in pairs[0]:
        left, right = (seen([pair[name][side] for pair in pairs]) for side in (0, 1))
        told(name, likeness(left, right, "difference"))
    own = seen(pictures)
    every = [likeness(own[at + 1 :], own[at], "difference") for at in range(len(own) - 1)]
    told("two different pictures", np.concatenate(every))


def quantiles(values: np.ndarray) -> str:
    """The lowest, the 1st, 5th, 50th, 95th and 99th hundredth."""
    marks = np.quantile(values, [0, 0.01, 0.05, 0.5, 0.95, 0.99])
    return "".join(f"{mark:8.3f}" for mark in marks)


def main() -> None:
    """Print the quantiles of copies and of neighbours."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--bursts", action="store_true")
    asked = parser.parse_args()
    files = [item.path for item in walk(asked.folder) if isinstance(item, FoundFile)]
    chosen = np.random.default_rng(0).permutation(len(files))[: asked.sample]
    if asked.bursts:
        bursts([open_picture(files[number], side=256) for number in chosen])
        return
    encoder = load_encoder(asked.encoder)
    pictures = [open_picture(files[number], side=encoder.size) for number in chosen]
    copies = {name: [copy(picture) for picture in pictures] for name, copy in COPIES.items()}
    for title, encode in (("difference of looks", seen), ("cosine of vectors", encoder.images)):
        own = encode(pictures)
        print(f"{title:<24}{'min':>8}{'1 %':>8}{'5 %':>8}{'50 %':>8}{'95 %':>8}{'99 %':>8}")
        for name, altered in copies.items():
            print(f"{name:<24}{quantiles(likeness(own, encode(altered), title))}")
        others = np.array([nearest(own, row, title) for row in range(len(own))])
        print(f"{'the nearest other':<24}{quantiles(others)}")


def seen(pictures: list[Image.Image]) -> np.ndarray:
    """The tiny copies, of 255."""
    return np.stack([tiny_copy(picture) for picture in pictures]) * 255


def likeness(left: np.ndarray, right: np.ndarray, title: str) -> np.ndarray:
    """Row by row: root mean square difference, or cosine."""
    if title.startswith("difference"):
        return np.sqrt(np.square(left - right).mean(axis=1))
    return (left * right).sum(axis=1)


def nearest(rows: np.ndarray, row: int, title: str) -> float:
    """How near the nearest other row is."""
    others = likeness(np.delete(rows, row, axis=0), rows[row], title)
    return float(others.min() if title.startswith("difference") else others.max())


if __name__ == "__main__":
    main()
