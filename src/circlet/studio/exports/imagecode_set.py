"""Descriptions of one of ten as ImageCoDe has them: only those by which people found the picture."""

import json
from collections import defaultdict
from pathlib import Path

from circlet.core import DataError
from circlet.core.files import written_whole
from circlet.data.readers.imagecode import FILES
from circlet.studio.desk import Desk
from circlet.studio.exports.exported import Exported, bring_pictures
from circlet.studio.items import Answer, Item
from circlet.studio.tasks import TASKS


def export_imagecode(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/….json by split, and OUT/image-sets; a description that was not found is left out.

    Paper 002 keeps what one person found in train, and what two of three found in val and test.
    """
    items, answers = found_by(desk)
    sets: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    dropped = 0
    for item in items:
        if not validated(item, answers.get(item.number, [])):
            dropped += 1
            continue
        sets[item.split][item.shown["set"]][str(item.truth["place"])] = item.shown["text"]
    if not sets:
        raise DataError(f"{desk.project.title}: no description was found by others yet; annotate first")
    files = []
    for split, described in sets.items():
        files.append(out / FILES[split])
        with written_whole(files[-1]) as file:
            file.write(json.dumps(described, ensure_ascii=False, indent=1) + "\n")
        if pictures:
            _bring(desk, out, list(described))
    kept = sum(len(texts) for each in sets.values() for texts in each.values())
    notes = (f"{kept} descriptions by which others found the picture; {dropped} left out",)
    return Exported(tuple(files), tuple(f"imagecode:{out}:{split}" for split in sets), notes)


def found_by(desk: Desk) -> tuple[list[Item], dict[int, list[Answer]]]:
    """The descriptions that people looked for a picture by, and what they answered, by item."""
    items = [item for item in desk.store.items("find") if not item.known]
    answers: dict[int, list[Answer]] = defaultdict(list)
    for one in desk.store.answers(task="find", counted=True):
        answers[one.item.number].append(one)
    return items, answers


def validated(item: Item, answers: list[Answer]) -> bool:
    """Whether enough people found it: one in train, two in val and test.

    >>> validated(Item(id="1", task="find", shown={}, truth={"place": 3}, split="train"), [])
    False
    """
    right = sum(TASKS["find"].right(item, one.answer) is True for one in answers)
    return right >= (1 if item.split == "train" else 2)


def _bring(desk: Desk, out: Path, names: list[str]) -> None:
    for name in names:
        ten = {f"{name}/img{place}": desk.source.pictures[f"{name}/{place}"] for place in range(10)}
        bring_pictures(out / "image-sets", ten, ten)
