"""A project's sentences as CIRR: captions, four questions, soft targets; splits by subset."""

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from circlet.core import DataError
from circlet.core.files import written_whole
from circlet.studio.desk import Desk
from circlet.studio.exports.exported import Exported, bring_pictures
from circlet.studio.sources import pair_records
from circlet.studio.tasks.modify import MARKS

SPLITS = ("train", "val", "test1")


def export_cirr(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/captions, captions_ext, image_splits and img_raw, split 80/10/10 by subset.

    A pair that was marked instead of captioned is left out, and its mark becomes a soft label of the
    other picture for every query from either one of the two: so CIRR's own files have it (of the 446
    such labels in val whose pair is not there, 443 name the other picture of a pair with the reference).
    """
    texts, marks, extended, found = _said(desk)
    captioned: dict[Any, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    related: dict[str, dict[str, float]] = defaultdict(dict)
    for _, pair, record in pair_records(desk.project.root):
        if pair in texts:
            captioned[record["img_set"]["id"]].append((pair, record))
        elif pair in marks:
            one, two = record["reference"], record["target_hard"]
            related[one][two] = related[two][one] = MARKS[marks[pair]]
    if not captioned:
        raise DataError(f"{desk.project.title}: no pair has a sentence yet; annotate first")
    splits = split_by(list(captioned), seed=desk.project.seed)
    names = [pair for records in captioned.values() for pair, _ in records]
    files: list[Path] = []
    for split, subsets in splits.items():
        main, more, votes = [], [], {}
        listed: dict[str, None] = {}
        for subset in subsets:
            for pair, record in captioned[subset]:
                members = record["img_set"]["members"]
                listed |= dict.fromkeys(members)
                soft = {id: label for id, label in related[record["reference"]].items() if id in members}
                soft.pop(record["target_hard"], None)
                id = int(pair) if pair.isdigit() else names.index(pair)
                main.append(
                    record
                    | {"pairid": id, "caption": texts[pair]}
                    | {"target_soft": {record["target_hard"]: 1.0, **soft}}
                )
                if pair in extended:
                    kept = {"pairid": id, "reference": record["reference"]}
                    more.append(
                        kept | {"target_hard": record["target_hard"], "caption_extend": extended[pair]}
                    )
                if pair in found:
                    votes[str(id)] = found[pair]
        places = _places(desk, out, sorted(listed), pictures)
        files += _write(out, split, main, more, places, votes)
    notes = [f"{len(names)} pairs with a sentence, {len(marks)} marked instead"]
    if len(splits) < len(SPLITS):
        notes.append(f"{len(captioned)} subsets: too few for {', '.join(set(SPLITS) - set(splits))}")
    return Exported(tuple(files), tuple(f"cirr:{out}:{split}" for split in splits), tuple(notes))


def split_by(subsets: Sequence[Any], *, seed: int = 0) -> dict[str, list[Any]]:
    """Subsets by split, 80/10/10; val and test1 have one at least as soon as there are enough.

    >>> {split: len(those) for split, those in split_by(range(20)).items()}
    {'train': 16, 'val': 2, 'test1': 2}
    """
    order = list(subsets)
    random.Random(f"splits {seed}").shuffle(order)
    tenth = max(1, round(len(order) / 10))
    val, test = (tenth if len(order) > 1 else 0), (tenth if len(order) > 2 else 0)
    parts = {"train": order[val + test :], "val": order[:val], "test1": order[val : val + test]}
    return {split: those for split, those in parts.items() if those}


def _said(
    desk: Desk,
) -> tuple[Mapping[str, str], Mapping[str, str], Mapping[str, Any], Mapping[str, list[Any]]]:
    """By pair: the sentence, the mark instead of one, the four answers, and what others chose by it."""
    texts, marks = dict(desk.source.told), dict[str, str]()
    extended: dict[str, Any] = {}
    found: dict[str, list[Any]] = defaultdict(list)
    for one in desk.store.answers(counted=True):
        pair = one.item.shown["pair"] if not one.item.known else ""
        if not pair:
            continue
        if one.item.task == "modify" and pair not in texts and pair not in marks:
            (texts if "text" in one.answer else marks)[pair] = str(next(iter(one.answer.values())))
        elif one.item.task == "extend":
            extended.setdefault(pair, one.answer)
        elif one.item.task == "retrieve":
            found[pair].append(one.answer["choice"])
    return texts, marks, extended, found


def _places(desk: Desk, out: Path, names: list[str], pictures: bool) -> dict[str, str]:
    """Where each picture lies, as CIRR's lists say it."""
    if pictures:
        brought = bring_pictures(out / "img_raw" / "dev", desk.source.pictures, names)
        return {id: f"./dev/{name}" for id, name in brought.items()}
    gallery = desk.project.gallery
    return {id: f"./{desk.source.pictures[id].relative_to(gallery).as_posix()}" for id in names}


def _write(
    out: Path,
    split: str,
    main: list[dict[str, Any]],
    more: list[dict[str, Any]],
    places: dict[str, str],
    votes: dict[str, list[Any]],
) -> list[Path]:
    files = {
        out / "captions" / f"cap.rc2.{split}.json": main,
        out / "captions_ext" / f"cap.ext.rc2.{split}.json": more,
        out / "image_splits" / f"split.rc2.{split}.json": places,
        out / "human" / f"retrieval.rc2.{split}.json": votes,
    }
    for path, what in files.items():
        with written_whole(path) as file:
            file.write(json.dumps(what, ensure_ascii=False) + "\n")
    return list(files)
