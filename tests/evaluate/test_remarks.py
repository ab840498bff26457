"""What is said beside numbers, and why a run is refused: the cause and what to do, and nothing else."""

import csv
from dataclasses import replace
from typing import Any

import pytest

from circlet.core import Benchmark, DataError, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.data import load_benchmark
from circlet.evaluate import (
    MRR,
    NDCG,
    Mean,
    Measure,
    Recall,
    Result,
    SubsetMAP,
    SubsetRecall,
    Within,
    measure,
)
from circlet.evaluate.report.tables import table
from circlet.evaluate.result import over_seeds
from tests.data.shared import real


def bench(**more: Any) -> Benchmark:
    cases = cases_of(
        (Query("p", (Turn(picture="a", text="x"),)), Query("q", (Turn(picture="b", text="y"),))),
        truths={"p": ("c",), "q": ("d",)},
        groups={"p": "one", "q": "one"},
        subsets={"p": ("c", "d"), "q": ("d", "e")},
        **more,
    )
    return Benchmark(name="toy", split="val", cases=cases, galleries={"one": tuple("abcdef")})


def ranked(*, p: str, q: str, **more: Any) -> Run:
    rankings = {Key("p"): p, Key("q"): q}
    return Run(
        method="m",
        rankings={key: Ranking(order, range(len(order), 0, -1)) for key, order in rankings.items()},
        protocol=bench().header(),
        **more,
    )


def said(run: Run, *measures: Measure) -> tuple[str, ...]:
    return measure(run, bench(), measures).remarks


@pytest.mark.parametrize("one", [MRR, NDCG, Mean(Recall @ 1, MRR), Within("one", MRR)])
def test_a_measure_without_a_cutoff_is_remarked_on_a_shallow_run(one: Measure) -> None:
    found, lost = ranked(p="acd", q="bde"), ranked(p="acd", q="bce")
    assert said(found, one) == ()
    assert said(lost, one) == (
        f"the run is 3 deep: what lies beyond counts as not found, which lowers {one!r}",
    )
    assert said(lost, Recall @ 3) == ()
    assert said(lost, Recall @ 4) == ("the run is 3 deep: what lies beyond counts as not found @ 4",)


def test_a_cutoff_in_a_subset_is_no_depth() -> None:
    assert said(ranked(p="cd", q="de"), SubsetRecall @ 3, SubsetMAP) == ()


def test_dashes_of_subsets_are_explained_where_one_was_asked_for() -> None:
    run = ranked(p="abc", q="def")
    assert said(run, Recall @ 1) == ()
    (remark,) = said(run, Recall @ 1, SubsetRecall @ 1)
    assert "does not rank the whole of every subset, so measures of subsets are a dash" in remark


def test_what_is_the_runs_and_what_the_benchmarks_is_told() -> None:
    """A run that says no protocol, or another, shows by its rankings how it was made."""
    run = ranked(p="acd", q="cde")
    assert said(run, Recall @ 1) == ()
    facts = (
        "truths and exclusions are the benchmark's, what was ranked is the run's; it names 4 of the "
        "gallery's 6 pictures; a query's own picture stands in 1 of its 2 rankings"
    )
    untold = replace(run, protocol="")
    assert said(untold, Recall @ 1) == (f"the run says no protocol: {facts}",)
    assert measure(untold, bench(), [Recall @ 1]).made == ""
    other = measure(replace(run, protocol="toy val gallery=9"), bench(), [Recall @ 1])
    assert other.remarks == (f"the run was made under another protocol, toy val gallery=9: {facts}",)
    assert (other.protocol, other.made) == (bench().header(), "toy val gallery=9")
    assert other.to_dict()["made"] == "toy val gallery=9"
    with pytest.raises(UsageError, match="under one protocol"):
        over_seeds([other, measure(run, bench(), [Recall @ 1])])


def test_a_later_turns_picture_is_not_yet_a_querys_own() -> None:
    session = Query("s", (Turn(picture="a", text="x"), Turn(picture="b", text="y")))
    on = Benchmark(
        name="toy",
        split="val",
        cases=cases_of((session,), truths={"s": ("c",)}),
        galleries={"": tuple("abc")},
    )
    run = Run(method="m", rankings={Key("s", turn): Ranking("bc", [2, 1]) for turn in (1, 2)})
    (remark,) = measure(run, on, [Recall @ 2]).remarks
    assert remark.endswith(
        "; it names 2 of the gallery's 3 pictures; a query's own picture stands in 1 of its 2 rankings"
    )


def test_a_run_that_finds_nothing_at_all_is_told_of_names() -> None:
    (remark,) = said(ranked(p="ab", q="ab"), Recall @ 1)
    assert remark.endswith("whether pictures are called alike on both sides (it ranks a, a truth is c)")
    assert said(ranked(p="ab", q="ad"), Recall @ 1) == ()


def test_remarks_stand_with_the_numbers_in_every_form() -> None:
    rows = [Result("chance", "p", {"MRR": 1.0}, 9)]
    for name, remarks in (("a", ("the same",)), ("b", ("the same", "one\nmore"))):
        rows.append(Result(name, "p", {"MRR": 2.0}, 9, remarks=remarks))
    lines = table(rows, "latex", weak=1).splitlines()
    assert lines[:4] == ["% p", "% note: a, b: the same", "% note: b: one more", r"\begin{tabular}{lr}"]
    assert table(rows[:2], "markdown", weak=1).startswith("p  \nnote: the same\n\n|")
    assert [line["remarks"] for line in csv.DictReader(table(rows, "csv").splitlines())][:2] == [
        "",
        "the same",
    ]


def refused(run: Run, on: Benchmark) -> str:
    with pytest.raises(DataError) as caught:
        measure(run, on)
    return str(caught.value)


def test_a_run_of_both_orders_is_told_its_protocol() -> None:
    here = real("fashioniq")
    both, joined = (load_benchmark(f"fashioniq:{here}?captions={how}") for how in ("both-orders", "joined"))
    picture = both.galleries["dress"][0]
    run = Run(
        method="m",
        rankings={Key("dress-0", 1, wording): Ranking([picture], [1.0]) for wording in (0, 1)},
        protocol=both.header(),
    )
    text = refused(run, joined)
    assert "ranks query dress-0 in several wordings, and fashioniq val is asked in one here" in text
    assert "captions=both-orders" in text
    assert text.endswith(f"it was made under: {both.header()}")
    assert "name the benchmark" not in text


def test_a_turn_too_many_and_a_query_too_many_are_told_apart() -> None:
    ranking = Ranking("ab", [2, 1])
    turn = refused(Run(method="m", rankings={Key("p", 2): ranking}), bench())
    assert "ranks turn 2 of query p, which has 1 in toy val" in turn
    query = refused(Run(method="m", rankings={Key("z"): ranking}), bench())
    assert "ranks query z, which toy val does not have: name the benchmark and split" in query
