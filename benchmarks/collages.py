"""Does "without the B" put pictures without a B first? Two cut-out photographs side by side.

    apt-get download tuxpaint-stamps-default && dpkg -x tuxpaint-stamps-default_*.deb stamps
    python benchmarks/collages.py stamps [--method NAME ...]

For 60 pairs of things that the encoder knows by name, six pictures show A alone and six A with B, in
other places, sizes and on other grounds each time. A seventh collage of both is the reference, and the
text takes B away in one of several wordings. All pictures are in one gallery; mean average precision is
taken among the twelve of the pair. 0.5 is chance, near enough.
"""

import argparse
import random
from itertools import combinations
from pathlib import Path

import numpy as np
from held_in import THINGS, photographs, shown
from PIL import Image

from circlet.core import Gallery, PictureEncoder, Query, Turn
from circlet.models import load_encoder, load_method

SIDE, EACH, PAIRS = 256, 6, 60
WORDINGS = ("without the {}", "no {}", "remove the {}", "the {} is gone", "take the {} away")


def collage(files: list[Path], rng: random.Random) -> Image.Image:
    """One or two cut-outs in the halves of a plain ground, where and how large by chance."""
    scene = Image.new("RGB", (SIDE, SIDE), tuple(rng.randrange(150, 256) for _ in range(3)))
    halves = rng.sample((0, SIDE // 2), 2)
    for left, file in zip(halves, files, strict=False):
        thing = Image.open(file).convert("RGBA")
        thing.thumbnail((rng.randrange(90, SIDE // 2),) * 2)
        at = (left + rng.randrange(SIDE // 2 - thing.width + 1), rng.randrange(SIDE - thing.height + 1))
        scene.paste(thing, at, thing)
    return scene


def average_precision(right: np.ndarray) -> float:
    """Of a ranked list of right and wrong ones."""
    return float((np.cumsum(right) / np.arange(1, len(right) + 1))[right].mean())


def main() -> None:
    """Print one line for each method."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stamps", type=Path)
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--method", action="append", default=[])
    asked = parser.parse_args()
    encoder = load_encoder(asked.encoder)
    rng = random.Random(0)
    files = {name: file for name in THINGS for file in _named(asked.stamps, name)}
    pairs = rng.sample(list(combinations(_known(files, encoder), 2)), PAIRS)
    pictures: dict[str, Image.Image] = {}
    queries, pools = [], []
    for number, (a, b) in enumerate(pairs):
        alone = [f"{number} alone {at}" for at in range(EACH)]
        both = [f"{number} both {at}" for at in range(EACH + 1)]
        pictures |= {id: collage([files[a]], rng) for id in alone}
        pictures |= {id: collage([files[a], files[b]], rng) for id in both}
        text = rng.choice(WORDINGS).format(b)
        queries.append(Query(str(number), (Turn(picture=both[-1], text=text),)))
        pools.append([*alone, *both[:-1]])
    gallery = Gallery(list(pictures), encoder.images(list(pictures.values())), encoder.fingerprint)
    for name in (*asked.method, "image", "sum", "edits", "default"):
        scores = load_method(name, encoder).score_all(queries, gallery)
        found = []
        for row, pool in zip(scores, pools, strict=True):
            order = np.argsort(-row[gallery.rows_of(pool)], kind="stable")
            found.append(average_precision(order < EACH))
        print(f"{name:10} mean average precision {np.mean(found):.3f} over {len(found)} pairs")


def _known(files: dict[str, Path], encoder: PictureEncoder) -> list[str]:
    """The things whose cut-out on white the encoder calls by its name rather than by another's."""
    names = list(files)
    pictures = [collage([file], random.Random(1)) for file in files.values()]
    nearest = (encoder.images(pictures) @ encoder.texts(names).T).argmax(axis=1)
    return [name for at, name in enumerate(names) if nearest[at] == at]


def _named(stamps: Path, name: str) -> list[Path]:
    """The first cut-out whose own words end in this name."""
    files = [file for file in photographs(stamps).values() if shown(file).endswith(name)]
    return files[:1]


if __name__ == "__main__":
    main()
