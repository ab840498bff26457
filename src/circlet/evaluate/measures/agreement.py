"""Agreement between numbers and people: correlations, preference, and agreement among raters.

These are values like the measures: `Spearman()`, `Krippendorff(level="interval")`. They are called
with arrays; those that compare a run with human scores also say what they make of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from circlet.core import DataError, UsageError
from circlet.evaluate.arrays import Flags, Floats
from circlet.evaluate.measures.judgements import Judgements, SetMeasure
from circlet.evaluate.measures.measure import options_said


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


def _drawn_ranks(values: Floats, amounts: Floats) -> Floats:
    """Ranks as `average_ranks` has them where value j was drawn amounts[i, j] times; a row a draw.

    >>> _drawn_ranks(np.array([10.0, 20.0, 20.0]), np.array([[1.0, 1, 1], [2, 1, 0]])).tolist()
    [[1.0, 2.5, 2.5], [1.5, 3.0, 3.0]]
    """
    _, which = np.unique(values, return_inverse=True)
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(which.max() + 1))
    drawn = np.add.reduceat(amounts[:, order], starts, axis=1)
    ranks = np.cumsum(drawn, axis=1) - (drawn - 1) / 2
    return np.asarray(ranks[:, which], np.float64)


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
class Spearman(SetMeasure):
    """Spearman's rank correlation, from −1 to 1; of a run: set scores against human scores.

    A set's score is the mean of its pictures' (equation 7 of the CIRQRS paper).

    >>> Spearman()([1, 2, 3, 4], [1, 3, 2, 4])
    0.8
    """

    def __call__(self, one: ArrayLike, two: ArrayLike) -> float:
        first, second = _pair(one, two)
        return Pearson()(average_ranks(first), average_ranks(second))

    def of(self, table: Floats, people: Judgements) -> float:
        """The correlation over all sets of all queries."""
        return self(table.ravel(), people.scores.ravel())

    def resampled(self, table: Floats, people: Judgements, weights: Floats) -> Floats:
        each = np.repeat(weights, 2, axis=1)
        # Ranks that are shared keep their mean, which is the middle of all.
        middle = (each.sum(axis=1, keepdims=True) + 1) / 2
        one, two = (_drawn_ranks(values.ravel(), each) - middle for values in (table, people.scores))
        together, first, second = (
            np.einsum("ij,ij,ij->i", each, left, right)
            for left, right in ((one, two), (one, one), (two, two))
        )
        spread = np.sqrt(first * second)
        # A draw in which all are the same has no correlation.
        return np.divide(together, spread, out=np.full_like(spread, np.nan), where=spread > 0)


@dataclass(frozen=True, repr=False)
class PreferenceRate(SetMeasure):
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
        chosen, right = self._counted(scores, preferred, recalls)
        return float(100 * right.sum() / chosen.sum()) if chosen.any() else float("nan")

    def _counted(
        self, scores: ArrayLike, preferred: ArrayLike, recalls: ArrayLike | None
    ) -> tuple[Floats, Floats]:
        """For each pair how many readings of it count, and in how many of these people prefer set 1."""
        table, liked = np.asarray(scores, np.float64), np.asarray(preferred)
        recalled = np.asarray(recalls if recalls is not None else np.zeros_like(table), np.float64)
        chosen, right = np.zeros(len(table)), np.zeros(len(table))
        for first, second in ((0, 1), (1, 0)) if self.sides == "both" else ((0, 1),):
            if self.given == "higher":
                even = recalled[:, first] == recalled[:, second]
                counts: Flags = (table[:, first] > table[:, second]) & even
            else:
                counts = table[:, first] >= table[:, second]
            chosen += counts
            right += counts & (liked == first + 1)
        return chosen, right

    def of(self, table: Floats, people: Judgements) -> float:
        """The rate over all queries; recall is whether a set holds the target."""
        return self(table, people.preferred, people.recalls)

    def resampled(self, table: Floats, people: Judgements, weights: Floats) -> Floats:
        chosen, right = self._counted(table, people.preferred, people.recalls)
        amount = weights @ chosen
        return np.divide(100 * (weights @ right), amount, out=np.full_like(amount, np.nan), where=amount > 0)


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

    def of(self, units: Sequence[Mapping[str, float]]) -> float:
        """The same from what was said of each unit, by rater.

        >>> Krippendorff().of([{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 3}, {"a": 3, "b": 4}])
        0.6956521739130435
        """
        raters = {name: row for row, name in enumerate(sorted({name for said in units for name in said}))}
        table = np.full((len(raters), len(units)), np.nan)
        for column, said in enumerate(units):
            for name, value in said.items():
                table[raters[name], column] = value
        return self(table)
