"""A file of one's own triplets: what is good is read, what is wrong is explained line by line."""

from pathlib import Path

import pytest
from PIL import Image

from circlet.core import DataError, UsageError
from circlet.data.readers.triplets import check_triplets, read_triplets, split_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("beach.png", "beach-night.png", "city/street.png", "dog.png"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (4, 4)).save(path)
    return tmp_path


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_csv_and_jsonl_say_the_same(folder: Path) -> None:
    table = write(
        folder, "t.csv", "reference,text,target,split", 'beach.png,"at night, please",beach-night.png,train'
    )
    lines = write(
        folder,
        "t.jsonl",
        '{"reference": "beach.png", "text": "at night, please", '
        '"target": "beach-night.png", "split": "train"}',
    )
    first, second = (read_triplets(path, "train") for path in (table, lines))
    assert [query.last.text for query in first.queries] == ["at night, please"]
    assert sorted(first.galleries[""]) == ["beach-night.png", "beach.png", "city/street.png", "dog.png"]
    assert [case.truths for case in (*first.cases, *second.cases)] == [("beach-night.png",)] * 2
    assert [case.exclude for case in first.cases] == [("beach.png",)]


def test_every_problem_is_told_with_its_line(folder: Path) -> None:
    path = write(
        folder,
        "t.jsonl",
        '{"reference": "beach.png", "text": "at night", "target": "beach-night.png"}',
        "{not json",
        "[1, 2]",
        '{"reference": "beach.png", "text": "at night"}',
        '{"reference": "beech.png", "text": "", "target": 7}',
        '{"reference": "dog.png", "text": "again", "target": "dog.png"}',
        "",
        '{"reference": "beach.png", "text": "at night", "target": "beach-night.png"}',
        '{"reference": "dog.png", "text": "in town", "target": "city/street.png", "split": "dev"}',
    )
    good, problems = check_triplets(path)
    assert [triplet.line for triplet in good] == [1]
    assert list(map(str, problems)) == [
        "line 2: not JSON (Expecting property name enclosed in double quotes at column 2)",
        "line 3: not a JSON object with reference, text and target",
        "line 4: no target",
        "line 5: reference 'beech.png' is no picture of the folder; is it 'beach.png'?",
        "line 5: text is empty",
        "line 5: target is 7, not a text",
        "line 6: reference and target are the same picture",
        "line 8: says the same as line 1; leave one of them out",
        "line 9: split is 'dev', not one of train, val, test",
    ]
    with pytest.raises(DataError, match=r"9 problem\(s\) to mend first\n  line 2: not JSON"):
        read_triplets(path, "train")


def test_a_table_without_its_columns_or_with_loose_commas_is_explained(folder: Path) -> None:
    bare = write(folder, "bare.csv", "reference,caption,target", "beach.png,at night,dog.png")
    assert [str(problem) for problem in check_triplets(bare)[1]] == [
        "line 1: the header lacks text; it must name reference, text and target"
    ]
    loose = write(folder, "loose.csv", "reference,text,target", "beach.png,at night, please,dog.png")
    assert [str(problem) for problem in check_triplets(loose)[1]] == [
        "line 2: 4 columns where the header has 3; quote texts with commas"
    ]
    empty = write(folder, "empty.jsonl")
    assert "the file has no triplets" in str(check_triplets(empty)[1][0])


def test_pictures_may_lie_in_another_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    away = tmp_path_factory.mktemp("away")
    path = write(away, "t.csv", "reference,text,target", "beach.png,at night,beach-night.png")
    assert len(check_triplets(path)[1]) == 2
    assert check_triplets(path, folder)[1] == []


def test_a_split_without_triplets_says_so(folder: Path) -> None:
    path = write(folder, "t.csv", "reference,text,target,split", "beach.png,at night,dog.png,train")
    with pytest.raises(DataError, match="none of the 1 triplets is in the split val"):
        read_triplets(path, "val")


def test_the_same_file_is_a_benchmark_to_evaluate_on(folder: Path) -> None:
    from circlet.data import load_benchmark

    path = write(folder, "t.csv", "reference,text,target,split", "beach.png,at night,dog.png,test")
    assert load_benchmark(f"triplets:{path}:test").header() == "t test gallery=4 reference=removed"
    with pytest.raises(UsageError, match=r"triplets take no options \(gallery\)"):
        load_benchmark(f"triplets:{path}:test?gallery=all")


def test_splits_fall_by_reference_in_about_eight_one_one() -> None:
    shares = [split_of(f"{number}.png") for number in range(2000)]
    assert 0.75 < shares.count("train") / 2000 < 0.85
    assert 0.07 < shares.count("val") / 2000 < 0.13
