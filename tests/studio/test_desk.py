"""A project from its file: what it asks, whom, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

from circlet.core import Benchmark, Case, DataError, Query, Ranking, Run, Turn, UsageError
from circlet.core.run import Key
from circlet.data import write_benchmark
from circlet.evaluate import write_run
from circlet.studio import read_project, read_texts
from circlet.studio.texts import ENGLISH
from tests.studio.projects import Clock, cirr, compare, desk, do, draw, project, tens


def test_a_project_says_what_is_wrong_in_it(tmp_path: Path) -> None:
    path = tmp_path / "project.toml"
    for text, words in (
        ("title = ", "not TOML"),
        ('title = "x"', "no kind, source"),
        ('title = "x"\nkind = "dogs"\nsource = "."', "none of cirr"),
        ('title = "x"\nkind = "cirr"\nsource = "."\ncolour = 1', "has no 'colour'"),
        ('title = "x"\nkind = "cirr"\nsource = "."\nseed = "one"', "seed = 'one'"),
        ('title = "x"\nkind = "cirr"\nsource = "."\n[people]\nfind = 2', "has the tasks modify"),
        ('title = "x"\nkind = "cirr"\nsource = "."\nreview = 2', "shares from 0 to 1"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=words):
            read_project(path)
    with pytest.raises(UsageError, match="circlet studio new"):
        read_project(tmp_path / "none.toml")


def test_pictures_that_are_missing_are_named(tmp_path: Path) -> None:
    path = cirr(tmp_path)
    (tmp_path / "photos" / "s0-3.png").unlink()
    with pytest.raises(DataError, match=r"s0-3.png: 1 of 6 pictures are not there"):
        desk(path)


def test_a_sentence_leads_to_questions_for_others(tmp_path: Path) -> None:
    opened = desk(cirr(tmp_path), Clock())
    ann, ben = opened.store.person(), opened.store.person()
    asked = do(opened, ann, "modify", {"text": "add a dog"})
    assert asked
    assert opened.next(ann, "extend") is None
    assert opened.next(ann, "retrieve") is None
    more = opened.next(ben, "retrieve")
    assert more
    assert more.shown["text"] == "add a dog"
    assert sorted(more.shown["candidates"]) == sorted((asked.shown["target"], *asked.shown["others"]))
    assert asked.shown["reference"] not in more.shown["candidates"]
    do(opened, ann, "modify", {"mark": "same"})
    assert [one.wanted for one in opened.progress()] == [9, 1, 3]


def test_a_task_can_be_left_out(tmp_path: Path) -> None:
    opened = desk(cirr(tmp_path, people={"extend": 0, "retrieve": 0}), Clock())
    assert opened.project.tasks == ("modify",)
    do(opened, opened.store.person(), "modify", {"text": "add a dog"})
    assert [one.task for one in opened.progress()] == ["modify"]


def test_ten_pictures_keep_their_order_in_time_or_have_none(tmp_path: Path) -> None:
    opened = desk(tens(tmp_path), Clock())
    orders = {item.shown["set"]: item.shown["order"] for item in opened.store.items("describe")}
    assert orders == {"static-a": "shuffled", "video-b": "time", "video-c": "time", "video-d": "time"}
    of_c = [item.shown["place"] for item in opened.store.items("describe") if item.shown["set"] == "video-c"]
    assert len(set(of_c)) == 3


def test_who_fails_what_is_known_gets_no_more(tmp_path: Path) -> None:
    path = cirr(tmp_path, caption="add a dog", known="known.jsonl", need=0.5)
    names = [f"s0-{member}" for member in range(6)]
    known = [
        {
            "task": "retrieve",
            "shown": {"reference": names[0], "text": "more dogs", "candidates": names[1:]},
            "truth": {"choice": names[2]},
        }
    ] * 2
    (tmp_path / "known.jsonl").write_text("\n".join(map(json.dumps, known)))
    opened = desk(path, Clock())
    good, bad = opened.store.person(), opened.store.person()
    for person, places in ((good, "01"), (bad, "00")):
        for place in places:
            item = do(opened, person, "retrieve", {"choice": place})
            assert item
            assert item.known
    assert opened.failed(bad, "retrieve")
    assert opened.next(bad, "retrieve") is None
    assert not opened.failed(good, "retrieve")
    assert opened.next(good, "retrieve")


def test_two_saved_runs_are_compared(tmp_path: Path) -> None:
    names = [f"p{number}.png" for number in range(12)]
    draw(tmp_path / "photos", names)
    cases = [
        Case(query=Query(f"q{n}", (Turn(picture=names[n], text="red"),)), truths=(names[n + 1],))
        for n in range(4)
    ]
    images = {name: tmp_path / "photos" / name for name in names}
    bench = Benchmark(
        name="toy", split="val", galleries={"": tuple(names)}, cases=tuple(cases), images=images
    )
    write_benchmark(bench, tmp_path / "toy.jsonl")
    for run, order in (("up", names), ("down", names[::-1])):
        scores = np.arange(len(names), 0, -1, dtype=np.float32)
        rankings = {Key(case.id): Ranking(tuple(order), scores) for case in cases}
        write_run(Run(rankings=rankings, method=run), tmp_path / f"{run}.run.jsonl")
    path = project(
        tmp_path,
        kind="compare",
        source=str(tmp_path / "toy.jsonl"),
        runs=["up.run.jsonl", "down.run.jsonl"],
        top=3,
        most=2,
    )
    items = desk(path).store.items("compare")
    assert len(items) == 2
    for item in items:
        sets = dict(zip(item.shown["methods"], (item.shown["set1"], item.shown["set2"]), strict=True))
        assert sets == {"up.run": names[:3], "down.run": names[:-4:-1]}


def test_searches_begin_where_a_session_does(tmp_path: Path) -> None:
    draw(tmp_path / "photos", ["a/one.png", "two.png", "three.png"])
    turn = {"turn": 1, "reference_image_id": "one", "relative_caption": "at night"}
    session = {"session_id": "s1", "ground_truth_ids": ["two"], "num_turns": 1, "turns": [turn]}
    lines = [session, {"target": "three.png"}]
    (tmp_path / "targets.jsonl").write_text("\n".join(map(json.dumps, lines)))
    path = project(tmp_path, kind="study", source="targets.jsonl", pictures="photos", rounds=3)
    first, second = desk(path).store.items("study")
    assert first.id == "study:s1"
    assert first.shown == {"target": "two.png", "rounds": 3, "reference": "a/one.png", "text": "at night"}
    assert second.shown == {"target": "three.png", "rounds": 3}
    path = project(tmp_path, kind="study", source=".", pictures="photos", most=2)
    assert len(desk(path).source.items) == 2


def test_a_key_says_nothing_of_a_pictures_name(tmp_path: Path) -> None:
    opened = desk(compare(tmp_path))
    key = opened.key("p3.png")
    assert "p3" not in key
    assert opened.file(key) == tmp_path / "photos" / "p3.png"
    assert opened.file("p3.png") is None


def test_words_can_be_translated_and_none_is_invented(tmp_path: Path) -> None:
    own = tmp_path / "de.toml"
    own.write_text('language = "de"\n[common]\nsend = "Speichern und weiter"\n')
    said = read_texts(own)
    assert said["common"]["send"] == "Speichern und weiter"
    assert said["common"]["home"] == read_texts()["common"]["home"]
    own.write_text('[common]\nsent = "?"\n')
    with pytest.raises(UsageError, match=r"nothing under common\.sent"):
        read_texts(own)
    assert ENGLISH.is_file()
