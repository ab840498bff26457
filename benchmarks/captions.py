"""How many captions does an encoder of one's own take, what does it cost, and what does it lose?

    python benchmarks/captions.py --world WORLD [--counts 100 300 1000 3000 9800]
    python benchmarks/captions.py --stamps STAMPS [--seeds 3]    # cut-out photographs (see held_in.py)

With a tableaux world: trains on so many of its training scenes and prints how often a caption of
the val split finds its picture, and what the training took of the processor.

With stamps: a folder of 1,000 composites of cut-out photographs in ten kinds, with captions such as
"a bird", on coloured grounds and, as a shop shows its goods, on white. A quarter of the cut-outs, others
with each seed, are kept out of the training, and the precision of the first ten by words is measured
among composites of those alone, before and after. Beside it stands what became of what the base knew:
how often a cut-out photograph is found by the name its maker gave it, by both halves of the mixture and
by each alone. Times are of the processor, so that other work does not count; two cores take half of it.
"""

import argparse
import csv
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from held_in import photographs as cutouts
from held_in import shown
from numpy.typing import NDArray
from PIL import Image

from circlet.core import PictureEncoder, Vectors
from circlet.data.captions import own_captions, read_captions
from circlet.data.tableaux.tasks.sayings import TableauxCaptions
from circlet.images import open_picture
from circlet.models import load_encoder
from circlet.models.joint.encoder import Joint
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
            began = time.process_time()
            place = Path(out) / "encoder"
            trained = train_encoder(train, checked, base, place, recipe_for(len(train.captions.files)))
            took = time.process_time() - began
            if count == counts[0]:
                print(f"{0:>9} {0:>8}  {trained.before}")
        print(f"{count:>9} {took:>8.0f}  {trained.after}", flush=True)


Found = tuple[float, float, float]


def _known(encoder: PictureEncoder, rows: Vectors, names: Sequence[str]) -> Found:
    """The share of cut-outs' names that have one of this name among their first ten.

    By the whole vector; and where there are halves, by what the base knew and by what was learned.
    """
    asked = sorted(set(names))
    words = encoder.texts(asked)
    half = getattr(encoder, "learned_from", words.shape[1])

    def found(part: slice) -> float:
        best = (-(words[:, part] @ rows[:, part].T)).argsort(axis=1, kind="stable")[:, :10]
        return float(np.mean((np.array(names)[best] == np.array(asked)[:, None]).any(axis=1)))

    return found(slice(None)), found(slice(half)), found(slice(half, None))


def composites(stamps: Path, folder: Path, seed: int, white: bool) -> None:
    """A thousand cut-outs on grounds of one colour; captions.csv says what each is and its split."""
    rng = random.Random(seed)
    cut: list[tuple[str, Path, str]] = []
    for caption, place in KINDS.items():
        files = sorted(file for file in stamps.rglob("*.png") if file.parent.as_posix().endswith(place))
        if not files:
            sys.exit(f"{stamps} has no {place}: name the folder of Tux Paint's stamps")
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
            _composite(source, rng, white).save(folder / f"{number:04d}.jpg", quality=90)


def _composite(source: Path, rng: random.Random, white: bool) -> Image.Image:
    """Turned, scaled and moved on a ground of any light colour; or upright in the middle, on white."""
    thing = Image.open(source).convert("RGBA")
    colour = (255,) * 3 if white else tuple(rng.randrange(90, 256) for _ in range(3))
    ground = Image.new("RGB", (SIDE, SIDE), colour)
    if not white:
        thing = thing.rotate(rng.randrange(-20, 21), expand=True)
    thing.thumbnail((rng.randrange(150 if white else 110, SIDE),) * 2)
    if rng.random() < 0.5:
        thing = thing.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    free = [SIDE - side for side in thing.size]
    ground.paste(thing, tuple(room // 2 if white else rng.randrange(room + 1) for room in free), thing)
    return ground


def photographs(stamps: Path, seeds: int) -> None:
    """Print the precision of the first ten by words, before and after, and what was kept, for each seed."""
    files = list(cutouts(stamps).values())
    names = [shown(file) for file in files]
    cut = [open_picture(file, side=256) for file in files]
    seen: dict[str, Vectors] = {}
    print(
        "seed ground    pictures  seconds  precision before  after  own names before  after  (base, learned)"
    )
    for seed in range(seeds):
        for white in (False, True):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place) / "shop"
                folder.mkdir()
                composites(stamps, folder, seed, white)
                found, _ = read_captions(folder)
                base = load_encoder(base_for(len(own_captions(found, "shop", "train").files)))
                sets = [
                    open_set(own_captions(found, "shop", split), base)[0]
                    for split in ("train", "val", "test")
                ]
                count = len(sets[0].captions.files)
                began = time.process_time()
                out = Path(place) / "encoder"
                train_encoder(sets[0], sets[1], base, out, recipe_for(count))
                took = time.process_time() - began
                trained = load_encoder(str(out))
                assert isinstance(trained, Joint)
                if base.name not in seen:
                    seen[base.name] = base.images(cut)
                labels = np.array(
                    [one.text for one in (sets[2].captions.whole(id) for id in sets[2].captions.files)]
                )
                before = _precision(base, sets[2].vectors, labels)
                after = _precision(trained, trained.over(sets[2].vectors), labels)
                knew = _known(base, seen[base.name], names)[0]
                knows = _known(trained, trained.over(seen[base.name]), names)
            print(
                f"{seed:>4} {'white' if white else 'coloured':<9} {count:>8} {took:>8.0f} {before:>17.2f} "
                f"{after:>6.2f} {knew:>17.2f} {knows[0]:>6.2f}  ({knows[1]:.2f}, {knows[2]:.2f})",
                flush=True,
            )


def _precision(encoder: PictureEncoder, rows: Vectors, labels: NDArray[np.str_]) -> float:
    """The share of the right kind among the first ten pictures that each kind's words find."""
    best = (-(encoder.texts(list(KINDS)) @ rows.T)).argsort(axis=1, kind="stable")[:, :10]
    return float(np.mean(labels[best] == np.array(list(KINDS))[:, None]))


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", type=Path)
    parser.add_argument("--stamps", type=Path)
    parser.add_argument("--counts", type=int, nargs="*", default=[100, 300, 1000, 3000, 9800])
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    if asked.world:
        curve(asked.world, asked.counts)
    if asked.stamps:
        photographs(asked.stamps, asked.seeds)


if __name__ == "__main__":
    main()
