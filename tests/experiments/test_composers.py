"""The table of paper 000: its numbers as printed, verdicts from intervals, a page that says both."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from circlet.core import Benchmark
from circlet.experiments.claims import check, page, plain
from circlet.experiments.composers import (
    MEASURES,
    QUICK,
    ROWS,
    Row,
    Spread,
    jobs,
    numbers_of,
    sample,
    spreads,
)
from circlet.experiments.workers import Table
from circlet.models.features import Features
from circlet.train.setup import TrainingSetup


def test_the_papers_numbers_agree_with_themselves() -> None:
    """The last column of table 3 is the mean of two others; a slip of the pen would show."""
    printed = [row.paper for row in ROWS if row.paper]
    assert len(printed) == 14
    for numbers in printed:
        assert len(numbers) == len(MEASURES)
        assert numbers[7] == pytest.approx((numbers[1] + numbers[4]) / 2, abs=0.011)


def results(**heads: tuple[float, float, float]) -> Any:
    """TableNumbers in which every measure of a row has this spread."""
    return {
        key.replace("_", "-"): {repr(one): Spread(*spread) for one in MEASURES}
        for key, spread in heads.items()
    }


def test_a_claim_holds_when_the_intervals_do_not_overlap() -> None:
    here = results(
        random=(20, 20, 20),
        cirplant=(40, 39, 41),
        cirplant_no_init=(36, 35, 38),
        tirg=(35, 34, 36),
        image_only=(21, 20, 22),
        text_only=(30, 29, 31),
        sum=(19, 19, 19),
    )
    found = {verdict.claim: verdict.holds for verdict in check(here)}
    assert found == {
        "pretrained CIRPLANT beats CIRPLANT without pretraining": "holds",
        "pretrained CIRPLANT beats TIRG, MAAF and concatenation": "holds",
        "pretrained CIRPLANT beats the one-modality baselines": "holds",
        "CIRPLANT without pretraining beats TIRG, MAAF and concatenation": (
            "holds for the mean; the intervals overlap"
        ),
        "CIRPLANT without pretraining beats the one-modality baselines": "holds",
        "image-only is near chance within subsets (± 3)": "holds",
        "text-only is better within subsets than image-only": "holds",
        "the best composer at least doubles the untrained weighted sum": "holds",
    }


def test_a_claim_that_fails_says_by_what() -> None:
    here = results(random=(20, 20, 20), cirplant=(30, 30, 30), tirg=(35, 34, 36), image_only=(26, 26, 26),
                   sum=(19, 19, 19))  # fmt: skip
    found = {verdict.claim: (verdict.holds, verdict.evidence) for verdict in check(here)}
    assert found["pretrained CIRPLANT beats TIRG, MAAF and concatenation"] == (
        "does not hold",
        "30.00 against tirg 35.00 ± 1.00 (Mean(Recall @ 5, SubsetRecall @ 1))",
    )
    assert found["image-only is near chance within subsets (± 3)"] == ("does not hold", "26.00 against 20.00")
    assert found["the best composer at least doubles the untrained weighted sum"] == (
        "does not hold",
        "tirg 35.00 ± 1.00 against 19.00: 1.84 times",
    )


def test_rows_may_come_in_any_order() -> None:
    """As they do when a run goes on that was stopped: what is not there yet decides nothing."""
    every = results(
        random=(20, 20, 20),
        cirplant=(30, 30, 30),
        cirplant_no_init=(20, 20, 20),
        tirg=(35, 34, 36),
        image_only=(26, 26, 26),
        text_only=(9, 9, 9),
        sum=(19, 19, 19),
    )
    whole = {verdict.claim for verdict in check(every)}
    for gone in every:
        fewer = {verdict.claim for verdict in check({key: row for key, row in every.items() if key != gone})}
        assert fewer <= whole


def test_better_rates_count_for_the_rival() -> None:
    here = results(cirplant=(30, 29, 31), cirplant_no_init=(20, 20, 20), cirplant_no_init_fast=(30, 28, 30))
    (verdict,) = check(here)
    assert verdict.holds == "does not hold"
    assert "cirplant-no-init-fast" in verdict.evidence


def test_the_page_shows_ours_beside_the_papers() -> None:
    here = results(random=(20, 20, 20), cirplant=(40, 39, 41))
    said = page(here, QUICK, ["test: toy"])
    assert "| CIRPLANT (pretrained) |" in said
    assert "| 40.00 ± 1.00 | 52.55 | 39.20 | 45.88 |" in said
    assert plain(here)["cirplant"]["Recall @ 5"] == {"mean": 40, "low": 39, "high": 41}


def test_a_row_with_the_papers_loss_does_not_claim_its_recipe() -> None:
    said = page(results(cirplant_own=(18, 18, 18), tirg_own=(29, 29, 29)), QUICK, [])
    assert "| CIRPLANT (pretrained), soft triplet, negatives of the batch |" in said
    assert "the paper trains CIRPLANT at 1e-5 without warm-up, for 300 epochs, with one negative" in said
    assert not [row.label for row in ROWS if "paper" in row.label]


def test_seeds_come_one_after_the_other() -> None:
    table = Table(Path(), Path(), replace(QUICK, seeds=2), only=("tirg", "concat"))
    todo = [(row.key, seed) for row, seed in jobs(table.budget, table.rows)]
    assert todo == [
        ("random", 0), ("concat", 0), ("tirg", 0), ("sum", 0), ("concat", 1), ("tirg", 1),
    ]  # fmt: skip


def test_a_sample_keeps_what_its_queries_need(world: tuple[Benchmark, Features]) -> None:
    bench, _ = world
    few = sample(bench, 4)
    assert [query.id for query in few.queries] == ["0-red", "0-night", "0-two", "1-red"]
    assert few.galleries[""] == ("0", "0-red", "0-night", "0-two", "1", "1-red", "1-night", "1-two")
    assert set(few.pictures) == set(few.galleries[""])


class Six:
    fingerprint = "toy:6"
    dim = 6


def test_a_row_is_trained_once_and_read_back(
    world: tuple[Benchmark, Features], language_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, features = world
    setup = TrainingSetup(bench, bench, features, Six(), language_folder)
    row = next(row for row in ROWS if row.key == "concat")
    budget = replace(QUICK, width=8, batch=8)
    assert repr(setup.measure) == "Mean(Recall @ 5, SubsetRecall @ 1)"

    def numbers(row: Row = row) -> dict[str, float]:
        return numbers_of(row, 0, budget, setup, bench, tmp_path)

    first = numbers()
    assert set(first) == {repr(one) for one in MEASURES}
    assert (tmp_path / "checkpoints" / "concat.0" / "config.json").exists()
    monkeypatch.setattr(setup, "train", None)
    assert numbers() == first
    assert spreads({"concat": [first, first]})["concat"]["Recall @ 5"].low == first["Recall @ 5"]
    chance_row = next(row for row in ROWS if row.key == "random")
    assert numbers(chance_row)["SubsetRecall @ 1"] == pytest.approx(100 / 3)
