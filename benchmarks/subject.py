"""Does "like this, but in the snow" keep the *this*? Kind kept, change seen, and both, in the first ten.

    apt-get download tuxpaint-stamps-default && dpkg -x tuxpaint-stamps-default_*.deb stamps
    python benchmarks/subject.py stamps [--split test] [--method NAME ...] [--grounds FOLDER]

Cut-out photographs of eleven kinds on grounds drawn here, in two galleries:

- circumstances: every cut-out on snow, grass, sand, water and at night; a picture with "in the snow";
- colours: every cut-out in six colours on a plain ground; a picture with "in red".

With `--grounds` a third gallery follows, on photographs of grounds that nothing was chosen on, and on more
of them: rocks, forest and mud. FOLDER holds the terrains of `extremetuxracer-data` and the templates of
`tuxpaint-data` (Debian packages, unpacked as above).

For each method the share of the first ten that shows the kind, the change, and both; beside it the
picture alone, the words alone, and the ceiling: the picture's own order through a perfect filter for the
change. Half of the cut-outs are val, on which things are chosen, the other half test. "Lift" says by
how many deviations the first ten score above the mean for the words: 0 where words change nothing.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageFilter, ImageOps

from circlet.core import Gallery, PictureEncoder, Query, Turn
from circlet.models import load_encoder, load_method

SIDE = 224
KINDS = {
    "bird": ("animals/birds",),
    "hoofed": ("animals/mammals/bovines", "animals/mammals/equines", "animals/mammals/deer"),
    "rodent": ("animals/mammals/rodents",),
    "insect": ("animals/insects",),
    "fish": ("animals/fish", "animals/mammals/aquatic"),
    "fruit": ("food/fruit",),
    "vegetable": ("food/vegetables",),
    "flower": ("plants/flowers",),
    "tool": ("household/tools",),
    "clothing": ("clothes", "clothes/hats"),
    "instrument": ("hobbies/music/string",),
}
# What is asked, and the two colours that the ground is mottled with.
GROUNDS = {
    "in the snow": ((250, 252, 255), (205, 218, 235)),
    "on the grass": ((70, 140, 45), (30, 85, 25)),
    "on a beach": ((235, 215, 165), (205, 180, 125)),
    "in the water": ((60, 130, 190), (25, 75, 140)),
    "at night": ((14, 16, 34), (30, 34, 60)),
}
# The same and more of them in photographs, by the files' names, and what may be above them.
PHOTOGRAPHED = {
    "in the snow": ("snow", "snow01", "snow02", "snow03", "snowy_ice"),
    "on the grass": ("grass01", "grass02", "grass03"),
    "on a beach": ("sand01",),
    "in the water": ("ocean_waves", "ocean_splash"),
    "at night": ("grass02", "pave01", "rock07", "sand01", "snow01"),
    "on the rocks": ("rock06", "rock07", "pebbles01", "rocks"),
    "in the forest": ("mossy_log", "redwoods_above", "trees_above", "sun_behind_leaves"),
    "in the mud": ("mud01", "dirt01"),
}
SKIES = ("sun_behind_clouds", "lighthouse", "cliff")
COLOURS = {
    "red": (205, 30, 35),
    "blue": (40, 75, 195),
    "green": (45, 150, 55),
    "yellow": (240, 210, 45),
    "purple": (120, 55, 160),
    "black": (30, 30, 32),
}


class Shown(NamedTuple):
    """One picture: its kind, the change that it shows, and the cut-out in it."""

    kind: str
    change: str
    file: Path


def cutouts(stamps: Path, split: str) -> Iterator[tuple[str, Path]]:
    """The cut-outs of a split with their kinds: every other one of each folder."""
    root = next(place for place in (stamps, *stamps.rglob("stamps")) if (place / "animals").is_dir())
    for kind, folders in KINDS.items():
        for folder in folders:
            files = [file for file in sorted((root / folder).glob("*.png")) if "mirror" not in file.stem]
            yield from ((kind, file) for file in files[split == "test" :: 2])


def mottled(rng: np.random.Generator, light: tuple[int, ...], dark: tuple[int, ...]) -> Image.Image:
    """A ground between two colours, coarse and fine."""
    coarse, fine = rng.random((7, 7)), rng.random((SIDE, SIDE))
    wide = Image.fromarray((coarse * 255).astype(np.uint8)).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
    share = (0.7 * np.asarray(wide) / 255 + 0.3 * fine)[..., None]
    pixels = share * np.array(light) + (1 - share) * np.array(dark)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.8))


def placed(file: Path, ground: Image.Image, rng: random.Random, tint: tuple[int, ...] = ()) -> Image.Image:
    """A cut-out somewhere on a ground, turned and scaled a little; with a tint in that colour."""
    thing = Image.open(file).convert("RGBA").rotate(rng.randrange(-15, 16), expand=True)
    thing.thumbnail((rng.randrange(130, 200),) * 2)
    if tint:
        grey, alpha = ImageOps.autocontrast(thing.convert("L")), thing.getchannel("A")
        shade = tuple(min(255, value + 70) for value in tint)
        thing = ImageOps.colorize(grey, tuple(value // 3 for value in tint), shade, mid=tint).convert("RGBA")
        thing.putalpha(alpha)
    at = tuple(rng.randrange(SIDE - side + 1) for side in thing.size)
    ground.paste(thing, at, thing)
    return ground


def circumstances(stamps: Path, split: str) -> Iterator[tuple[Shown, Image.Image]]:
    """Every cut-out on every ground; at night everything is dark."""
    rng, noise = random.Random(1), np.random.default_rng(1)
    for kind, file in cutouts(stamps, split):
        for change, colours in GROUNDS.items():
            picture = placed(file, mottled(noise, *colours), rng)
            yield Shown(kind, change, file), _lit(picture, change)


def _lit(picture: Image.Image, change: str) -> Image.Image:
    return picture.point(lambda value: value // 3) if "night" in change else picture


def photographed(stamps: Path, split: str, grounds: Path) -> Iterator[tuple[Shown, Image.Image]]:
    """Every cut-out on a photograph of every ground, half of them under the sky."""
    rng = random.Random(5)
    files = {file.stem: file for file in sorted(grounds.rglob("*.*"))}
    for kind, file in cutouts(stamps, split):
        for change, names in PHOTOGRAPHED.items():
            ground = cropped(Image.open(files[rng.choice(names)]), (SIDE, SIDE), rng)
            if change != "in the forest" and rng.random() < 0.5:
                sky = Image.open(files[rng.choice(SKIES)])
                horizon = rng.randrange(SIDE // 8, SIDE // 2)
                ground.paste(cropped(sky.crop((0, 0, sky.width, sky.height // 3)), (SIDE, horizon), rng))
            yield Shown(kind, change, file), _lit(placed(file, ground, rng), change)


def cropped(picture: Image.Image, size: tuple[int, int], rng: random.Random) -> Image.Image:
    """A part of a picture at this size, from half of its width on."""
    width = int(min(picture.width, picture.height * size[0] / size[1]) * rng.uniform(0.5, 1))
    height = width * size[1] // size[0]
    left, top = rng.randrange(picture.width - width + 1), rng.randrange(picture.height - height + 1)
    return picture.convert("RGB").resize(size, box=(left, top, left + width, top + height))


def colours(stamps: Path, split: str) -> Iterator[tuple[Shown, Image.Image]]:
    """Every cut-out in every colour, on grounds between white and grey."""
    rng = random.Random(2)
    for kind, file in cutouts(stamps, split):
        for name, tint in COLOURS.items():
            ground = Image.new("RGB", (SIDE, SIDE), (rng.randrange(170, 256),) * 3)
            yield Shown(kind, f"in {name}", file), placed(file, ground, rng, tint)


class Subjects:
    """A gallery of such pictures, and what is asked of it."""

    def __init__(self, encoder: PictureEncoder, pictures: Iterator[tuple[Shown, Image.Image]]) -> None:
        drawn = list(pictures)
        self.encoder = encoder
        self.shown = [shown for shown, _ in drawn]
        self.ids = [str(number) for number in range(len(drawn))]
        self.gallery = Gallery(self.ids, encoder.images([one for _, one in drawn]), encoder.fingerprint)
        self.kinds = np.array([shown.kind for shown in self.shown])
        self.changes = np.array([shown.change for shown in self.shown])
        self.files = np.array([str(shown.file) for shown in self.shown])
        chance = random.Random(3)
        asked = [(row, chance.choice(sorted(set(self.changes)))) for row in range(len(drawn))]
        self.asked = [(row, change) for row, change in asked if self.changes[row] != change][:400]

    def queries(self, form: str = "both") -> list[Query]:
        """One query for each pair of picture and change."""
        return [
            Query(
                str(number),
                (
                    Turn(
                        picture=self.ids[row] if form != "words" else None,
                        text=change if form != "image" else "",
                    ),
                ),
            )
            for number, (row, change) in enumerate(self.asked)
        ]

    def scores(self, method: str, form: str = "both") -> np.ndarray:
        """One row per query, one column per picture; other pictures of the same cut-out are out."""
        made = load_method(method, self.encoder)
        scores = np.array(made.score_all(self.queries(form), self.gallery))
        for row, (reference, _) in zip(scores, self.asked, strict=True):
            row[self.files == self.files[reference]] = -np.inf
        return scores

    def report(self, name: str, scores: np.ndarray) -> None:
        """One line: kind kept, change seen, both, and the words' lift."""
        words = self.words
        figures = []
        for row, said, (reference, change) in zip(scores, words, self.asked, strict=True):
            top = np.argsort(-row, kind="stable")[:10]
            kept, seen = self.kinds[top] == self.kinds[reference], self.changes[top] == change
            figures.append((kept.mean(), seen.mean(), (kept & seen).mean(), said[top].mean()))
        kept, seen, both, lift = np.mean(figures, axis=0)
        print(f"  {name:<28} kind {kept:4.0%}  change {seen:4.0%}  both {both:4.0%}  lift {lift:5.2f}")

    @property
    def words(self) -> np.ndarray:
        """The words' scores in deviations from their mean."""
        rows = self.encoder.texts([change for _, change in self.asked]) @ self.gallery.vectors.T
        return (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("stamps", type=Path)
    parser.add_argument("--split", choices=["val", "test"], default="val")
    parser.add_argument("--grounds", type=Path)
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--method", action="append", default=[])
    asked = parser.parse_args()
    encoder = load_encoder(asked.encoder)
    galleries = {made.__name__: made(asked.stamps, asked.split) for made in (circumstances, colours)}
    if asked.grounds:
        galleries["photographed grounds"] = photographed(asked.stamps, asked.split, asked.grounds)
    for name, drawn in galleries.items():
        subjects = Subjects(encoder, drawn)
        print(f"{name}: {len(subjects.asked)} queries over {len(subjects.ids)} pictures")
        alone = subjects.scores("image", "image")
        subjects.report("the picture alone", alone)
        subjects.report("the words alone", subjects.scores("text", "words"))
        for method in (*asked.method, "sum", "default"):
            subjects.report(method, subjects.scores(method))
        filtered = [
            np.where(subjects.changes == change, row, -np.inf)
            for row, (_, change) in zip(alone, subjects.asked, strict=True)
        ]
        subjects.report("a perfect filter (ceiling)", np.stack(filtered))


if __name__ == "__main__":
    main()
