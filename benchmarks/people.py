"""Are people counted right, and what does it cost? On photographs whose truth was counted by eye.

    python benchmarks/people.py FOLDER [STAMPS]

FOLDER holds, anywhere in it, photographs that come with packages (unpack what you have of them): the tests of
face_recognition 1.3.0, insightface 2.1, ultralytics 8.4, @vladmandic/face-api 1.7 (npm), scikit-image 0.26
and scikit-learn 1.9. For each that is there it prints how many heads can be seen and how many were counted;
then how often "nobody", "two people", "a group" and "a portrait" are answered rightly. With STAMPS (see
held_in.py), whatever is taken for a face among drawings and cut-outs is listed, to be looked at.
"""

import argparse
import time
from pathlib import Path

from circlet.core import PictureError
from circlet.images import thumbnail
from circlet.language.people import heads_in
from circlet.models.scorers.seen import likely_people
from circlet.models.seeing.watchers import WAYS

# Heads that can be seen, from whichever side; and the photographs that a person calls a portrait.
HEADS = {
    "32bit.png": 1, "astronaut.png": 1, "biden.jpg": 1, "bus.jpg": 3, "camera.png": 1, "obama.jpg": 1,
    "obama2.jpg": 1, "obama3.jpg": 1, "obama_partial_face.jpg": 1, "obama_partial_face2.jpg": 1,
    "sample1.jpg": 3, "sample2.jpg": 3, "sample3.jpg": 3, "sample4.jpg": 4, "sample5.jpg": 5,
    "sample6.jpg": 4, "t1.jpg": 6, "zidane.jpg": 2,
    **dict.fromkeys((
        "brick.png", "chelsea.png", "china.jpg", "clock_motion.png", "coffee.png", "coins.png", "flower.jpg",
        "grass.png", "gravel.png", "horse.png", "hubble_deep_field.jpg", "ihc.png", "moon.png",
        "motorcycle_left.png", "motorcycle_right.png", "page.png", "retina.jpg", "rocket.jpg", "text.png",
    ), 0),
}  # fmt: skip
PORTRAITS = {
    "32bit.png", "astronaut.png", "obama.jpg", "obama2.jpg", "obama_partial_face.jpg",
    "obama_partial_face2.jpg",
}  # fmt: skip
ASKED = ("nobody", "people", "one person", "two people", "a group", "a portrait")


def holds(asked: str, name: str) -> bool:
    """Whether a photograph is what is asked for."""
    told = heads_in(asked)
    assert told is not None
    if told.heads.portrait:
        return name in PORTRAITS
    return told.heads.least <= HEADS[name] <= told.heads.most


def main() -> None:
    """Count, compare, list."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("stamps", type=Path, nargs="?")
    asked = parser.parse_args()
    way = WAYS["people"]
    counter = way.load()
    there = {file.name: file for file in sorted(asked.folder.rglob("*")) if file.name in HEADS}
    spent, marks = 0.0, {}
    for name, file in there.items():
        picture = thumbnail(file, way.side)
        began = time.perf_counter()
        marks[name] = counter.look(picture)
        spent += time.perf_counter() - began
        mark = "" if marks[name].number == HEADS[name] else "   <- wrong"
        print(f"{name:28} {HEADS[name]} there, {marks[name].number} counted{mark}")
    right = sum(marks[name].number == HEADS[name] for name in there)
    print(f"counted rightly: {right} of {len(there)} photographs; {1000 * spent / len(there):.0f} ms each")
    for words in ASKED:
        told = heads_in(words)
        assert told is not None
        said = {name for name in there if likely_people(told.heads, marks[name]) >= 0.5}
        true = {name for name in there if holds(words, name)}
        print(f"“{words}”: {len(said & true)} of {len(true)} found, {len(said - true)} too many")
    if asked.stamps:
        alarms(counter, asked.stamps, way.side)


def alarms(counter: object, stamps: Path, side: int) -> None:
    """What is taken for a face among drawings and cut-outs."""
    files = sorted(stamps.rglob("*.png"))
    seen = 0
    for file in files:
        try:
            number = counter.look(thumbnail(file, side)).number  # type: ignore[attr-defined]
        except PictureError:
            continue
        if number:
            seen += 1
            print(f"{number} in {file.relative_to(stamps)}")
    print(f"a face in {seen} of {len(files)} stamps")


if __name__ == "__main__":
    main()
