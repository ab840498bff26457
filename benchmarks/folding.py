"""How alike copies of a picture are, and how alike different pictures: where folding should begin.

    python benchmarks/folding.py FOLDER [--sample 300] [--encoder builtin]

Makes copies as people have them (saved again at quality 60, at half the size, lightly brightened,
one hundredth cropped away), and prints the cosine of copy and original against that of each picture
and the most similar other one. `circlet.app.collection.NEAR` lies between the two.
"""

import argparse
import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance

from circlet.images import Found, open_picture, walk
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


def quantiles(values: np.ndarray) -> str:
    """The lowest, the 1st, 5th, 50th, 95th and 99th hundredth."""
    marks = np.quantile(values, [0, 0.01, 0.05, 0.5, 0.95, 0.99])
    return "  ".join(f"{mark:.4f}" for mark in marks)


def main() -> None:
    """Print the quantiles of copies and of neighbours."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--encoder", default="builtin")
    asked = parser.parse_args()
    encoder = load_encoder(asked.encoder)
    files = [item.path for item in walk(asked.folder) if isinstance(item, Found)]
    chosen = np.random.default_rng(0).permutation(len(files))[: asked.sample]
    pictures = [open_picture(files[number], side=encoder.size) for number in chosen]
    own = encoder.images(pictures)
    print(f"{'cosine of a picture to':<28}  min     1 %     5 %     50 %    95 %    99 %")
    for name, copy in COPIES.items():
        copies = encoder.images([copy(picture) for picture in pictures])
        print(f"{name:<28}  {quantiles((own * copies).sum(axis=1))}")
    likeness = own @ own.T
    np.fill_diagonal(likeness, -1)
    print(f"{'the most similar other':<28}  {quantiles(likeness.max(axis=1))}")


if __name__ == "__main__":
    main()
