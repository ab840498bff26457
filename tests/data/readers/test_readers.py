"""Readers of files that are not here in the original: small ones in their published form."""

import json
from pathlib import Path
from typing import Any

import pytest

from circlet.core import DataError, Judgement, Turn, UsageError
from circlet.data import load_benchmark, read_benchmark, write_benchmark
from circlet.evaluate import Recall, chance


def save(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


CIRCO = {"id": 3, "reference_img_id": 1, "relative_caption": "is red"}


def session(
    id: str, turns: int, subset: str = "cirr_val", truths: tuple[Any, ...] = ("t",)
) -> dict[str, Any]:
    return {
        "session_id": id,
        "subset": subset,
        "ground_truth_ids": list(truths),
        "num_turns": turns,
        "turns": [
            {"turn": n, "reference_image_id": f"r{n}", "relative_caption": f"more {n}"}
            for n in range(1, turns + 1)
        ],
    }


def test_circled_sessions(tmp_path: Path) -> None:
    path = save(tmp_path / "s.json", [session("a", 2), session("b", 3), session("c", 2, "circo_val", (7, 8))])
    bench = load_benchmark(f"circled:{path}")
    assert bench.queries[0].turns == (Turn(picture="r1", text="more 1"), Turn(picture="r2", text="more 2"))
    assert bench.case("c").truths == ("7", "8")
    assert {case.id: case.group for case in bench.cases} == {
        "a": "cirr_val",
        "b": "cirr_val",
        "c": "circo_val",
    }
    assert bench.measures[:5] == (
        "Hits(turn=1) @ 10",
        "Hits(turn=2) @ 10",
        "Hits(turn=3) @ 10",
        "FinalRecall @ 10",
        "AUC @ 10",
    )
    assert bench.header() == "circled all gallery=unlisted auc=intervals"
    one = load_benchmark(f"circled:{path}:cirr_val?gallery=named&auc=turns")
    assert [query.id for query in one.queries] == ["a", "b"]
    assert one.galleries == {"cirr_val": ("r1", "r2", "t", "r3")}
    assert "AUC(over='turns') @ 10" in one.measures
    with pytest.raises(
        UsageError, match="no session of the subset 'cirr_test'; there is circo_val, cirr_val"
    ):
        load_benchmark(f"circled:{path}:cirr_test")


def test_circled_takes_the_gallery_of_another_benchmark(tmp_path: Path) -> None:
    path = save(tmp_path / "s.json", [session("a", 2)])
    home = tmp_path / "cirr"
    save(home / "image_splits/split.rc2.val.json", {"t": "./dev/t.png", "r1": "./dev/r1.png"})
    save(home / "captions/cap.rc2.val.json", [])
    bench = load_benchmark(f"circled:{path}", protocol={"gallery": f"cirr:{home}:val"})
    assert bench.galleries == {"cirr_val": ("t", "r1")}
    assert bench.images["t"] == home / "dev" / "t.png"


def test_circled_lines_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(json.dumps(session(id, 2)) for id in "ab"), encoding="utf-8")
    assert len(load_benchmark(f"circled:{path}")) == 2


def test_multiturn_fashioniq(tmp_path: Path) -> None:
    record = {
        "target": ["http://shop/1.jpg", "B1"],
        "reference": [
            ["http://shop/2.jpg", ["has long sleeves", "is longer."], "B2"],
            ["http://shop/3.jpg", ["is red", " is darker"], "B3"],
        ],
    }
    bench = load_benchmark(f"multiturn:{save(tmp_path / 'dress.val.json', [record])}?gallery=named")
    assert bench.queries[0].id == "dress-0"
    assert [turn.text for turn in bench.queries[0].turns] == [
        "has long sleeves and is longer",
        "is red and is darker",
    ]
    assert {case.id: case.truths for case in bench.cases} == {"dress-0": ("B1",)}
    assert bench.galleries == {"dress": ("B2", "B3", "B1")}
    assert bench.case("dress-0").notes == record
    assert read_benchmark(write_benchmark(bench, tmp_path / "b.jsonl")) == bench


def aspect(n: int, name: str, **more: Any) -> dict[str, Any]:
    return {
        "reference": f"{n}/r.png",
        "text": "two instead",
        "target": f"{n}/t.png",
        "hard_negative": f"{n}/n.png",
        "aspect": name,
        **more,
    }


def test_aspect_benchmark(tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", [aspect(0, "negation"), aspect(1, "cardinality")])
    bench = load_benchmark(f"aspects:{path}")
    assert bench.case("1").subset == ("1/t.png", "1/n.png")
    assert bench.case("1").negatives == ("1/n.png",)
    assert bench.case("1").aspects == ("cardinality",)
    assert bench.case("0").exclude == ("0/r.png",)
    assert len(bench.galleries[""]) == 6
    assert bench.images["0/r.png"] == tmp_path / "0" / "r.png"
    assert "Within('cardinality', Recall @ 1)" in bench.measures
    apart = load_benchmark(f"aspects:{path}?gallery=aspect")
    assert {name: len(ids) for name, ids in apart.galleries.items()} == {"cardinality": 3, "negation": 3}


def test_an_aspect_has_one_name_whatever_the_file_calls_it(tmp_path: Path) -> None:
    path = save(tmp_path / "a.json", [aspect(0, "change"), aspect(1, "texture")])
    bench = load_benchmark(f"aspects:{path}")
    assert [case.aspects for case in bench.cases] == [("compare_change",), ("texture",)]


def test_an_aspect_record_without_its_target_is_named(tmp_path: Path) -> None:
    record = aspect(0, "negation")
    del record["target"]
    with pytest.raises(DataError, match=r"a\.json, record 1: no field target"):
        load_benchmark(f"aspects:{save(tmp_path / 'a.json', [record])}")


def test_pictures_are_looked_for_where_the_name_says(tmp_path: Path) -> None:
    path = save(tmp_path / "s.json", [session("a", 2)])
    (tmp_path / "pictures" / "deep").mkdir(parents=True)
    for name in ("r1.png", "deep/t.jpg"):
        (tmp_path / "pictures" / name).touch()
    bench = load_benchmark(f"circled:{path}?gallery=named&images={tmp_path / 'pictures'}")
    assert bench.images == {
        "r1": tmp_path / "pictures" / "r1.png",
        "t": tmp_path / "pictures" / "deep" / "t.jpg",
    }
    assert "images" not in bench.header()
    with pytest.raises(UsageError, match="no such folder"):
        load_benchmark(f"circled:{path}?images={tmp_path / 'none'}")


def test_human_scores(tmp_path: Path) -> None:
    sets = [{"images": ["a", "b"], "score": 4}, {"images": ["b", "c"], "score": 2}]
    records = [
        {"id": 5, "reference": "r", "text": "x", "target": "b", "sets": sets, "preferred": 1},
        {"id": 6, "reference": "r", "text": "x", "sets": sets, "preferred": 2, "valid": False},
    ]
    path = save(tmp_path / "h.json", records)
    bench = load_benchmark(f"human:{path}")
    assert {case.id: case.subset for case in bench.cases} == {"5": ("a", "b", "c")}
    assert bench.case("5").judgement == Judgement.from_dict({"sets": sets, "preferred": 1})
    assert bench.extra["findings"] == ["1 queries were flagged as invalid and are left out"]
    assert len(load_benchmark(f"human:{path}?invalid=kept")) == 2


def test_circo_reads_its_gallery_from_the_list_of_coco(tmp_path: Path) -> None:
    record = {
        "id": 0,
        "reference_img_id": 1,
        "target_img_id": 2,
        "gt_img_ids": [3, 2],
        "relative_caption": "at night",
        "shared_concept": "a dog",
        "semantic_aspects": ["negation"],
    }
    save(tmp_path / "annotations/val.json", [record])
    images = [{"id": n, "file_name": f"{n:012d}.jpg"} for n in (1, 2, 3)]
    save(tmp_path / "COCO2017_unlabeled/annotations/image_info_unlabeled2017.json", {"images": images})
    bench = load_benchmark(f"circo:{tmp_path}?text=concept")
    assert bench.galleries == {"": ("1", "2", "3")}
    assert {case.id: case.truths for case in bench.cases} == {"0": ("2", "3")}
    assert bench.queries[0].last.text == "a dog, at night"
    assert bench.images["3"].name == "000000000003.jpg"


def test_cirr_all_dev_lists_the_folder(tmp_path: Path) -> None:
    save(tmp_path / "image_splits/split.rc2.val.json", {"dev-1": "./dev/dev-1.png"})
    save(tmp_path / "captions/cap.rc2.val.json", [])
    for name in ("dev-1.png", "dev-2.png"):
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / name).touch()
    bench = load_benchmark(f"cirr:{tmp_path}?gallery=all-dev")
    assert bench.galleries[""] == ("dev-1", "dev-2")
    assert all(path.is_file() for path in bench.images.values())


@pytest.mark.parametrize(
    ("name", "file", "value", "said"),
    [
        (
            "circled:{}/s.json",
            "s.json",
            [{"session_id": 1}],
            "record 1: no field subset, ground_truth_ids, turns",
        ),
        ("circled:{}/s.json", "s.json", [session("a", 2)] * 2, "session a is there twice"),
        (
            "circled:{}/s.json",
            "s.json",
            [session("a", 1) | {"turns": [7]}],
            "something in it that circled does not",
        ),
        (
            "circled:{}/s.json",
            "s.json",
            [session("a", 2) | {"num_turns": 3}],
            "record 1: session a says 3 turns and has 2",
        ),
        ("circled:{}/s.json", "s.json", [session("a", 0)], "session a says 0 turns and has 0"),
        (
            "human:{}/h.json",
            "h.json",
            [
                {
                    "reference": 7,
                    "text": "a",
                    "sets": [{"images": [one], "score": 1} for one in "bc"],
                    "preferred": 1,
                }
            ],
            "query 0 says 7 where a text or a name stands",
        ),
        (
            "multiturn:{}/d.json",
            "d.json",
            [{"target": [0, "t"], "reference": [[0, "is red", "r"]]}],
            "captions are a list of texts, not is red",
        ),
        (
            "multiturn:{}/d.json",
            "d.json",
            [{"target": [], "reference": []}],
            "something in it that multiturn does",
        ),
        ("circo:{}", "annotations/val.json", [{"id": 0}], "no field reference_img_id, relative_caption"),
        ("circo:{}", "annotations/val.json", ["x"], "record 1: a JSON object is wanted, not x"),
        ("circo:{}", "annotations/val.json", [None], "record 1: a JSON object is wanted, not None"),
        ("circo:{}", "annotations/val.json", [CIRCO, CIRCO], "query 3 is there twice"),
        (
            "circo:{}",
            "annotations/val.json",
            [CIRCO, {**CIRCO, "target_img_id": 5}],
            "record 1: no field target_img_id",
        ),
        ("imagecode:{}", "valid_data.json", {"set": {"12": "a"}}, "set/12 is none of the ten pictures"),
        ("imagecode:{}", "valid_data.json", {"set": 5}, "something in it that imagecode does not have"),
        (
            "human:{}/h.json",
            "h.json",
            [{"reference": "", "text": "", "sets": [], "preferred": 3}],
            "two sets",
        ),
    ],
)
def test_a_file_of_another_form_is_an_error_of_ours(
    tmp_path: Path, name: str, file: str, value: Any, said: str
) -> None:
    save(tmp_path / file, value)
    with pytest.raises(DataError, match=said):
        load_benchmark(name.format(tmp_path))


def test_a_circlet_file_takes_no_options(tmp_path: Path) -> None:
    bench = load_benchmark(f"aspects:{save(tmp_path / 'a.json', [aspect(0, 'negation')])}")
    path = write_benchmark(bench, tmp_path / "b.jsonl")
    with pytest.raises(UsageError, match="says its own protocol"):
        load_benchmark(f"{path}?reference=kept")


def test_marks_of_other_systems_do_not_matter(tmp_path: Path) -> None:
    text = json.dumps(session("a", 2), indent=None) + "\r\n" + json.dumps(session("b", 1)) + "\r\n"
    odd = text.replace("more 1", "more\u2028or less")
    (tmp_path / "s.jsonl").write_bytes(b"\xef\xbb\xbf" + odd.encode())
    bench = load_benchmark(f"circled:{tmp_path / 's.jsonl'}")
    assert [query.id for query in bench.queries] == ["a", "b"]
    assert bench.queries[0].turns[0].text == "more\u2028or less"


def test_turns_are_told_in_their_order_and_nothing_of_them_is_lost(tmp_path: Path) -> None:
    told = session("a", 2) | {"source": "x"}
    told["turns"] = [turn | {"rank": turn["turn"] * 10} for turn in reversed(told["turns"])]
    bench = load_benchmark(f"circled:{save(tmp_path / 's.json', [told])}")
    assert [turn.picture for turn in bench.queries[0].turns] == ["r1", "r2"]
    assert bench.case("a").notes == {
        "source": "x",
        "ground_truth_ids": ["t"],
        "num_turns": 2,
        "turns": [{"turn": 1, "rank": 10}, {"turn": 2, "rank": 20}],
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cirr:{}:dev", "cirr has no split 'dev'"),
        ("cirr:{}", r"cap\.rc2\.val\.json: No such file or directory; put it there, or name the right path"),
        ("tableaux:cir", "tableaux of which folder"),
        ("tableaux:cir:nowhere", r"nowhere/cir\.val\.jsonl: no such tableaux benchmark; make it"),
    ],
)
def test_a_name_that_leads_nowhere_is_wrong_usage(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load_benchmark(name.format(tmp_path))


def test_circled_over_circos_gallery_calls_pictures_as_circo_does(tmp_path: Path) -> None:
    record = {
        "id": 0, "reference_img_id": 31, "target_img_id": 42, "gt_img_ids": [42], "relative_caption": "x",
        "shared_concept": "a", "semantic_aspects": [],
    }  # fmt: skip
    save(tmp_path / "circo/annotations/val.json", [record])
    images = [{"id": n, "file_name": f"{n:012d}.jpg"} for n in (31, 42, 53)]
    listed = "circo/COCO2017_unlabeled/annotations/image_info_unlabeled2017.json"
    save(tmp_path / listed, {"images": images})
    told = session("a", 2) | {"subset": "circo_val", "ground_truth_ids": ["000000000042"]}
    for turn in told["turns"]:
        turn["reference_image_id"] = "000000000031"
    path = save(tmp_path / "s.json", [told])
    bench = load_benchmark(f"circled:{path}?gallery=circo:{tmp_path / 'circo'}:val")
    assert bench.cases[0].truths == ("42",)
    assert {turn.picture for turn in bench.queries[0].turns} == {"31"}
    assert bench.cases[0].truths[0] in bench.gallery_of("a")
    # What a protocol is called does not depend on where the files lie.
    assert bench.header() == "circled all gallery=3(circo val) auc=intervals"
    lost = load_benchmark(f"circled:{path}?gallery=circo:{tmp_path / 'circo'}:val&outside=miss")
    assert lost.protocol["outside"] == "miss"
    with pytest.raises(UsageError, match="write outside=miss"):
        load_benchmark(f"circled:{path}?outside=perhaps")


def test_frames_of_a_video_are_placed_by_their_numbers(tmp_path: Path) -> None:
    numbers = [3, 95, 143, 150, 200, 201, 1000, 1001, 2000, 30000]
    save(tmp_path / "valid_data.json", {"video-1": {"1": "she turns"}, "open-images-2": {"0": "a dog"}})
    for name, several in (("video-1", numbers), ("open-images-2", range(10))):
        (tmp_path / "image-sets" / name).mkdir(parents=True)
        for number in several:
            (tmp_path / "image-sets" / name / f"img{number}.jpg").touch()
    bench = load_benchmark(f"imagecode:{tmp_path}")
    ten = bench.case("video-1/1").subset
    assert [bench.images[id].name for id in ten] == [f"img{number}.jpg" for number in numbers]
    assert bench.images["open-images-2/7"].name == "img7.jpg"
    (tmp_path / "image-sets/video-1/img3.jpg").unlink()
    # Which of them is gone nobody knows: none of the nine may stand in for another.
    damaged = load_benchmark(f"imagecode:{tmp_path}")
    assert set(damaged.images) == set(damaged.case("open-images-2/0").subset)
    assert f"the first of them {tmp_path / 'image-sets/video-1'} (9): fetch" in damaged.extra["findings"][0]


def test_truths_outside_the_gallery_may_count_as_missed_in_any_benchmark(tmp_path: Path) -> None:
    member = [f"dev-{number}" for number in range(6)]
    pair = {"pairid": 1, "reference": member[0], "target_hard": "dev-9", "target_soft": {"dev-9": 1.0}}
    save(tmp_path / "captions/cap.rc2.val.json", [pair | {"caption": "x", "img_set": {"members": member}}])
    save(tmp_path / "image_splits/split.rc2.val.json", {name: f"{name}.png" for name in member})
    name = f"cirr:{tmp_path}"
    with pytest.raises(DataError, match="or set the protocol outside=miss"):
        chance(load_benchmark(name), [Recall @ 1])
    advised = load_benchmark(f"{name}?outside=miss&reference=kept")
    assert advised.header() == "cirr val gallery=6 reference=kept target=hard outside=miss"
    assert chance(advised, [Recall @ 1]).measures == {"Recall @ 1": 0.0}
    write_benchmark(load_benchmark(name), tmp_path / "own.jsonl")
    assert load_benchmark(f"{tmp_path / 'own.jsonl'}?outside=miss").protocol["outside"] == "miss"
