"""`circlet reproduce composers` through the real command, on a world of twelve pictures."""

import json
from pathlib import Path
from typing import Any

import pytest

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data import write_benchmark

COLOURS = ("red", "green", "blue", "yellow")


@pytest.fixture
def tiny(picture: Any, tmp_path: Path) -> Path:
    """A set in the layout of a tableaux set: three shapes in four colours, a subset for each shape."""
    images = {
        f"{shape}-{colour}": picture(f"{shape}-{colour}.png", colour, size=size)
        for shape, size in {"wide": (320, 200), "high": (200, 320), "flat": (300, 150)}.items()
        for colour in COLOURS
    }
    pairs = [(a, b) for a in images for b in images if a != b and a.split("-")[0] == b.split("-")[0]]
    for split in ("train", "val", "test"):
        named = {f"{split}-{number}": pair for number, pair in enumerate(pairs)}
        bench = Benchmark(
            name="tiny",
            split=split,
            cases=cases_of(
                tuple(
                    Query(id, (Turn(picture=a, text=f"make it {b.split('-')[1]}"),))
                    for id, (a, b) in named.items()
                ),
                truths={id: (b,) for id, (_, b) in named.items()},
                exclusions={id: (a,) for id, (a, _) in named.items()},
                subsets={
                    id: tuple(n for n in images if n.startswith(a.split("-")[0]))
                    for id, (a, _) in named.items()
                },
            ),
            galleries={"": tuple(images)},
            measures=("Mean(Recall @ 5, SubsetRecall @ 1)",),
            images=images,
        )
        write_benchmark(bench, tmp_path / "tiny" / f"cir.{split}.jsonl")
    return tmp_path / "tiny"


def test_a_row_beside_the_papers_and_nothing_twice(command: Any, tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "composers"
    asked = ("reproduce", "composers", "--quick", "--root", tiny, "--out", out, "--workers", 1)
    done = command(*asked, "--only", "image-only")
    assert "| Image-only |" in done.stdout
    assert "| 48.46 | 20.93 | 34.70 |" in done.stdout
    assert "image-only is near chance within subsets" in done.stdout
    assert "Image-only, seed 0:" in done.stderr
    numbers = json.loads((out / "composers.json").read_text())
    assert set(numbers) == {"random", "image-only", "sum"}
    result = out / "results" / "image-only.0.json"
    before = result.stat().st_mtime_ns
    again = command(*asked, "--only", "image-only")
    assert again.stdout == done.stdout
    assert result.stat().st_mtime_ns == before, "a finished row is read back, not trained again"


def test_an_unknown_row_is_named_with_the_known_ones(command: Any, tmp_path: Path) -> None:
    done = command("reproduce", "composers", "--only", "cirplent", "--out", tmp_path, code=2)
    assert "no row cirplent: pick from random, init, image-only" in done.stderr


def save(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


@pytest.fixture
def tiny_cirr(picture: Any, tmp_path: Path) -> Path:
    """Sets of four look-alikes in CIRR's own shape: every ordered pair of a set is asked."""
    root = tmp_path / "pictures"
    sizes = {"wide": (96, 64), "high": (64, 96), "flat": (96, 48)}
    number = 0
    for split, folder in (("train", "train"), ("val", "dev")):
        files, records = {}, []
        for place, (shape, size) in enumerate(sizes.items()):
            members = [f"{folder}-{shape}-{colour}" for colour in COLOURS]
            for name, colour in zip(members, COLOURS, strict=True):
                files[name] = f"./{folder}/{name}.png"
                picture(f"{folder}/{name}.png", colour, size=size, seed=len(files) + 100 * (split == "val"))
            for reference in members:
                for target in members:
                    if reference != target:
                        number += 1
                        records.append(
                            {
                                "pairid": number,
                                "reference": reference,
                                "target_hard": target,
                                "target_soft": {target: 1.0},
                                "caption": f"make it {target.split('-')[2]}",
                                "img_set": {"id": place, "members": members},
                            }
                        )
        save(root / f"captions/cap.rc2.{split}.json", records)
        save(root / f"image_splits/split.rc2.{split}.json", files)
    return root


def test_the_table_from_annotations_in_cirrs_shape(command: Any, tiny_cirr: Path, tmp_path: Path) -> None:
    out = tmp_path / "cirr"
    asked = ("reproduce", "composers", "--quick", "--data", f"cirr:{tiny_cirr}", "--out", out, "--workers", 1)
    done = command(*asked, "--only", "image-only", "--only", "concat")
    assert "# Composers of paper 000, trained on CIRR" in done.stdout
    assert (
        "| row | R@1 | R@5 | R@10 | R@50 | Rsub@1 | Rsub@2 | Rsub@3 | mAP | (R@5 + Rsub@1)/2 |" in done.stdout
    )
    assert f"| Human |{' – |' * 9} – | 86.09 | – |" in done.stdout
    assert "| Concatenation |" in done.stdout
    # A set of the three is held out of train to choose the epoch by; val is measured and nothing else.
    assert "train: cirr train gallery=12 reference=removed target=hard, 24 queries" in done.stdout
    assert "part of train: cirr train gallery=4 reference=removed target=hard, 12 queries" in done.stdout
    assert "measured: cirr val gallery=12 reference=removed target=hard, 36 queries" in done.stdout
    numbers = json.loads((out / "composers.json").read_text())
    assert set(numbers) == {"random", "image-only", "concat", "sum"}
    # One of three is right in a subset; over eleven, 1/11 of the sum of 1/rank.
    assert numbers["random"]["SubsetRecall @ 1"]["mean"] == pytest.approx(100 / 3)
    assert numbers["random"]["MAP"]["mean"] == pytest.approx(
        100 * sum(1 / rank for rank in range(1, 12)) / 11
    )


def test_what_real_annotations_lack_is_told_first(command: Any, tiny_cirr: Path, tmp_path: Path) -> None:
    asked = ("reproduce", "composers", "--quick", "--out", tmp_path / "out", "--data")
    (tiny_cirr / "dev" / "dev-wide-blue.png").unlink()
    said = command(*asked, f"cirr:{tiny_cirr}", code=1).stderr
    assert "1 of 24 pictures are missing, the first of them dev-wide-blue" in said
    assert "no row sum-joint" in command(*asked, f"cirr:{tiny_cirr}", "--only", "sum-joint", code=2).stderr
