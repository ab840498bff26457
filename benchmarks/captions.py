"""How many captions does an encoder of one's own take, what does it cost, and what does it lose?

    python benchmarks/captions.py --world WORLD [--counts 100 300 1000 3000 9800]
    python benchmarks/captions.py --stamps STAMPS          # cut-out photographs (see held_in.py)

With a tableaux world: trains on so many of its training scenes and prints how often a caption of
the val split finds its picture, and how long the training took.

With stamps: a folder of 1,000 composites of cut-out photographs in ten kinds, with captions such as
"a bird". A quarter of the cut-outs are kept out of the training, and the precision of the first ten
by words is measured among composites of those alone, before and after. Beside it stands what became
of what the base knew: how often a cut-out photograph is found by the name its maker gave it.
"""

import argparse
import csv
import random
import tempfile
import time
from pathlib import Path

import numpy as np
from held_in import photographs as cutouts
from held_in import shown
from PIL import Image

from circlet.core import PictureEncoder
from circlet.data.captions import own_captions, read_captions
from circlet.data.tableaux.tasks.sayings import TableauxCaptions
from circlet.images import open_picture
from circlet.models import load_encoder
from circlet.train.encoder import base_for, open_set, recipe_for, train_encoder

KINDS = {
    "a bird": "animals/birds",
    "a piece of fruit": "food/fruit",
    "a flower": "plants/flowers",
    "a vegetable": "food/vegetables",
    "a hoofed animal": "animals/mammals/bovines",
    "a tool": "household/tools",
    "a fish": "animals/fish",
    "a piece of clothing": "clothes",
    "an insect": "animals/insects",
    "a musical instrument": "symbols/music",
}
COMPOSITES, SIDE = 1000, 224


def curve(world: Path, counts: list[int]) -> None:
    """Print one line for each number of captions."""
    print(f"{'captions':>9} {'seconds':>8}  caption to picture on val")
    for count in counts:
        base = load_encoder(base_for(count))
        checked, _ = open_set(TableauxCaptions(world, "val"), base)
        train, _ = open_set(TableauxCaptions(world, "train", count), base)
        with tempfile.TemporaryDirectory() as out:
            began = time.perf_counter()
            place = Path(out) / "encoder"
            trained = train_encoder(train, checked, base, place, recipe_for(len(train.captions.files)))
            took = time.perf_counter() - began
            if count == counts[0]:
                print(f"{0:>9} {0:>8}  {trained.before}")
        print(f"{count:>9} {took:>8.0f}  {trained.after}", flush=True)


def _known(encoder: PictureEncoder, stamps: Path) -> float:
    """The share of cut-outs' names that have a cut-out of this name among their first ten."""
    files = list(cutouts(stamps).values())
    names = np.array([shown(file) for file in files])
    asked = sorted(set(names))
    scores = encoder.texts(asked) @ encoder.images([open_picture(file, side=256) for file in files]).T
    best = (-scores).argsort(axis=1)[:, :10]
    return float(np.mean((names[best] == np.array(asked)[:, None]).any(axis=1)))


def composites(stamps: Path, folder: Path) -> None:
    """A thousand cut-outs on coloured grounds, turned and scaled; captions.csv says what and which split."""
    rng = random.Random(0)
    cut: list[tuple[str, Path, str]] = []
    for caption, place in KINDS.items():
        files = sorted(next(stamps.rglob(f"stamps/{place}")).glob("*.png"))
        files = [file for file in files if "mirror" not in file.stem]
        held = set(rng.sample(files, max(1, len(files) // 4)))
        cut += [(caption, file, "test" if file in held else "train") for file in files]
    with (folder / "captions.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["picture", "caption", "split"])
        for number in range(COMPOSITES):
            caption = list(KINDS)[number % len(KINDS)]
            _, source, split = rng.choice([one for one in cut if one[0] == caption])
            split = "val" if split == "train" and rng.random() < 0.1 else split
            table.writerow([f"{number:04d}.jpg", caption, split])
            _composite(source, rng).save(folder / f"{number:04d}.jpg", quality=90)


def _composite(source: Path, rng: random.Random) -> Image.Image:
    ground = Image.new("RGB", (SIDE, SIDE), tuple(rng.randrange(90, 256) for _ in range(3)))
    thing = Image.open(source).convert("RGBA").rotate(rng.randrange(-20, 21), expand=True)
    thing.thumbnail((rng.randrange(110, SIDE),) * 2)
    if rng.random() < 0.5:
        thing = thing.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    at = tuple(rng.randrange(SIDE - side + 1) for side in thing.size)
    ground.paste(thing, at, thing)
    return ground


def photographs(stamps: Path) -> None:
    """Print the precision of the first ten by words, before and after, and what encoding costs."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "shop"
        folder.mkdir()
        composites(stamps, folder)
        found, _ = read_captions(folder)
        base = load_encoder(base_for(len(own_captions(found, "shop", "train").files)))
        sets = [open_set(own_captions(found, "shop", split), base)[0] for split in ("train", "val")]
        began = time.perf_counter()
        count = len(sets[0].captions.files)
        out = Path(place) / "encoder"
        train_encoder(sets[0], sets[1], base, out, recipe_for(count))
        took = time.perf_counter() - began
        test = own_captions(found, "shop", "test")
        print(f"{count} composites, trained in {took:.0f} s; {len(test.files)} of cut-outs never seen:")
        labels = np.array([test.texts[id][0] for id in test.files])
        pictures = [open_picture(file, side=256) for file in test.files.values()]
        encoders = {"builtin": load_encoder("builtin"), "this encoder": load_encoder(str(out))}
        for name, encoder in encoders.items():
            began = time.perf_counter()
            rows = encoder.images(pictures)
            took = time.perf_counter() - began
            best = (-(encoder.texts(list(KINDS)) @ rows.T)).argsort(axis=1)[:, :10]
            right = np.mean(labels[best] == np.array(list(KINDS))[:, None])
            print(
                f"  {name:<14} precision of the first ten {right:.2f}; cut-outs found by their own names "
                f"{_known(encoder, stamps):.2f}; {len(labels) / took:.0f} pictures/s",
                flush=True,
            )


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", type=Path)
    parser.add_argument("--stamps", type=Path)
    parser.add_argument("--counts", type=int, nargs="*", default=[100, 300, 1000, 3000, 9800])
    asked = parser.parse_args()
    if asked.world:
        curve(asked.world, asked.counts)
    if asked.stamps:
        photographs(asked.stamps)


if __name__ == "__main__":
    main()
