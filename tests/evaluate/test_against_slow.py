"""Every ranking measure against the slow, obvious one, with many ties, on random small benchmarks."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circlet.core import Benchmark, Gallery, Method, Pictures, Query, Turn, Vectors, cases_of
from circlet.evaluate import (
    MAP,
    MRR,
    NDCG,
    Recall,
    SubsetMAP,
    SubsetRecall,
    arrays_of,
    judge,
    judge_run,
    survey,
)
from tests.evaluate import slow


@st.composite
def cases(draw: st.DrawFn) -> tuple[Benchmark, slow.Given, slow.Gallery]:
    amount = draw(st.integers(3, 9))
    gallery = slow.gallery(amount, seed=draw(st.integers(0, 99)))
    ids = list(gallery.ids)
    queries, truths, exclusions, subsets, grades = [], {}, {}, {}, {}
    for number in range(draw(st.integers(1, 4))):
        id = f"q{number}"
        queries.append(Query(id, (Turn(text=str(number)),)))
        order = draw(st.permutations(ids))
        truths[id] = tuple(order[: draw(st.integers(1, 3))])
        rest = [other for other in ids if other not in truths[id]]
        exclusions[id] = tuple(rest[: draw(st.integers(0, 1))])
        subsets[id] = tuple(order[: draw(st.integers(1, amount))])
        grades[id] = {other: draw(st.sampled_from([0.0, 0.5, 1.0, 2.0])) for other in order[:4]}
    rows = np.random.default_rng(draw(st.integers(0, 99))).integers(-2, 3, (len(queries), 3))
    bench = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(queries, truths=truths, exclusions=exclusions, subsets=subsets, grades=grades),
        galleries={"": gallery.ids},
    )
    return bench, slow.Given(rows.astype(np.float32)), gallery


@settings(max_examples=120, deadline=None)
@given(cases(), st.integers(1, 10))
def test_measures_are_what_sorting_says(case: tuple, k: int) -> None:
    bench, method, gallery = case
    judged = judge(method, bench, gallery)
    table = method.rows @ gallery.vectors.T
    want: dict[str, list[float]] = {
        name: [] for name in ("R", "any", "all", "MAP", "over", "MRR", "N", "SR", "SM")
    }
    for row, query in zip(table, bench.queries, strict=True):
        scores = dict(zip(gallery.ids, row.tolist(), strict=True))
        truths = list(bench.case(query.id).truths)
        gone = bench.case(query.id).exclude
        grades = {
            id: bench.case(query.id).grades.get(id, 1.0) for id in [*truths, *bench.case(query.id).grades]
        }
        grades = {id: grade for id, grade in grades.items() if id not in gone}
        ids = slow.candidates(bench, query, gallery.ids)
        target = slow.pessimistic_order(ids, scores, {truths[0]: 1})
        order = slow.pessimistic_order(ids, scores, dict.fromkeys(truths, 1))
        first = min(order.index(truth) for truth in truths) + 1
        want["R"].append(float(truths[0] in target[:k]))
        want["any"].append(float(first <= k))
        want["all"].append(len(set(order[:k]) & set(truths)) / len(truths))
        want["MAP"].append(slow.average_precision(order, set(truths), k, "min"))
        want["over"].append(slow.average_precision(order, set(truths), k, "truths"))
        want["MRR"].append(1 / first if first <= k else 0.0)
        want["N"].append(slow.ndcg(slow.pessimistic_order(ids, scores, grades), grades, k))
        few = slow.candidates(bench, query, bench.case(query.id).subset)
        want["SR"].append(float(truths[0] in slow.pessimistic_order(few, scores, {truths[0]: 1})[:k]))
        inside = {id for id in truths if id in few}
        want["SM"].append(
            slow.average_precision(
                slow.pessimistic_order(few, scores, dict.fromkeys(inside, 1)), inside, k, "min"
            )
        )
    got = {
        "R": Recall @ k,
        "any": Recall(of="any") @ k,
        "all": Recall(of="all") @ k,
        "MAP": MAP @ k,
        "over": MAP(over="truths") @ k,
        "MRR": MRR @ k,
        "N": NDCG @ k,
        "SR": SubsetRecall @ k,
        "SM": SubsetMAP @ k,
    }
    for name, measure in got.items():
        np.testing.assert_allclose(measure.each(judged), want[name], atol=1e-12, err_msg=repr(measure))


@settings(max_examples=60, deadline=None)
@given(cases())
def test_a_whole_run_gives_the_ranks_of_the_method(case: tuple) -> None:
    bench, method, gallery = case
    judged, run = survey(method, bench, gallery, top=len(gallery))
    again = judge_run(run, bench)
    assert again.rank.tolist() == judged.rank.tolist()
    assert again.subset_rank.tolist() == judged.subset_rank.tolist()


class Slow(Method):
    """The same scores by a method that is no composer."""

    def __init__(self, composer: slow.Given) -> None:
        self.composer = composer

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        return self.composer.scores(queries, gallery, pictures=pictures)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_sets_without_a_gallery_are_ranked_alike_by_any_method(case: tuple) -> None:
    bench, method, gallery = case
    whole = judge(method, bench, gallery)
    sets = replace(bench, galleries={})
    assert judge(method, sets, gallery).subset_rank.tolist() == whole.subset_rank.tolist()
    assert judge(Slow(method), sets, gallery).subset_rank.tolist() == whole.subset_rank.tolist()
    assert judge(Slow(method), bench, gallery).rank.tolist() == whole.rank.tolist()


def test_subsets_outside_the_gallery_are_scored_by_themselves() -> None:
    gallery = slow.gallery(6)
    method = slow.Given(np.ones((1, 3), np.float32))
    bench = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            (Query("1", (Turn(text="0"),)),), truths={"1": ("p0",)}, subsets={"1": ("p0", "p4", "p5")}
        ),
        galleries={"": gallery.ids[:3]},
    )
    scores = gallery.vectors.sum(axis=1)
    want = 1 + int(scores[4] >= scores[0]) + int(scores[5] >= scores[0])
    assert judge(method, bench, gallery).subset_rank.tolist() == [want]


@pytest.mark.parametrize("truths", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_chance_is_the_mean_over_all_orders(truths: int, k: int) -> None:
    ids = ("a", "b", "c", "d")
    good = ids[:truths]
    grades = dict(zip(good, (1.0, 0.5, 0.2), strict=False))
    bench = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            (Query("1", (Turn(text="0"),)),),
            truths={"1": good},
            exclusions={"1": ("reference",)},
            subsets={"1": ("a", "d", "reference")},
            grades={"1": grades},
        ),
        galleries={"": (*ids, "reference")},
    )
    totals = dict.fromkeys(("R", "any", "soft", "MAP", "over", "MRR", "N", "SR"), 0.0)
    orders = list(permutations(ids))
    for order in orders:
        top = order[:k]
        first = min(order.index(id) for id in good) + 1
        totals["R"] += good[0] in top
        totals["any"] += any(id in top for id in good)
        totals["soft"] += max((grades.get(id, 0) for id in top), default=0)
        totals["MAP"] += slow.average_precision(list(order), set(good), k, "min")
        totals["over"] += slow.average_precision(list(order), set(good), k, "truths")
        totals["MRR"] += 1 / first if first <= k else 0
        totals["N"] += slow.ndcg(list(order), grades, k)
        totals["SR"] += [id for id in order if id in "ad"].index("a") < k
    arrays = arrays_of(bench)
    measures = {
        "R": Recall @ k,
        "any": Recall(of="any") @ k,
        "soft": Recall(of="soft") @ k,
        "MAP": MAP @ k,
        "over": MAP(over="truths") @ k,
        "MRR": MRR @ k,
        "N": NDCG @ k,
        "SR": SubsetRecall @ k,
    }
    for name, measure in measures.items():
        assert math.isclose(measure.chance(arrays)[0], totals[name] / len(orders), abs_tol=1e-12), measure
    assert (Recall @ k).expected(arrays) == float(100 * Fraction(k, 4))
