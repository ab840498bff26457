"""Numbers of the papers beside ours, on the real annotations."""

import pytest

from circlet.core import Benchmark
from circlet.data import load_benchmark
from circlet.data.analysis import stats
from circlet.data.published import beside
from tests.data.shared import real


def _beside(name: str) -> dict[str, tuple[float, float, str]]:
    benchmark = load_benchmark(name)
    return {row.what: (row.ours, row.paper, row.why) for row in beside(benchmark, stats(benchmark))}


def test_cirr_beside_its_paper() -> None:
    rows = _beside(f"cirr:{real('cirr')}")
    for what, (ours, paper, why) in rows.items():
        if what != "comparative_statement":
            assert ours == pytest.approx(paper, abs=6), what
        assert why or abs(ours - paper) < 0.5, f"{what} differs, and nobody says why"
    assert rows["comparing in any way"][0] == pytest.approx(51.7, abs=1)
    assert rows["pairs in a subset"][0] == pytest.approx(8.31, abs=0.005)


def test_fashioniqs_three_classes_are_told_by_the_same_rule() -> None:
    rows = _beside(f"fashioniq:{real('fashioniq')}")
    assert rows["direct, nothing compared"][0] == pytest.approx(49, abs=3)
    assert rows["compared, nothing direct"][0] == pytest.approx(32, abs=3)
    assert rows["direct and compared"][0] == pytest.approx(19, abs=3)
    assert sum(rows[name][0] for name in list(rows)[-4:-1]) == pytest.approx(100)
    assert rows["addition"][0] == pytest.approx(15.7, abs=3)


def test_imagecode_beside_its_paper() -> None:
    rows = _beside(f"imagecode:{real('imagecode')}")
    for part, share in {"video": 72.1, "static": 30.2}.items():
        assert rows[f"names a part of a body, {part}"][0] == pytest.approx(share, abs=3)
    for part, share in {"video": 33.6, "static": 61.4}.items():
        assert rows[f"names a colour, {part}"][0] == pytest.approx(share, abs=3)
    assert rows["depth of a sentence"][0] == pytest.approx(5.1, abs=0.5)


def test_a_dataset_of_ones_own_stands_alone() -> None:
    mine = Benchmark(name="mine", split="val", galleries={}, cases=())
    assert beside(mine, stats(mine)) == []
