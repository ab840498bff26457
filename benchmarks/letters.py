"""Is writing in pictures found by its words, and what does reading cost? On signs that are drawn here.

    python benchmarks/letters.py [--signs 40] [--seed 0]

Each sign says one or two words, in a size of 16 to 72 pixels, turned by up to ten degrees, on a picture of
800 × 600 with the detail of a photograph. It is asked for by its own words, which should be found in it,
and by the words of the next one, which should not.
"""

import argparse
import random
import time

from photographs import photograph
from PIL import Image, ImageDraw, ImageFont

from circlet.models.scorers.clauses import Clause
from circlet.models.scorers.seen import likely_written
from circlet.models.seeing.watchers import WAYS

WORDS = [
    "open", "closed", "bakery", "museum", "exit", "station", "platform", "hotel", "parking", "danger",
    "school",
    "market", "garden", "library", "cafe", "pharmacy", "welcome", "private", "street", "bridge", "harbour",
    "airport", "ticket", "police", "hospital", "theatre", "cinema", "no", "entry",
]  # fmt: skip
SIZES = (16, 24, 36, 72)


def sign(words: str, size: int, draw: random.Random) -> Image.Image:
    """Words on a plate, a little turned, on something like a photograph."""
    ground = photograph(draw.randrange(20), (800, 600))
    font = ImageFont.load_default(size)
    left, top, right, bottom = font.getbbox(words)
    plate = Image.new("RGBA", (int(right - left) + size, int(bottom - top) + size), draw.choice(
        ["#1d4f9c", "#f2f2ee", "#b3261e", "#1b6e3c"]
    ))  # fmt: skip
    light = sum(plate.getpixel((0, 0))[:3]) > 380  # type: ignore[index]
    ImageDraw.Draw(plate).text((size / 2 - left, size / 2 - top), words, "#111" if light else "#fff", font)
    turned = plate.rotate(draw.uniform(-10, 10), expand=True, resample=Image.Resampling.BICUBIC)
    place = draw.randrange(max(1, 800 - turned.width)), draw.randrange(max(1, 600 - turned.height))
    ground.paste(turned, place, turned)
    return ground


def main() -> None:
    """Draw, read, ask."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--signs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    draw, reader = random.Random(asked.seed), WAYS["text"].load()
    said = [" ".join(draw.sample(WORDS, draw.choice((1, 2)))) for _ in range(asked.signs)]
    found: dict[int, list[bool]] = {size: [] for size in SIZES}
    wrong, spent = 0, 0.0
    for number, words in enumerate(said):
        size = SIZES[number % len(SIZES)]
        picture = sign(words, size, draw)
        began = time.perf_counter()
        mark = reader.look(picture)
        spent += time.perf_counter() - began
        found[size].append(likely_written(Clause("written", words), mark) >= 0.5)
        other = said[(number + 1) % len(said)]
        wrong += not set(other.split()) & set(words.split()) and (
            likely_written(Clause("written", other), mark) >= 0.5
        )
    for size, hits in found.items():
        print(f"letters of {size} pixels: {sum(hits)} of {len(hits)} signs found by their words")
    print(f"taken for another's words: {wrong} of {len(said)}; {1000 * spent / len(said):.0f} ms a picture")


if __name__ == "__main__":
    main()
