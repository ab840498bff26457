"""The pictures of the README and of docs/gallery.md: real searches over drawn scenes, results as they came.

    python benchmarks/gallery.py [--out docs]

Draws 172 scenes of the tableaux world (eight things in up to six places, by day and by night, alone and
three of them), indexes them with the built-in encoder in a home of their own, and asks the searches below.
Whatever comes first is shown, right or wrong. Two runs write the same bytes.
"""

import argparse
import itertools
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import circlet
from circlet.collection import Results
from circlet.data.tableaux import Scene, Thing, render

THINGS = (
    "brown dog", "white horse", "red car", "blue bus", "green tractor", "grey cat", "red bicycle",
    "yellow taxi",
)  # fmt: skip
PLACES = ("beach", "street", "snowfield", "meadow", "desert", "forest")
# Each is a list of turns; a turn is a picture (or none) with words, or the number of a result that is liked.
SEARCHES = (
    [("1-car-beach-day", "at night")],
    [("1-dog-beach-day", "in the snow")],
    [("1-dog-beach-day", "in the snow"), 1, (None, "at night")],
    [(None, "a bus on a beach")],
    [("1-dog-meadow-day", "three of them")],
    [("1-car-street-day", "in the snow, at night")],
    [("1-horse-meadow-day", "a dog instead of the horse")],
)
ON_FRONT = 3
SIDE, GAP, ROW, WIDTH, SHOWN = 148, 12, 40, 1028, 5
INK, SOFT, PAPER = "#26221d", "#6f685e", "#f6f3ee"


def draw(folder: Path) -> None:
    """The scenes as files, named by what they show; what cannot stand somewhere is left out."""
    folder.mkdir(parents=True)
    for thing, place, time, count in itertools.product(THINGS, PLACES, ("day", "night"), (1, 3)):
        colour, kind = thing.split()
        scene = _scene(colour, kind, place, time, count)
        if scene is not None:
            render(scene, 2 * SIDE).save(folder / f"{count}-{kind}-{place}-{time}.png")


def _scene(colour: str, kind: str, place: str, time: str, count: int) -> Scene | None:
    for given in ({"colour": colour}, {}):
        for faces in ({"facing": "left"}, {}):
            thing = Thing(kind=kind, count=count, **given, **faces)
            scene = Scene(setting=place, time=time, things=(thing,))
            if not scene.faults():
                return scene
    return None


def asked(pictures: circlet.Collection, turns: list[object]) -> circlet.Session:
    """The search as a session."""
    session = pictures.session(top=SHOWN)
    for turn in turns:
        if isinstance(turn, int):
            session = session.like(turn)
        elif isinstance(turn, tuple):
            name, words = turn
            session = session.say(words, picture=pictures.folder / f"{name}.png" if name else None)
    return session


def row(results: Results) -> Image.Image:
    """One search: what was asked on the left, what came first on the right."""
    sheet = Image.new("RGB", (WIDTH, ROW + SIDE + GAP), PAPER)
    pen = ImageDraw.Draw(sheet)
    said = "  then  ".join(_words(str(turn.text), bool(turn.liked)) for turn in results.query.turns)
    pen.text((GAP, 8), said, fill=INK, font=ImageFont.load_default(22))
    left = GAP
    if reference := results.query.turns[0].picture:
        sheet.paste(_small(reference), (left, ROW))
    left += SIDE + GAP
    middle = ROW + SIDE // 2
    pen.line((left, middle, left + 34, middle), fill=SOFT, width=3)
    pen.polygon([(left + 30, middle - 8), (left + 30, middle + 8), (left + 42, middle)], fill=SOFT)
    left += 56
    for hit in results.hits:
        sheet.paste(_small(hit.path), (left, ROW))
        left += SIDE + GAP
    return sheet


def _words(text: str, liked: bool) -> str:
    return f"“{text}”" if text else "more like the first" if liked else "this picture"


def _small(path: str) -> Image.Image:
    return Image.open(path).convert("RGB").resize((SIDE, SIDE))


def main() -> None:
    """Draw, index, search, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "scenes"
        draw(folder)
        pictures = circlet.open(folder, home=Path(place) / "home")
        print(pictures.index())
        rows = [row(asked(pictures, list(turns)).results) for turns in SEARCHES]
    target = told.out / "pictures"
    target.mkdir(parents=True, exist_ok=True)
    front = Image.new("RGB", (WIDTH, sum(one.height for one in rows[:ON_FRONT])), PAPER)
    for number, one in enumerate(rows[:ON_FRONT]):
        front.paste(one, (0, number * one.height))
    front.save(target / "searches.webp", quality=85, method=6)
    for number, one in enumerate(rows, start=1):
        one.save(target / f"search-{number}.webp", quality=85, method=6)
    print(f"{len(rows)} searches in {target}")


if __name__ == "__main__":
    main()
