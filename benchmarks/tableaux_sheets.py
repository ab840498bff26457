"""Sheets to look at: scenes, pairs with their texts, aspects and films of a tableaux set.

    python benchmarks/tableaux_sheets.py ROOT OUT [--split test] [--pairs 18] [--seed 0]

Writes OUT/scenes.jpg, OUT/pairs.jpg (reference, target, then the rest of the subset), OUT/aspects.jpg
(reference, target, hard negative) and OUT/films.jpg. docs/tableaux.md shows such sheets, and whoever
counts wrong pairs counts them on these.
"""

import argparse
import random
import textwrap
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from circlet.core import Benchmark, Query
from circlet.data import load_benchmark

FONT = ImageFont.load_default(12)


def strip(bench: Benchmark, ids: list[str], side: int, text: str, width: int) -> Image.Image:
    """Pictures in a row, words below."""
    lines = textwrap.wrap(text, max(20, width // 6)) or [""]
    sheet = Image.new("RGB", (width, side + 6 + 15 * len(lines)), "white")
    for place, id in enumerate(ids):
        sheet.paste(Image.open(bench.images[id]).resize((side, side)), (place * (side + 2), 0))
    ImageDraw.Draw(sheet).text((1, side + 2), "\n".join(lines), fill="black", font=FONT)
    return sheet


def stacked(strips: list[Image.Image], columns: int) -> Image.Image:
    """Strips in columns."""
    rows = [strips[start : start + columns] for start in range(0, len(strips), columns)]
    heights = [max(each.height for each in row) for row in rows]
    sheet = Image.new("RGB", (columns * (strips[0].width + 12), sum(heights)), "white")
    top = 0
    for row, height in zip(rows, heights, strict=True):
        for place, each in enumerate(row):
            sheet.paste(each, (place * (strips[0].width + 12), top))
        top += height
    return sheet


def pair(bench: Benchmark, query: Query, number: int) -> Image.Image:
    """A pair at full size, with the rest of its subset beside it."""
    target, reference = bench.case(query.id).truths[0], str(query.last.picture)
    sheet = strip(bench, [reference, target], 168, f"{number}. {query.last.text}", 168 * 3)
    others = [id for id in bench.case(query.id).subset if id not in (target, reference)]
    for place, id in enumerate(others):
        small = Image.open(bench.images[id]).resize((82, 82))
        sheet.paste(small, (342 + place % 2 * 83, place // 2 * 83))
    return sheet


def meant(bench: Benchmark, query: Query) -> str:
    """What is said, and of which of the ten."""
    case = bench.case(query.id)
    return f"{case.aspects[0]}, number {case.subset.index(case.truths[0]) + 1} of ten: {query.last.text}"


def main() -> None:
    """Draw the sheets."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("root")
    asked.add_argument("out", type=Path)
    asked.add_argument("--split", default="test")
    asked.add_argument("--pairs", type=int, default=18)
    asked.add_argument("--seed", type=int, default=0)
    said = asked.parse_args()
    rng = random.Random(said.seed)
    said.out.mkdir(parents=True, exist_ok=True)
    cir, aspects, frames = (
        load_benchmark(f"tableaux:{kind}:{said.root}:{said.split}") for kind in ("cir", "aspects", "frames")
    )
    ids = rng.sample(cir.galleries[""], min(24, len(cir.galleries[""])))
    scenes = [Image.open(cir.images[id]).resize((140, 140)) for id in ids]
    sheets = {
        "scenes": stacked(scenes, 8),
        "pairs": stacked(
            [pair(cir, query, n) for n, query in enumerate(rng.sample(cir.queries, said.pairs), start=1)], 2
        ),
        "aspects": stacked(
            [
                strip(
                    aspects,
                    [
                        str(query.last.picture),
                        *aspects.case(query.id).truths,
                        *aspects.case(query.id).negatives,
                    ],
                    140,
                    f"{aspects.case(query.id).aspects[0]}: {query.last.text}",
                    426,
                )
                for name in sorted({case.aspects[0] for case in aspects.cases})
                for query in [next(q for q in aspects.queries if aspects.case(q.id).aspects == (name,))]
            ],
            2,
        ),
        "films": stacked(
            [
                strip(frames, list(frames.case(query.id).subset), 92, meant(frames, query), 940)
                for query in rng.sample(frames.queries, min(6, len(frames.queries)))
            ],
            1,
        ),
    }
    for name, sheet in sheets.items():
        sheet.save(said.out / f"{name}.jpg", quality=82)
        print(said.out / f"{name}.jpg", sheet.size)


if __name__ == "__main__":
    main()
