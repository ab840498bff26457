"""Agreement between numbers and people: correlations, preference, and agreement among raters.

These are values like the measures: `Spearman()`, `Krippendorff(level="interval")`. They are called
with arrays; those that compare a run with human scores also say what they make of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from circlet.core import Benchmark, DataError, Key, Run, UsageError
from circlet.evaluate.arrays import Flags, Floats
from circlet.evaluate.measures.measure import ScoreMeasure, options_said


def _pair(one: ArrayLike, two: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(one, np.float64), np.asarray(two, np.float64)
    if first.shape != second.shape or first.ndim != 1 or len(first) < 2:
        raise UsageError(f"two lists of equal length, two numbers at least: {first.shape}, {second.shape}")
    if np.isnan(first).any() or np.isnan(second).any():
        raise DataError("a value is not a number: leave these pairs out first")
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        raise DataError("all values are the same, so nothing correlates with them")
    return first, second


def average_ranks(values: ArrayLike) -> Floats:
    """Ranks from one, equal values sharing the mean of theirs.

    >>> average_ranks([10, 20, 20]).tolist()
    [1.0, 2.5, 2.5]
    """
    _, which, amount = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = np.cumsum(amount)
    return np.asarray((last - (amount - 1) / 2)[which], np.float64)


@dataclass(frozen=True)
class Pearson:
    """Pearson's correlation of two lists, as in error analysis: accuracy against its explanations.

    >>> round(Pearson()([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    """

    def __call__(self, one: ArrayLike, two: ArrayLike) -> float:
        first, second = _pair(one, two)
        first, second = first - first.mean(), second - second.mean()
        return float(first @ second / np.sqrt((first @ first) * (second @ second)))


@dataclass(frozen=True)
class Spearman(ScoreMeasure):
    """Spearman's rank correlation, from −1 to 1; of a run: set scores against human scores.

    A set's score is the mean of its pictures' (equation 7 of the CIRQRS paper).

    >>> Spearman()([1, 2, 3, 4], [1, 3, 2, 4])
    0.8
    """

    def __call__(self, one: ArrayLike, two: ArrayLike) -> float:
        first, second = _pair(one, two)
        return Pearson()(average_ranks(first), average_ranks(second))

    def value(self, run: Run, benchmark: Benchmark) -> float:
        """The correlation over all sets of all queries."""
        people = Judgements.of(benchmark)
        return self(set_scores(run, benchmark).ravel(), people.scores.ravel())


@dataclass(frozen=True, repr=False)
class PreferenceRate(ScoreMeasure):
    """How often people prefer set 1 given that its score is at least set 2's (equation 8), in percent.

    `given="higher"` asks for strictly more, among the pairs whose recall is equal (equation 9).
    `sides="both"` reads every pair both ways, so that it does not matter which set is called 1.
    """

    given: str = "at-least"
    sides: str = "first"

    def __post_init__(self) -> None:
        for name, allowed in (("given", ("at-least", "higher")), ("sides", ("first", "both"))):
            if getattr(self, name) not in allowed:
                raise UsageError(
                    f"PreferenceRate({name}={getattr(self, name)!r}): pick {' or '.join(allowed)}"
                )

    def __repr__(self) -> str:
        return f"PreferenceRate({options_said(self)})"

    def __call__(self, scores: ArrayLike, preferred: ArrayLike, recalls: ArrayLike | None = None) -> float:
        """From scores of set 1 and set 2 (two columns), the set preferred (1 or 2), and recalls if asked."""
        table, liked = np.asarray(scores, np.float64), np.asarray(preferred)
        recalled = np.asarray(recalls if recalls is not None else np.zeros_like(table), np.float64)
        if self.sides == "both":
            table = np.concatenate([table, table[:, ::-1]])
            recalled = np.concatenate([recalled, recalled[:, ::-1]])
            liked = np.concatenate([liked, 3 - liked])
        if self.given == "higher":
            chosen: Flags = (table[:, 0] > table[:, 1]) & (recalled[:, 0] == recalled[:, 1])
        else:
            chosen = table[:, 0] >= table[:, 1]
        return float(100 * np.mean(liked[chosen] == 1)) if chosen.any() else float("nan")

    def value(self, run: Run, benchmark: Benchmark) -> float:
        """The rate over all queries; recall is whether a set holds the target."""
        people = Judgements.of(benchmark)
        return self(set_scores(run, benchmark), people.preferred, people.recalls)


@dataclass(frozen=True)
class Krippendorff:
    """Krippendorff's alpha among raters: one row a rater, one column a unit, NaN where unrated.

    >>> Krippendorff()([[1, 2, 3, 3], [1, 2, 3, 4]])
    0.6956521739130435
    """

    level: str = "nominal"

    def __post_init__(self) -> None:
        if self.level not in ("nominal", "interval"):
            raise UsageError(f"Krippendorff(level={self.level!r}): pick nominal or interval")

    def __call__(self, ratings: ArrayLike) -> float:
        table = np.asarray(ratings, np.float64)
        if table.ndim != 2:
            raise UsageError("ratings are a table: one row a rater, one column a unit")
        values = np.unique(table[~np.isnan(table)])
        # How often each unit was given each value; a unit with one rating says nothing of agreement.
        counts = (table[:, :, None] == values).sum(axis=0).astype(np.float64)
        counts = counts[counts.sum(axis=1) > 1]
        pairs = counts.sum(axis=1, keepdims=True) - 1
        observed = (counts / pairs).T @ counts - np.diag((counts / pairs).sum(axis=0))
        totals = observed.sum(axis=0)
        expected = (np.outer(totals, totals) - np.diag(totals)) / max(totals.sum() - 1, 1)
        apart = np.subtract.outer(values, values)
        distance = (apart != 0).astype(np.float64) if self.level == "nominal" else apart**2
        if not (expected * distance).sum():
            raise DataError("all ratings are the same, so agreement beyond chance cannot be told")
        return float(1 - (observed * distance).sum() / (expected * distance).sum())


@dataclass(frozen=True)
class Judgements:
    """What people said of two sets a query: scores, the set preferred, whether each holds the target."""

    sets: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    scores: Floats
    preferred: Floats
    recalls: Floats

    @classmethod
    def of(cls, benchmark: Benchmark) -> "Judgements":
        """The judgements that a benchmark of human scores holds."""
        judged = [case.judgement for case in benchmark.cases if case.judgement is not None]
        if not judged or len(judged) < len(benchmark.cases):
            raise DataError(f"{benchmark.name} holds no human scores of retrieved sets")
        sets = tuple((one.sets[0].images, one.sets[1].images) for one in judged)
        return cls(
            sets,
            np.array([[one.score for one in judgement.sets] for judgement in judged], np.float64),
            np.array([judgement.preferred for judgement in judged], np.float64),
            np.array(
                [
                    [case.target in one for one in both]
                    for case, both in zip(benchmark.cases, sets, strict=True)
                ],
                np.float64,
            ),
        )


def set_scores(run: Run, benchmark: Benchmark) -> Floats:
    """For each query the mean score of the pictures of set 1 and of set 2."""
    people = Judgements.of(benchmark)
    means = np.empty((len(people.sets), 2))
    for row, (query, both) in enumerate(zip(benchmark.queries, people.sets, strict=True)):
        key = Key(query.id)
        ranking = run.subsets.get(key) or run.rankings.get(key)
        scores = dict(zip(ranking.ids, ranking.scores.tolist(), strict=True)) if ranking else {}
        for place, images in enumerate(both):
            means[row, place] = _mean(scores, images, query.id)
    return means


def _mean(scores: dict[str, float], images: Sequence[str], query: str) -> float:
    if gone := [image for image in images if image not in scores]:
        raise DataError(
            f"the run has no score of {gone[0]} for query {query}: score every picture of the sets"
        )
    return float(np.mean([scores[image] for image in images]))
