"""Why some queries are harder: Pearson's correlation of each query's score with what it is like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from circlet.core import Benchmark, DataError, Pictures, UsageError
from circlet.evaluate import Measure, Pearson, RankMeasure, Result
from circlet.evaluate.arrays import Floats
from circlet.evaluate.compare import t_tails
from circlet.evaluate.result import default_measures
from circlet.language.tagging import words

FACTORS = ("length", "distance")


@dataclass(frozen=True)
class Explained:
    """How a measure goes with a factor, over queries: r from −1 to 1, and its p by the t-test."""

    method: str
    measure: str
    factor: str
    r: float
    p: float
    queries: int

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values; null where nothing can be said."""
        values = vars(self).items()
        return {name: None if isinstance(value, float) and isnan(value) else value for name, value in values}

    def __str__(self) -> str:
        return "–" if isnan(self.r) else f"{self.r:+.3f} (p {self.p:.4f})"


def factors_of(text: str) -> tuple[str, ...]:
    """The factors that `length,distance` names.

    >>> factors_of("length, distance")
    ('length', 'distance')
    """
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names or set(names) - set(FACTORS):
        raise UsageError(f"--explain {text!r}: give {' or '.join(FACTORS)}, or both as {','.join(FACTORS)}")
    return names


def lengths(benchmark: Benchmark) -> Floats:
    """How many words each query says, over all of its turns."""
    return np.array(
        [sum(len(words(turn.text)) for turn in query.turns) for query in benchmark.queries], np.float64
    )


def distances(benchmark: Benchmark, pictures: Pictures) -> Floats:
    """The mean Euclidean distance of all pairs in each query's set; NaN for a set of fewer than two."""
    if not benchmark.has_subsets:
        raise UsageError(
            f"distance is between the pictures of a query's set, and {benchmark.name} has no sets: "
            "explain by length"
        )
    known: dict[tuple[str, ...], float] = {}
    for case in benchmark.cases:
        if case.subset not in known:
            there = [id for id in case.subset if id in pictures]
            known[case.subset] = _mean_distance(pictures.vectors_of(there)) if len(there) > 1 else nan
    return np.array([known[case.subset] for case in benchmark.cases], np.float64)


def _mean_distance(vectors: Any) -> float:
    """The mean distance of all pairs of rows.

    >>> _mean_distance(np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]]))
    3.3333333333333335
    """
    rows = np.asarray(vectors, np.float64)
    one, two = np.triu_indices(len(rows), 1)
    return float(np.linalg.norm(rows[one] - rows[two], axis=1).mean())


def explain(result: Result, measures: Sequence[Measure], factors: Mapping[str, Floats]) -> list[Explained]:
    """Each measure of a result against each factor, over the queries that both say something of."""
    judged = result.judged
    if judged is None:
        return []
    rows = []
    for measure in measures or default_measures(judged.benchmark):
        if not isinstance(measure, RankMeasure) or not measure.needs <= judged.ranked:
            continue
        each = measure.each(judged)
        for factor, values in factors.items():
            told = ~np.isnan(each) & ~np.isnan(values)
            r, p = _correlated(each[told], values[told])
            rows.append(Explained(result.method, repr(measure), factor, r, p, int(told.sum())))
    return rows


def _correlated(one: Floats, two: Floats) -> tuple[float, float]:
    """r and its p; NaN where one of the two does not vary or there are too few."""
    try:
        r = Pearson()(one, two)
    except (DataError, UsageError):
        return nan, nan
    freedom = len(one) - 2
    if freedom < 1:
        return r, nan
    return r, t_tails(r * np.sqrt(freedom / max(1 - r * r, 1e-300)), freedom)
