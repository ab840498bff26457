"""Descriptions and who found the picture by them: the table, what is wrong in it, and what is kept."""

import json
from pathlib import Path

import pytest

from circlet.core import DataError, UsageError
from circlet.data.load import load_benchmark
from circlet.data.retrievals import Description, read_retrievals, write_kept, write_retrievals

HEAD = "split,set,place,text,describer,retriever,chosen\n"


def described(split: str, *chosen: int, place: int = 3, text: str = "the door is open") -> Description:
    return Description(split, "video-1", place, text, {f"p{at}": one for at, one in enumerate(chosen)}, "me")


@pytest.mark.parametrize(
    ("split", "chosen", "verdict"),
    [
        ("train", (), "open"),
        ("train", (3,), "kept"),
        ("train", (4,), "left out"),
        ("val", (), "open"),
        ("val", (3,), "open"),
        ("val", (4,), "open"),
        ("val", (4, 5), "left out"),
        ("val", (3, 3), "kept"),
        ("val", (3, 4), "open"),
        ("val", (3, 4, 3), "kept"),
        ("test", (3, 4, 5), "left out"),
        ("test", (3, 4, 5, 3), "kept"),
    ],
)
def test_one_of_one_is_kept_in_train_and_two_of_three_elsewhere(
    split: str, chosen: tuple[int, ...], verdict: str
) -> None:
    assert described(split, *chosen).verdict == verdict


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    told = [
        described("train", 3, text='she says "no", then; ünïcode 緑\nand a second line'),
        described("val", 3, 4, 3, place=0),
        described("test"),
    ]
    write_retrievals(tmp_path / "all.csv", told)
    assert read_retrievals(tmp_path / "all.csv") == told
    lines = [
        {"set": "static-1", "place": 2, "text": "open", "retriever": "a", "chosen": 2},
        {"set": "static-1", "place": 2, "text": "open", "retriever": "b", "chosen": "7"},
    ]
    (tmp_path / "val.jsonl").write_text("\n".join(map(json.dumps, lines)))
    [one] = read_retrievals(tmp_path / "val.jsonl", split="val")
    assert one == Description("val", "static-1", 2, "open", {"a": 2, "b": 7})
    assert one.static
    assert not told[0].static


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("dev,s,1,t,,a,1", "line 2: 'dev' is no split: train, val, test"),
        ("val,,1,t,,a,1", "line 2: no set"),
        ("val,s,1,,,a,1", "line 2: no text"),
        ("val,s,10,t,,a,1", "line 2: place '10' is none from 0 to 9"),
        ("val,s,1,t,,a,x", "line 2: chosen 'x' by 'a': a retriever, and a place from 0 to 9"),
        ("val,s,1,t,,,4", "line 2: chosen '4' by '': a retriever"),
        ("val,s,1,t,a,a,1", "line 2: a looked for what they described themselves"),
        ("val,s,1,t,,a,1\nval,s,1,t,,a,2", "line 3: a looked for it twice"),
    ],
)
def test_what_is_wrong_is_told_by_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(HEAD + line + "\n")
    with pytest.raises(DataError) as caught:
        read_retrievals(path)
    assert problem in str(caught.value)


def test_a_table_without_its_columns_or_split_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("set,place,text,retriever,chosen\nvideo-1,1,t,a,1\n")
    with pytest.raises(DataError, match="the header lacks split"):
        read_retrievals(path)
    assert read_retrievals(path, split="train")[0].verdict == "kept"
    with pytest.raises(UsageError, match="a split is one of train, val, test, not 'dev'"):
        read_retrievals(path, split="dev")


def test_what_is_kept_becomes_imagecodes_files(tmp_path: Path) -> None:
    found = [
        described("val", 3, 3, 4, text="found by two"),
        described("val", 3, 3, 3, text="found by all"),
        described("val", 9, 1, 9, place=9, text="found by two at another place"),
        described("val", 4, 5, 3, place=7, text="found by none"),
        described("train", place=1, text="nobody looked"),
    ]
    [path] = write_kept(tmp_path, found)
    assert json.loads(path.read_text()) == {
        "video-1": {"3": "found by all", "9": "found by two at another place"}
    }
    bench = load_benchmark(f"imagecode:{tmp_path}:val")
    assert {case.target for case in bench.cases} == {"video-1/3", "video-1/9"}
    assert write_kept(tmp_path / "none", found[3:]) == []
