"""Agreement and comparison: by hand, and against scipy and krippendorff."""

from itertools import product

import numpy as np
import pytest

from circlet.core import (
    Benchmark,
    DataError,
    JudgedSet,
    Judgement,
    Key,
    Query,
    Ranking,
    Run,
    Turn,
    UsageError,
    cases_of,
)
from circlet.evaluate import Recall, judge_run
from circlet.evaluate.compare import compare, holm, interval, randomisation, t_test
from circlet.evaluate.measures.agreement import Krippendorff, Pearson, PreferenceRate, Spearman
from circlet.evaluate.result import measure


def test_correlations_agree_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    for _ in range(20):
        one, two = rng.integers(0, 6, 30), rng.integers(0, 6, 30)
        assert Pearson()(one, two) == pytest.approx(stats.pearsonr(one, two).statistic)
        assert Spearman()(one, two) == pytest.approx(stats.spearmanr(one, two).statistic)


@pytest.mark.parametrize(
    ("one", "two", "error"),
    [([1, 2], [1], UsageError), ([1, 1], [1, 2], DataError), ([1, np.nan], [1, 2], DataError)],
)
def test_what_cannot_correlate_is_refused(one: list[float], two: list[float], error: type[Exception]) -> None:
    with pytest.raises(error):
        Spearman()(one, two)


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_alpha_agrees_with_the_krippendorff_package(level: str) -> None:
    theirs = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(1)
    for _ in range(15):
        ratings = rng.integers(1, 6, (4, 12)).astype(float)
        ratings[rng.random(ratings.shape) < 0.2] = np.nan
        assert Krippendorff(level)(ratings) == pytest.approx(
            theirs.alpha(reliability_data=ratings, level_of_measurement=level)
        )


def test_alpha_by_hand() -> None:
    # Krippendorff's own first example: two raters, ten units, binary; alpha is 0.095.
    one = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    two = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert Krippendorff()([one, two]) == pytest.approx(0.095, abs=0.0005)
    with pytest.raises(DataError, match="all ratings are the same"):
        Krippendorff()([[1, 1], [1, 1]])


def test_preference_rate_by_hand() -> None:
    scores = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.7, 0.6]]
    preferred = [1, 2, 2, 1]
    # Set 1 scores at least as high in the first, second and last; it is preferred in two of the three.
    assert PreferenceRate()(scores, preferred) == pytest.approx(200 / 3)
    # Read both ways: five cases, and the set that scores higher or equal is preferred in four.
    assert PreferenceRate(sides="both")(scores, preferred) == pytest.approx(80)
    # Strictly higher with equal recall: only the last one.
    recalls = [[1, 0], [0, 0], [1, 1], [0, 0]]
    assert PreferenceRate(given="higher")(scores, preferred, recalls) == 100


def test_a_run_is_held_against_human_scores() -> None:
    def judged(first: int, second: int, preferred: int) -> Judgement:
        return Judgement((JudgedSet(("a", "b"), first), JudgedSet(("c", "d"), second)), preferred)

    on = Benchmark(
        name="human",
        split="val",
        cases=cases_of(
            tuple(Query(id, (Turn(text="x"),)) for id in "pq"),
            truths={"p": ("a",), "q": ("z",)},
            subsets={id: tuple("abcd") for id in "pq"},
            judgements={"p": judged(5, 1, 1), "q": judged(2, 3, 2)},
        ),
        galleries={},
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
    )
    run = Run(
        method="m",
        subsets={
            Key("p"): Ranking("abcd", [0.9, 0.8, 0.2, 0.1]),
            Key("q"): Ranking("cdab", [0.6, 0.6, 0.5, 0.5]),
        },
    )
    # Means 0.85, 0.15, 0.5, 0.6 against 5, 1, 2, 3: the same order.
    found = measure(run, on).measures
    assert found["Spearman()"] == pytest.approx(1)
    assert found["PreferenceRate()"] == 100
    # Set 1 of p is strictly higher, but it alone holds the target: no pair is left.
    assert np.isnan(found["PreferenceRate(given='higher')"])
    with pytest.raises(DataError, match="no score of a for query q"):
        measure(Run(method="m", subsets={Key("p"): run.subsets[Key("p")]}), on)


def test_the_randomisation_test_is_exact_where_all_signs_can_be_tried() -> None:
    differences = np.array([0.5, 1.0, -0.25, 2.0, 0.75, 1.5])
    found = abs(differences.sum())
    signs = np.array(list(product([-1, 1], repeat=6)))
    exact = np.mean(np.abs(signs @ differences) >= found - 1e-12)
    assert randomisation(differences, draws=40_000) == pytest.approx(exact, abs=0.01)


def test_the_t_test_agrees_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    for amount in (2, 5, 30, 500):
        differences = rng.normal(0.1, 1, amount)
        assert t_test(differences) == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-9)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]


def test_the_interval_covers_the_mean_and_is_seeded() -> None:
    values = np.random.default_rng(4).random(400)
    low, high = interval(values, seed=7)
    assert low < values.mean() < high
    # The normal interval of a mean of uniform values: 1.96 / sqrt(12 * 400).
    assert high - low == pytest.approx(2 * 1.96 / np.sqrt(12 * 400), rel=0.15)
    assert interval(values, seed=7) == (low, high)


def test_a_real_difference_is_told_from_none() -> None:
    rng = np.random.default_rng(5)
    ids = tuple(f"q{n}" for n in range(200))
    on = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(tuple(Query(id, (Turn(text="x"),)) for id in ids), truths=dict.fromkeys(ids, ("a",))),
        galleries={"": ("a", "b")},
    )

    def run(name: str, rate: float) -> Run:
        orders = {id: "ab" if rng.random() < rate else "ba" for id in ids}
        return Run(method=name, rankings={Key(id): Ranking(order, [1, 0]) for id, order in orders.items()})

    judged = {
        name: judge_run(run(name, rate), on) for name, rate in (("old", 0.4), ("same", 0.4), ("new", 0.7))
    }
    same, new = compare(judged, [Recall @ 1], draws=2000)
    assert (same.mark, new.mark) == ("", "**")
    assert new.low > 0
    assert new.difference == pytest.approx(new.other_value - new.value)
    assert compare(judged, [Recall @ 1], draws=2000) == [same, new]
    with pytest.raises(UsageError, match="needs two runs"):
        compare({"old": judged["old"]}, [Recall @ 1])
