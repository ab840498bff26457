"""Correlations of scores with lengths and distances, against scipy."""

import numpy as np
import pytest

from circlet.core import Benchmark, Gallery, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.evaluate import Accuracy, Recall, measure
from circlet.experiments.explain import distances, explain, factors_of, lengths

TEXTS = ("a dog", "a dog that runs", "dog", "the small dog runs away, fast", "two dogs", "a cat and a dog")


def bench(sets: bool = True) -> Benchmark:
    queries = tuple(Query(str(n), (Turn(text=text),)) for n, text in enumerate(TEXTS))
    subsets = {str(n): (f"{n}x", f"{n}y", f"{n}z") for n in range(len(TEXTS))} if sets else {}
    galleries = {} if sets else {"": tuple(f"{n}x" for n in range(len(TEXTS)))}
    truths = {str(n): (f"{n}x",) for n in range(len(TEXTS))}
    return Benchmark(
        name="toy", split="val", cases=cases_of(queries, truths=truths, subsets=subsets), galleries=galleries
    )


def test_accuracy_with_length_and_distance() -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is a dev extra")
    on, right = bench(), [1, 0, 1, 0, 0, 1]
    vectors = np.random.default_rng(0).standard_normal((18, 4)).astype(np.float32)
    pictures = Gallery([id for case in on.cases for id in case.subset], vectors, "toy:1")
    run = Run(
        method="m",
        subsets={
            Key(str(n)): Ranking([f"{n}x", f"{n}y", f"{n}z"][:: 1 if hit else -1], [3, 2, 1])
            for n, hit in enumerate(right)
        },
    )
    factors = {"length": lengths(on), "distance": distances(on, pictures)}
    assert factors["length"].tolist() == [2, 4, 1, 6, 2, 5]
    a, b, c = vectors[:3].astype(np.float64)
    by_hand = np.mean([np.linalg.norm(a - b), np.linalg.norm(a - c), np.linalg.norm(b - c)])
    assert factors["distance"][0] == pytest.approx(by_hand)
    rows = explain(measure(run, on, [Accuracy]), [Accuracy], factors)
    for row in rows:
        r, p = stats.pearsonr(right, factors[row.factor])
        assert (row.r, row.p, row.queries) == (pytest.approx(r), pytest.approx(p), 6)
    assert [row.factor for row in rows] == ["length", "distance"]


def test_what_does_not_vary_or_was_not_ranked_explains_nothing() -> None:
    on = bench()
    perfect = Run(method="m", subsets={Key(str(n)): Ranking([f"{n}x"], [1]) for n in range(6)})
    (row,) = explain(measure(perfect, on, [Accuracy]), [Accuracy], {"length": lengths(on)})
    assert (str(row), row.to_dict()["r"]) == ("–", None)
    assert explain(measure(perfect, on, [Accuracy]), [Recall @ 1], {"length": lengths(on)}) == []


def test_what_cannot_be_asked_is_told() -> None:
    with pytest.raises(UsageError, match="give length or distance, or both as length,distance"):
        factors_of("size")
    with pytest.raises(UsageError, match="toy has no sets: explain by length"):
        distances(bench(sets=False), Gallery("a", np.ones((1, 2), np.float32), "toy:1"))
