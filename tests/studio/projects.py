"""Small projects of every kind, over plain pictures and without a model."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from PIL import Image

from circlet.build import write_cirr
from circlet.studio import Desk, Item, project_text


class Clock:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def draw(folder: Path, names: Iterable[str]) -> None:
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        colour = (number * 37 % 256, number * 91 % 256, number * 53 % 256)
        Image.new("RGB", (24, 24), colour).save(path)


def project(folder: Path, **said: Any) -> Path:
    path = folder / "project.toml"
    path.write_text(project_text(title="Mine", **said), encoding="utf-8")
    return path


def cirr(folder: Path, subsets: int = 1, *, caption: str = "", **said: Any) -> Path:
    """Nine pairs a subset, as `circlet build pairs` writes them; with `caption`, all of them told."""
    names = [[f"s{subset}-{member}.png" for member in range(6)] for subset in range(subsets)]
    draw(folder / "photos", [name for members in names for name in members])
    write_cirr(folder, "train", names)
    if caption:
        path = folder / "captions" / "cap.rc2.train.json"
        records = json.loads(path.read_text())
        path.write_text(json.dumps([record | {"caption": caption} for record in records]))
    return project(folder, kind="cirr", source=".", pictures="photos", **said)


def tens(folder: Path, **said: Any) -> Path:
    """Two sets of train, one of them in no order, and two of val."""
    for name in ("static-a", "video-b", "video-c", "video-d"):
        draw(folder / "image-sets" / name, [f"img{place}.png" for place in range(10)])
    (folder / "train_data.json").write_text(json.dumps({"static-a": {"2": ""}, "video-b": {"7": ""}}))
    (folder / "valid_data.json").write_text(json.dumps({"video-c": {}, "video-d": {"0": "", "9": ""}}))
    return project(folder, kind="tens", source=".", **said)


def compare(folder: Path, queries: int = 6, **said: Any) -> Path:
    names = [f"p{number}.png" for number in range(queries + 10)]
    draw(folder / "photos", names)
    records = [
        {
            "id": f"q{number}",
            "reference": names[number],
            "text": "make it green",
            "target": names[number + 1],
            "sets": [
                {"images": names[number : number + 5], "method": "one"},
                {"images": names[number + 5 : number + 10], "method": "two"},
            ],
        }
        for number in range(queries)
    ]
    (folder / "sets.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return project(folder, kind="compare", source="sets.jsonl", pictures="photos", **said)


def verify(folder: Path, cases: int = 4, **said: Any) -> Path:
    names = [f"c{number}.png" for number in range(cases + 2)]
    draw(folder / "photos", names)
    lines = []
    for number in range(cases):
        pictures = {
            "reference": f"photos/{names[number]}",
            "target": f"photos/{names[number + 1]}",
            "hard_negative": f"photos/{names[number + 2]}",
        }
        words = dict.fromkeys(("reference_caption", "target_caption", "hard_negative_caption"), "a cup")
        about = {"id": f"n{number}", "aspect": "negation", "status": "unverified", "source": "", "maker": "t"}
        lines.append(json.dumps({**about, **pictures, **words, "instruction": "take the cup away"}))
    (folder / "aspects.jsonl").write_text("\n".join(lines) + "\n")
    return project(folder, kind="verify", source="aspects.jsonl", **said)


def desk(path: Path, clock: Clock | None = None) -> Desk:
    """The desk of a project; with a clock of the test's own."""
    opened = Desk.open(path)
    if clock is not None:
        opened.store.clock = clock
    return opened


def do(desk: Desk, person: str, task: str, form: dict[str, str], *, seconds: float = 20.0) -> Item | None:
    """Let a person do the next item of a task, in so many seconds."""
    item = desk.next(person, task)
    if item is not None:
        if isinstance(desk.store.clock, Clock):
            desk.store.clock.now += seconds
        desk.answer(person, item, form)
    return item
