"""A sheet to look at: what a frame reader makes of descriptions, fact by fact, in each of ten pictures.

    python benchmarks/reader_sheet.py ROOT READER OUT.jpg [--split test] [--sets 4] [--seed 0]

ROOT is a tableaux set, READER the folder of `circlet train frames`. Under every picture stands how well each
fact holds in it; the one that is meant has a green frame, the one that was picked a thick bar below.
docs/context.md shows such a sheet.
"""

import argparse
import random
import textwrap
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from circlet.core import Benchmark, Case
from circlet.data import load_benchmark
from circlet.models import load_encoder
from circlet.models.features import Features, FeatureStore
from circlet.models.frames.frame_folder import load_frames
from circlet.models.frames.frame_reader import FrameReader

FONT = ImageFont.load_default(13)
SIDE, LINE, NAMES = 104, 17, 250
MEANT, PICKED = (22, 128, 60), (40, 60, 120)


def row(bench: Benchmark, case: Case, reader: FrameReader, features: Features) -> Image.Image:
    """One description: its ten pictures, and under each how well every fact holds."""
    ten = features.subset(case.subset, in_time=case.in_time)
    checks = reader.check(case.query, case.subset, features, in_time=case.in_time)
    picked = int(reader.scores([case.query], ten, pictures=features)[0].argmax())
    meant = case.subset.index(str(case.target))
    said = textwrap.wrap(f"“{case.query.last.text}”", 150)
    height = LINE * len(said) + SIDE + 10 + LINE * len(checks.clauses) + 16
    sheet = Image.new("RGB", (NAMES + (SIDE + 4) * len(case.subset), height), "white")
    draw = ImageDraw.Draw(sheet)
    draw.text((2, 0), "\n".join(said), fill="black", font=FONT)
    top = LINE * len(said) + 4
    for at, id in enumerate(case.subset):
        left = NAMES + at * (SIDE + 4)
        sheet.paste(Image.open(bench.images[id]).resize((SIDE, SIDE)), (left, top))
        if at == meant:
            draw.rectangle((left - 2, top - 2, left + SIDE + 1, top + SIDE + 1), outline=MEANT, width=4)
        for number, held in enumerate(checks.probabilities[:, at]):
            below = top + SIDE + 6 + LINE * number
            if np.isnan(held):
                draw.text((left + 34, below), "–", fill="grey", font=FONT)
                continue
            shade = round(255 - 150 * float(held))
            draw.rectangle(
                (left, below, left + SIDE, below + LINE - 3), fill=(shade, 255 - (255 - shade) // 5, shade)
            )
            draw.text((left + 38, below - 1), f"{held:.2f}", fill="black", font=FONT)
        if at == picked:
            draw.rectangle((left, height - 14, left + SIDE, height - 8), fill=PICKED)
    for number, clause in enumerate(checks.clauses):
        draw.text((2, top + SIDE + 5 + LINE * number), str(clause).replace("×", "x"), fill="black", font=FONT)
    return sheet


def main() -> None:
    """Draw the sheet."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("root")
    asked.add_argument("reader", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--split", default="test")
    asked.add_argument("--sets", type=int, default=4)
    asked.add_argument("--seed", type=int, default=0)
    said = asked.parse_args()
    bench = load_benchmark(f"tableaux:frames:{said.root}:{said.split}")
    films = [case for case in bench.cases if case.in_time]
    cases = random.Random(said.seed).sample(films, said.sets)
    encoder = load_encoder("builtin")
    reader = load_frames(said.reader, encoder)
    files = {id: bench.images[id] for case in cases for id in case.subset}
    features, _ = FeatureStore().features(files, encoder)
    rows = [row(bench, case, reader, features) for case in cases]
    sheet = Image.new("RGB", (rows[0].width, sum(one.height for one in rows)), "white")
    top = 0
    for one in rows:
        sheet.paste(one, (0, top))
        top += one.height
    sheet.save(said.out, quality=84)
    print(said.out, sheet.size)


if __name__ == "__main__":
    main()
