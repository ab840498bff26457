"""Grade and Relevance: the first K as they are, each worth what it is."""

from dataclasses import replace

import numpy as np
import pytest

from circlet.core import Benchmark, Case, DataError, Key, Query, Ranking, Run, Turn, UsageError
from circlet.evaluate import (
    ByGroup,
    Evidence,
    Grade,
    Mean,
    Recall,
    Relevance,
    Within,
    chance,
    compare,
    measure,
    parse_measure,
)
from circlet.evaluate.scored import Scored


def graded(*grades: dict[str, float], exclude: tuple[str, ...] = ()) -> Benchmark:
    cases = [
        Case(
            query=Query(str(number), (Turn(text="x"),)),
            truths=(max(each, key=lambda id: each[id]),),
            grades=each,
            exclude=exclude,
            aspects=("odd",) if number % 2 else (),
        )
        for number, each in enumerate(grades)
    ]
    return Benchmark(name="toy", split="val", cases=tuple(cases), galleries={"": tuple("abcd")})


def ranked(*orders: str, scores: tuple[float, ...] = (4, 3, 2, 1)) -> Run:
    return Run(
        method="m",
        rankings={
            Key(str(number)): Ranking(order, scores[: len(order)]) for number, order in enumerate(orders)
        },
    )


ONE = {"a": 1.0, "b": 0.5, "c": 0.25, "d": 0.0}


def test_the_mean_true_grade_of_the_first() -> None:
    on = graded(ONE, {"a": 0.0, "b": 1.0, "c": 0.0, "d": 0.0})
    found = measure(ranked("badc", "acdb"), on, [Grade @ 1, Grade @ 2, Grade @ 9]).measures
    # The first of each is worth 0.5 and 0; the first two 0.75 and 0; all four 0.4375 and 0.25.
    assert found == {
        "Grade @ 1": 25.0,
        "Grade @ 2": pytest.approx(37.5),
        "Grade @ 9": pytest.approx(34.375),
    }
    # A random order shows what the gallery is worth, however many are looked at.
    assert chance(on, [Grade @ 2]).measures == {"Grade @ 2": pytest.approx(34.375)}


def test_what_ties_with_a_better_one_stands_ahead_of_it() -> None:
    assert measure(ranked("abcd", scores=(1, 1, 1, 1)), graded(ONE), [Grade @ 2]).measures == {
        "Grade @ 2": pytest.approx(12.5)
    }


def test_what_is_excluded_takes_no_place_and_what_a_run_leaves_empty_is_worth_nothing() -> None:
    assert measure(ranked("abc"), graded(ONE, exclude=("b",)), [Grade @ 2]).measures["Grade @ 2"] == 62.5
    short = measure(ranked("a"), graded(ONE), [Grade @ 2])
    assert short.measures["Grade @ 2"] == 50
    assert any("the run is 1 deep" in remark for remark in short.remarks)


def test_without_grades_there_is_none() -> None:
    bare = graded(ONE)
    bare = replace(bare, cases=(replace(bare.cases[0], grades={}),))
    with pytest.raises(DataError, match="reads grades, and toy has none for 1 of 1 queries"):
        measure(ranked("abcd"), bare, [Grade @ 2])


def scored(*rows: list[float], likely: bool = True) -> Scored:
    return Scored("toy", np.array(rows), likely)


def test_relevance_is_the_mean_score_of_the_first() -> None:
    on, run = graded(ONE, ONE), ranked("abcd", "dcba")
    by = scored([1.0, 0.5, 0.0], [0.5, 0.5, 0.5])
    row = measure(run, on, [Relevance @ 2, Recall @ 1], scored=by)
    assert row.measures == {"Relevance @ 2": pytest.approx(62.5), "Recall @ 1": 50.0}
    assert "Relevance is by toy: a probability × 100" in row.remarks
    # Raw scores are printed as they are.
    raw = measure(run, on, [Relevance @ 2], scored=scored([-4.0, -2.0], [-1.0, -1.0], likely=False))
    assert raw.measures == {"Relevance @ 2": pytest.approx(-2.0)}
    assert any("its raw score" in remark for remark in raw.remarks)
    assert np.isnan(chance(on, [Relevance @ 2]).measures["Relevance @ 2"])


def test_relevance_goes_into_parts_and_means() -> None:
    on, run = graded(ONE, ONE), ranked("abcd", "dcba")
    by = scored([1.0, 0.5], [0.5, 0.25])
    chosen = [Within("odd", Relevance @ 2), ByGroup(Relevance @ 2), Mean(Relevance @ 2, Recall @ 1)]
    assert list(measure(run, on, chosen, scored=by).measures.values()) == pytest.approx([37.5, 56.25, 53.125])
    raw = scored([1.0, 0.5], [0.5, 0.25], likely=False)
    assert measure(run, on, chosen[:1], scored=raw).measures["Within('odd', Relevance @ 2)"] == 0.375
    with pytest.raises(UsageError, match="percentages with raw scores"):
        measure(run, on, chosen[2:], scored=raw)


def test_relevance_needs_a_scorer_that_looked_so_far() -> None:
    on, run = graded(ONE), ranked("abcd")
    with pytest.raises(UsageError, match="none is given: name one with --relevance"):
        measure(run, on, [Relevance @ 2])
    with pytest.raises(UsageError, match="the first 2 were scored"):
        measure(run, on, [Relevance @ 3], scored=scored([1.0, 0.5]))


def test_runs_are_compared_query_by_query() -> None:
    on = graded(*[ONE] * 60)
    good, bad = Evidence(on, ranked(*["abcd"] * 60)), Evidence(on, ranked(*["dcba"] * 60))
    high = Evidence(on, good.run, scored=scored(*[[0.9, 0.8]] * 60))
    low = Evidence(on, bad.run, scored=scored(*[[0.2, 0.1]] * 60))
    grade, relevance = compare({"bad": low, "good": high}, [Grade @ 2, Relevance @ 2], draws=500)
    assert (grade.value, grade.other_value, grade.mark) == (12.5, 75.0, "**")
    assert relevance.difference == pytest.approx(70)
    assert (relevance.low, relevance.high) == pytest.approx((70, 70))


def test_names() -> None:
    assert parse_measure("Rel@10") == Relevance @ 10
    assert parse_measure(repr(Grade @ 5)) == Grade @ 5
    with pytest.raises(UsageError, match="needs a cutoff"):
        parse_measure("Grade")
