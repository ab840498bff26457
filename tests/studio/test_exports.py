"""Answers as files: what `circlet data check` and the readers make of them."""

import json
from pathlib import Path

import pytest

from circlet.core import DataError
from circlet.data import load_benchmark
from circlet.data.check import check
from circlet.evaluate.measures.judgements import Judgements
from circlet.evaluate.people import judge_figures
from circlet.studio import Desk, Exported, export
from tests.command import Command
from tests.studio.projects import Clock, cirr, compare, desk, do, tens, verify

FOUR = {"text0": "same breed", "none1": "1", "kind2": "no", "kind3": "words", "text3": "add grass"}


def checked(made: Exported) -> None:
    """Every benchmark loads, has what was published of it (nothing), and misses no picture."""
    assert made.benchmarks
    for name in made.benchmarks:
        report = check(name)
        assert not report.differs
        assert not [line for line in report.findings if "blank" in line or "outside" in line]
        if not name.startswith("human:"):
            assert not report.missing


def annotated(tmp_path: Path, subsets: int) -> Desk:
    opened = desk(cirr(tmp_path, subsets), Clock())
    ann = opened.store.person()
    number = 0
    while item := opened.next(ann, "modify"):
        # One pair of each subset is marked instead: its second.
        mark = "irrelevant" if item.shown["pair"] in {str(1 + 9 * n) for n in range(subsets)} else ""
        number += 1
        opened.answer(ann, item, {"mark": mark} if mark else {"text": f"add {number} dogs"})
    for person in [opened.store.person() for _ in range(3)]:
        while item := opened.next(person, "extend"):
            opened.answer(person, item, FOUR)
        while item := opened.next(person, "retrieve"):
            opened.answer(person, item, {"choice": "0"})
    return opened


def test_cirr_with_splits_questions_and_soft_targets(tmp_path: Path) -> None:
    opened = annotated(tmp_path / "mine", 10)
    out = tmp_path / "out"
    made = export(opened, out, jsonl=True)
    checked(made)
    sizes = {split: len(load_benchmark(f"cirr:{out}:{split}").cases) for split in ("train", "val", "test1")}
    assert sizes == {"train": 64, "val": 8, "test1": 8}
    val = load_benchmark(f"cirr:{out}:val?target=soft")
    case = val.cases[0]
    assert case.notes["caption_extend"] == {
        "0": "same breed",
        "1": "[c] None existed",
        "2": "[cr0] Nothing worth mentioning",
        "3": "add grass",
    }
    # The marked pair was left out; each of its two is irrelevant for queries that start from the other.
    records = json.loads((out / "captions" / "cap.rc2.val.json").read_text())
    ranks = {(record["img_set"]["reference_rank"], record["img_set"]["target_rank"]) for record in records}
    assert (1, 2) not in ranks
    assert len(ranks) == 8
    (from_two,) = [record for record in records if record["img_set"]["reference_rank"] == 2]
    assert sorted(from_two["target_soft"].values()) == [-1.0, 1.0]
    from_zero = [record for record in records if record["img_set"]["reference_rank"] == 0]
    assert all(record["target_soft"] == {record["target_hard"]: 1.0} for record in from_zero)
    votes = json.loads((out / "human" / "retrieval.rc2.val.json").read_text())
    assert all(len(each) == 3 for each in votes.values())
    assert any(name.endswith(".jsonl") for name in made.benchmarks)


def test_few_subsets_fill_train_first_then_val(tmp_path: Path) -> None:
    opened = annotated(tmp_path / "mine", 2)
    made = export(opened, tmp_path / "out")
    assert [name.rpartition(":")[2] for name in made.benchmarks] == ["train", "val"]
    checked(made)


def test_a_rejected_sentence_is_not_exported(tmp_path: Path) -> None:
    opened = desk(cirr(tmp_path / "mine"), Clock())
    ann = opened.store.person()
    do(opened, ann, "modify", {"text": "add two dogs"})
    do(opened, ann, "modify", {"text": "add a cat"})
    opened.review(opened.store.answers()[0].number, "rejected")
    export(opened, tmp_path / "out")
    records = json.loads((tmp_path / "out" / "captions" / "cap.rc2.train.json").read_text())
    assert [record["caption"] for record in records] == ["add a cat"]


def test_an_unfinished_project_goes_on_where_its_files_end(tmp_path: Path) -> None:
    opened = desk(cirr(tmp_path / "mine", caption="add a dog"), Clock())
    assert [one.wanted for one in opened.progress()] == [0, 9, 27]
    export(opened, tmp_path / "out", pictures=False)
    again = tmp_path / "out" / "captions" / "cap.rc2.train.json"
    assert {record["caption"] for record in json.loads(again.read_text())} == {"add a dog"}


def test_nothing_answered_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="annotate first"):
        export(desk(cirr(tmp_path / "mine")), tmp_path / "out")


def test_imagecode_keeps_what_others_found(tmp_path: Path) -> None:
    opened = desk(tens(tmp_path / "mine"), Clock())
    ann, *others = (opened.store.person() for _ in range(4))
    number = 0
    while item := opened.next(ann, "describe"):
        opened.answer(ann, item, {"text": f"the door is open {number}"})
        number += 1
    assert number == 7  # two of train, three by chance and two of val
    for person, right in zip(others, (True, True, False), strict=True):
        while item := opened.next(person, "find"):
            place = item.truth["place"]
            # Nobody finds the last picture of its set; the third person finds nothing at all.
            wrong = (place + 1) % 10
            opened.answer(person, item, {"choice": str(place if right and place != 9 else wrong)})
    made = export(opened, tmp_path / "out", jsonl=True)
    checked(made)
    train = load_benchmark(f"imagecode:{tmp_path / 'out'}:train")
    assert {case.target for case in train.cases} == {"static-a/2", "video-b/7"}
    assert {case.aspects[0] for case in train.cases} == {"static", "video"}
    val = {case.target for case in load_benchmark(f"imagecode:{tmp_path / 'out'}:val").cases}
    assert "video-d/0" in val
    assert "video-d/9" not in val


def test_human_scores_are_read_by_the_measures(tmp_path: Path) -> None:
    opened = desk(compare(tmp_path / "mine", attention=False, people={"compare": 2}), Clock())
    for person in [opened.store.person() for _ in range(2)]:
        while item := opened.next(person, "compare"):
            opened.answer(person, item, {"score1": "4", "score2": "2", "preferred": "1"})
    made = export(opened, tmp_path / "out")
    checked(made)
    people = Judgements.of(load_benchmark(made.benchmarks[0]))
    assert people.scores.tolist() == [[4, 2]] * 12
    assert people.preferred.tolist() == [1] * 12
    record = json.loads((tmp_path / "out" / "human.jsonl").read_text().splitlines()[0])
    assert record["methods"] == ["one", "two"]


def test_judgements_go_from_the_studio_into_eval(tmp_path: Path, command: Command) -> None:
    opened = desk(compare(tmp_path / "mine", attention=False, people={"compare": 2}), Clock())
    answers = [
        {"score1": "5", "score2": "2", "preferred": "1"},
        {"score1": "3", "score2": "4", "preferred": "2"},
    ]
    for number, person in enumerate([opened.store.person() for _ in range(2)]):
        asked = 0
        while item := opened.next(person, "compare"):
            flag = {"invalid": "1"} if number and asked == 5 else {}
            opened.answer(person, item, answers[asked % 2] | flag)
            asked += 1
    made = export(opened, tmp_path / "out")
    assert [file.name for file in made.files] == ["human.jsonl", "human.csv"]
    jsonl, table = (f"human:{file}" for file in made.files)
    records, rows = load_benchmark(jsonl), load_benchmark(table)
    for name in ("query", "truths", "subset", "judgement"):
        assert [getattr(case, name) for case in records.cases] == [getattr(case, name) for case in rows.cases]
    for bench in (records, rows):
        judged = judge_figures(bench)
        assert judged is not None
        assert (judged.queries, judged.judges, judged.invalid, judged.shared) == (6, 2, 1, 5)
        assert judged.scores is not None
    asked = f"{table}?images={tmp_path / 'mine' / 'photos'}"
    told = json.loads(command("eval", "--method", "image", "--bench", asked, "--json").stdout)
    assert (told["queries"], told["agreement"]["sets"]) == (11, 22)
    assert "Recall@5" in [row["method"] for row in told["baselines"]]


def test_verified_cases_say_what_was_corrected(tmp_path: Path) -> None:
    opened = desk(verify(tmp_path / "mine"), Clock())
    ann = opened.store.person()
    do(opened, ann, "verify", {"verdict": "accept"})
    do(opened, ann, "verify", {"verdict": "fix", "text": "take both cups away"})
    do(opened, ann, "verify", {"verdict": "reject", "reason": "negative"})
    made = export(opened, tmp_path / "out", jsonl=True)
    checked(made)
    kept = [json.loads(line) for line in (tmp_path / "out" / "aspects.jsonl").read_text().splitlines()]
    assert [case["instruction"] for case in kept] == ["take the cup away", "take both cups away"]
    assert kept[1]["instruction_before"] == "take the cup away"
    assert all(case["status"] == "verified" for case in kept)
    (gone,) = (tmp_path / "out" / "rejected.jsonl").read_text().splitlines()
    assert json.loads(gone)["reason"] == "negative"
    assert made.notes == ("2 accepted, 1 of them corrected, 1 rejected",)
