"""Judgements, verified cases and recorded searches, as the readers take them."""

import os
from collections import Counter
from pathlib import Path
from typing import Any

from circlet.build.aspects.cases import CaseBook
from circlet.core import Benchmark, DataError, Query, Turn, cases_of
from circlet.core.files import write_lines
from circlet.data import load_benchmark, write_benchmark
from circlet.data.readers.survey import write_survey
from circlet.studio.desk import Desk
from circlet.studio.exports.exported import Exported
from circlet.studio.items import Answer

# What a turn of a recorded search says, of all that a turn may.
_OF_TURN = ("picture", "text", "without", "liked", "disliked")


def export_human(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/human.jsonl: a record for each person's judgement of two sets (`human:OUT/human.jsonl`).

    OUT/human.csv has the same as a survey's rows, for a table or a statistician.
    """
    answers = _answered(desk, "compare")
    several = len({one.item.number for one in answers}) < len(answers)
    records = []
    for one in answers:
        shown, said = one.item.shown, one.answer
        sets = [
            {"images": shown[f"set{side}"], "score": said["scores"][side - 1]}
            | ({"scores": said["results"][side - 1]} if "results" in said else {})
            for side in (1, 2)
        ]
        record: dict[str, Any] = {
            "id": f"{shown['query']}/{one.person}" if several else shown["query"],
            "reference": shown["reference"],
            "text": shown["text"],
        }
        if "hidden" in shown:
            record["target"] = shown["hidden"]
        record |= {"sets": sets, "preferred": said["preferred"], "valid": said["valid"]}
        records.append(record | {"methods": shown["methods"], "person": one.person})
    file = write_lines(out / "human.jsonl", records)
    table = write_survey(load_benchmark(f"human:{file}?invalid=kept"), out / "human.csv")
    return Exported((file, table), (f"human:{file}",), (f"{len(records)} judgements",))


def export_aspects(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/aspects.jsonl with the cases that were accepted, and rejected.jsonl with the others.

    A corrected text takes the place of the old one, which stays as `instruction_before`. Where several
    people looked at a case, most of them decide; a tie rejects it.
    """
    root = desk.project.root
    path = root / "aspects.jsonl" if root.is_dir() else root
    said: dict[str, list[Answer]] = {}
    for one in _answered(desk, "verify"):
        said.setdefault(one.item.shown["case"], []).append(one)
    taken: list[dict[str, Any]] = []
    refused: list[dict[str, Any]] = []
    fixed = 0
    out.mkdir(parents=True, exist_ok=True)
    for id, record in CaseBook(path).records.items():
        if id not in said:
            continue
        verdicts = [one.answer for one in said[id]]
        good = [each for each in verdicts if each["verdict"] != "reject"]
        kept = {**record, **_moved(record, path.parent, out)}
        if len(good) * 2 > len(verdicts):
            texts = [each["text"] for each in good if "text" in each]
            if texts:
                fixed += 1
                kept |= {"instruction": texts[0], "instruction_before": record["instruction"]}
            taken.append(kept | {"status": "verified"})
        else:
            reasons = Counter(each["reason"] for each in verdicts if "reason" in each)
            refused.append(kept | {"status": "rejected", "reason": reasons.most_common(1)[0][0]})
    if not taken:
        raise DataError(f"{desk.project.title}: no case was accepted yet; verify some first")
    files = (write_lines(out / "aspects.jsonl", taken), write_lines(out / "rejected.jsonl", refused))
    notes = (f"{len(taken)} accepted, {fixed} of them corrected, {len(refused)} rejected",)
    return Exported(files, (f"aspects:{files[0]}",), notes)


def _moved(record: Any, before: Path, now: Path) -> dict[str, str]:
    """The pictures' names as they are told from another folder."""
    names = ("reference", "target", "hard_negative")
    base = now.resolve()
    return {name: Path(os.path.relpath((before / record[name]).resolve(), base)).as_posix() for name in names}


def export_study(desk: Desk, out: Path, *, pictures: bool = True) -> Exported:
    """Write OUT/study.jsonl: every search as a query of several turns, with its target as the truth."""
    queries, truths, notes = [], {}, {}
    for one in _answered(desk, "study"):
        turns = [
            Turn.from_dict({name: turn[name] for name in _OF_TURN if turn.get(name)})
            for turn in one.answer["turns"]
        ]
        id = f"{one.item.id.partition(':')[2]}/{one.person}"
        queries.append(Query(id, tuple(turns)))
        truths[id] = (one.item.shown["target"],)
        notes[id] = {
            "found": one.answer["found"],
            "ranks": one.answer["ranks"],
            "seconds": [turn["seconds"] for turn in one.answer["turns"]],
        }
    gallery = tuple(desk.source.pictures)
    benchmark = Benchmark(
        name="study",
        split="val",
        cases=cases_of(queries, truths=truths, notes=notes),
        galleries={"": gallery},
        images={id: desk.source.pictures[id].resolve() for id in gallery},
    )
    out.mkdir(parents=True, exist_ok=True)
    file = write_benchmark(benchmark, out / "study.jsonl")
    return Exported((file,), (str(file),), (f"{len(queries)} searches",))


def _answered(desk: Desk, task: str) -> list[Answer]:
    answers = [one for one in desk.store.answers(task=task, counted=True) if not one.item.known]
    if not answers:
        raise DataError(f"{desk.project.title}: nothing was answered yet; annotate first")
    return answers
