"""Splits and settings from real annotations: nothing is measured that was trained on, whole sets apart."""

from pathlib import Path

import pytest
from tests.data.shared import real

from circlet.core import Benchmark, DataError, UsageError
from circlet.data import load_benchmark
from circlet.experiments import real as table
from circlet.experiments.claims import page
from circlet.experiments.composers import MEASURES, QUICK, Spread


def apart(kept: Benchmark, few: Benchmark, amount: int) -> None:
    """At least so many were held out, no set or reference is on both sides, the gallery is their own."""
    assert amount <= len(few) < amount + 30
    assert {table._family(case) for case in kept.cases}.isdisjoint(map(table._family, few.cases))
    needed = {id for case in few.cases for id in (*case.query.pictures, *case.truths, *case.subset)}
    assert {id for ids in few.galleries.values() for id in ids} == needed


def test_sets_of_cirr_are_held_out_whole() -> None:
    whole = load_benchmark(f"cirr:{real('cirr')}")
    kept, few = table._held_out(whole, 600)
    assert len(kept) + len(few) == len(whole)
    apart(kept, few, 600)


def test_val_of_fashioniq_is_measured_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    root = real("fashioniq")
    there = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: path.suffix == ".png" or there(path))
    train, few, test = table.real_splits(f"fashioniq:{root}", 600)
    assert (len(train) + len(few), train.split) == (18000, "train")
    apart(train, few, 600)
    assert {case.group for case in few.cases} == {"dress", "shirt", "toptee"}
    assert (test.split, len(test)) == ("val", 6016)


def test_the_settings_of_both() -> None:
    cirr = table.real_setting(load_benchmark(f"cirr:{real('cirr')}"))
    assert [repr(one) for one in cirr.measures] == [*map(repr, MEASURES[:-1]), "MAP", repr(MEASURES[-1])]
    assert cirr.human == (None, 86.09, None)
    fashion = table.real_setting(load_benchmark(f"fashioniq:{real('fashioniq')}"))
    assert fashion.headline == "Mean(ByGroup(Recall @ 10), ByGroup(Recall @ 50))"
    # As printed: the paper's image-only row is 0.09 away from its own mean.
    for ten, fifty, mean in fashion.paper.values():
        assert mean == pytest.approx((ten + fifty) / 2, abs=0.1)
    row = {repr(one): Spread(10, 9, 11) for one in fashion.measures}
    said = page({"tirg": row, "cirplant": row, "random": row}, QUICK, [], fashion)
    assert (
        "| ByGroup(mAP) | Mean(ByGroup(R@10), ByGroup(R@50)) | paper, FashionIQ: R@10 | R@50 | mean |" in said
    )
    assert "| 17.40 | 37.39 | 27.40 |" in said
    assert "Human" not in said
    assert "| pretrained CIRPLANT beats TIRG, MAAF and concatenation | does not hold |" in said


def test_what_cannot_be_trained_on_is_told() -> None:
    with pytest.raises(DataError, match="pictures are missing, the first of them"):
        table.real_splits(f"fashioniq:{real('fashioniq')}", 10)
    for name in ("circo:x", "cirr:x:val", "tableaux:cir:x"):
        with pytest.raises(UsageError, match="write cirr:ROOT or fashioniq:ROOT, without a split"):
            table.real_splits(name, 10)
