"""The subset procedure of CIRR on vectors whose similarities can be read off, and its files."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import circlet
from circlet.build import (
    DRAWN,
    SubsetRule,
    draw_pairs,
    find_subsets,
    read_subsets,
    write_cirr,
    write_subsets,
)
from circlet.core import UsageError
from circlet.data import load_benchmark
from circlet.data.tableaux import Scene, Thing, encoded, render


def at(similarities: list[float]) -> np.ndarray:  # type: ignore[type-arg]
    """The first vector, and vectors of these similarities to it."""
    rows = [(1.0, 0.0), *((s, math.sqrt(1 - s * s)) for s in similarities)]
    return np.array(rows, dtype=np.float32)


def subset_of_first(vectors: np.ndarray, rule: SubsetRule) -> tuple[int, ...] | None:  # type: ignore[type-arg]
    found = find_subsets(vectors, SubsetRule(**{**vars(rule), "shared": 6})).rows
    return next((subset for subset in found if subset[0] == 0), None)


def test_near_identical_pictures_are_dropped_and_close_steps_skipped() -> None:
    similarities = [0.95, 0.94, 0.93, 0.929, 0.925, 0.92, 0.9185, 0.91, 0.90]
    # 0.95 and 0.94 are the same picture; 0.929 and 0.9185 are within 0.002 of the one before.
    assert subset_of_first(at(similarities), SubsetRule(pool=9)) == (0, 3, 5, 6, 8, 9)


def test_only_the_pool_is_looked_at() -> None:
    assert subset_of_first(at([0.9, 0.8999, 0.8998, 0.8, 0.7, 0.6, 0.5]), SubsetRule(pool=6)) is None
    assert subset_of_first(at([0.9, 0.8999, 0.8998, 0.8, 0.7, 0.6, 0.5]), SubsetRule(pool=7)) == (
        0,
        1,
        4,
        5,
        6,
        7,
    )


def test_heavy_overlap_is_filtered_and_counted() -> None:
    vectors = at([0.9, 0.8, 0.7, 0.6, 0.5])
    alone = find_subsets(vectors, SubsetRule(pool=5, near=1.0, gap=0, shared=2))
    assert len(alone.rows) == 1
    assert alone.tried == 6
    assert "5 discarded: overlaps a subset kept before" in alone.report()
    assert len(find_subsets(vectors, SubsetRule(pool=5, near=1.0, gap=0, shared=6)).rows) == 6


def test_most_ends_the_search_and_the_seed_changes_the_order() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(60, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert len(find_subsets(vectors, SubsetRule(most=3)).rows) == 3
    assert find_subsets(vectors, SubsetRule(), 1).rows == find_subsets(vectors, SubsetRule(), 1).rows
    assert find_subsets(vectors, SubsetRule(), 1).rows != find_subsets(vectors, SubsetRule(), 2).rows


def test_a_rule_that_cannot_be_met_is_refused() -> None:
    with pytest.raises(UsageError, match="next 4"):
        SubsetRule(pool=4)


def test_pairs_close_a_loop_and_fan_out_from_the_first() -> None:
    assert len(DRAWN) == 9
    pairs = draw_pairs("abcdef", 3)
    loop = [(pair.reference, pair.target) for pair in pairs[:6]]
    assert [target for _, target in loop] == [reference for reference, _ in loop[1:]] + [loop[0][0]]
    first = loop[0][0]
    assert [pair.reference for pair in pairs].count(first) == 4
    assert {reference for reference, _ in loop} == set("abcdef")


def test_written_pairs_read_back_as_cirr(tmp_path: Path) -> None:
    names = [f"holiday/{letter}.jpg" for letter in "abcdef"]
    subsets = read_subsets(write_subsets(tmp_path / "subsets.json", [names]))
    built = write_cirr(tmp_path, "val", subsets)
    assert (built.subsets, built.pairs, built.pictures) == (1, 9, 6)
    bench = load_benchmark(f"cirr:{tmp_path}:val")
    assert len(bench) == 9
    assert {query.last.text for query in bench.queries} == {""}
    assert {len(case.subset) for case in bench.cases} == {5}
    assert "holiday/a" in bench.galleries[""]


def test_a_broken_list_of_subsets_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "subsets.json"
    with pytest.raises(UsageError, match="circlet build subsets"):
        read_subsets(path)
    path.write_text(json.dumps([{"id": 0, "members": ["a"] * 6}]))
    with pytest.raises(UsageError, match="six different"):
        read_subsets(path)


def test_two_names_that_differ_in_their_ending_only_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="rename one"):
        write_cirr(tmp_path, "val", [["a.jpg", "a.png", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]])


def test_any_folder_becomes_a_dataset_through_the_real_command(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    (folder / "more").mkdir(parents=True)
    colours = ("red", "blue", "green", "yellow", "orange", "purple")
    for number in range(12):
        thing = Thing(
            kind="car", count=1 + number // 6, colour=colours[number % 6], facing="left",
            column=("left", "right")[number % 2],
        )  # fmt: skip
        scene = Scene(setting=("beach", "street")[number % 2], things=(thing,), jitter=number)
        (folder / ("more" if number % 2 else "") / f"{number}.jpg").write_bytes(encoded(render(scene)))
    (folder / "broken.jpg").write_bytes(b"not a picture")
    env = os.environ | {"PYTHONPATH": str(Path(circlet.__file__).parents[1])}

    def circlet_build(*said: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "circlet", "build", *said],
            capture_output=True, text=True, env=env, check=False, cwd=tmp_path,
        )  # fmt: skip

    out = str(tmp_path / "subsets.json")
    done = circlet_build(
        "subsets", "pictures", "--out", out, "--near", "0.999", "--gap", "0", "--shared", "3"
    )
    assert done.returncode == 0, done.stderr
    assert "from 12 pictures" in done.stdout
    assert "12 pictures tried as the first of a subset" in done.stderr
    assert "broken.jpg" in done.stderr
    gone = circlet_build("subsets", "nowhere", "--out", out)
    assert (gone.returncode, "nowhere: no such folder" in gone.stderr) == (2, True)
    done = circlet_build("pairs", out, "--out", str(tmp_path), "--split", "val")
    assert done.returncode == 0, done.stderr
    bench = load_benchmark(f"cirr:{tmp_path}:val")
    assert len(bench) == 9 * len(read_subsets(Path(out)))
    empty = tmp_path / "empty"
    empty.mkdir()
    done = circlet_build("subsets", str(empty), "--out", out)
    assert done.returncode == 2
    assert "holds no picture" in done.stderr
