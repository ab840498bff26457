"""Whether the target is among the first: Recall, SubsetRecall, Accuracy, NegativeWins."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from circlet.core import DataError
from circlet.evaluate.arrays import LOST, BenchmarkArrays, Flags, Floats, Ints
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.measure import Cutoff, need_sizes, need_subsets, one_of


def best_ranks(judged: Judged) -> Ints:
    """For each ask the best rank among its truths.

    Whatever ties with a truth stands ahead of it, but not another truth: the first of several tied
    truths comes right after what is no truth.
    """
    asks, ranks = judged.arrays.ask[judged.arrays.truth], judged.rank[judged.arrays.truth]
    best = np.full(len(judged.arrays.asks), LOST, np.int64)
    np.minimum.at(best, asks, ranks)
    tied = np.bincount(asks[ranks == best[asks]], minlength=len(best))
    return np.where(best < LOST, best - np.maximum(tied, 1) + 1, LOST)


def _truths_within(judged: Judged, k: int) -> Floats:
    """For each ask how many truths are among its first k; tied truths stand behind all that tie with them."""
    truth = judged.arrays.truth
    asks, ranks = judged.arrays.ask[truth], judged.rank[truth]
    pairs = np.stack([asks, np.minimum(ranks, LOST - 1)], axis=1)
    _, group, sizes = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    tied = sizes[group.ravel()]
    inside = np.where(ranks < LOST, np.clip(k - (ranks - tied), 0, tied) / tied, 0.0)
    return np.bincount(asks, inside, len(judged.arrays.asks)).astype(np.float64)


def any_chance(arrays: BenchmarkArrays, sizes: Floats, k: int) -> Floats:
    """For each ask the probability that a random order has a truth among its first k."""
    return 1 - misses(sizes, arrays.per_ask(arrays.truth & arrays.reachable), k)


def misses(sizes: Floats, truths: Floats, k: int) -> Floats:
    """The probability that none of `truths` pictures is among the first k of `sizes`.

    >>> misses(np.array([4.0]), np.array([2.0]), 1).tolist()
    [0.5]
    """
    missed = np.ones_like(sizes)
    # One truth after the other falls outside the first k: (n - k)/n, (n - k - 1)/(n - 1), …
    for placed in range(int(truths.max(initial=0))):
        left = sizes - placed
        factor = np.clip((left - k) / np.maximum(left, 1), 0, 1)
        missed *= np.where(placed < truths, factor, 1)
    return missed


@dataclass(frozen=True, repr=False)
class RecallMeasure(Cutoff):
    """Recall @ K: the hit rate of the target, which is the first of a query's truths.

    `of="any"` is the hit rate of the best-ranked truth; `of="all"` the share of the truths that is
    found (set recall); `of="soft"` the highest grade among the pictures found (CIRR's soft targets).
    """

    of: str = "target"

    name: ClassVar[str] = "Recall"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of(self, "of", "target", "any", "all", "soft")

    def each(self, judged: Judged) -> Floats:
        arrays, hits = judged.arrays, judged.rank <= self.cutoff
        if self.of == "soft":
            credit = np.zeros(len(arrays.asks))
            np.maximum.at(credit, arrays.ask[hits], arrays.grade[hits])
            return arrays.per_query(credit)
        if self.of == "any":
            return arrays.per_query((best_ranks(judged) <= self.cutoff).astype(np.float64))
        if self.of == "all":
            return arrays.per_query(_truths_within(judged, self.cutoff) / arrays.per_ask(arrays.truth))
        return arrays.per_query(arrays.per_ask(hits & arrays.target))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        sizes, k = need_sizes(self, arrays), self.cutoff
        if self.of == "any":
            return arrays.per_query(any_chance(arrays, sizes, k))
        if self.of == "soft":
            return arrays.per_query(_soft_chance(arrays, sizes, k))
        counts = arrays.truth if self.of == "all" else arrays.target
        share = arrays.per_ask(counts & arrays.reachable) / arrays.per_ask(counts)
        return arrays.per_query(share * np.minimum(k / sizes, 1))


def _soft_chance(arrays: BenchmarkArrays, sizes: Floats, k: int) -> Floats:
    """The expected highest grade among the first k: grades from the best down, each if none before."""
    expected = np.zeros(len(arrays.asks))
    order = np.lexsort((-arrays.grade, arrays.ask))
    order = order[(arrays.grade[order] > 0) & arrays.reachable[order]]
    asks = arrays.ask[order]
    before = (np.arange(len(order)) - np.searchsorted(asks, asks)).astype(np.float64)
    fresh = misses(sizes[asks], before, k) - misses(sizes[asks], before + 1, k)
    np.add.at(expected, asks, fresh * arrays.grade[order])
    return expected


@dataclass(frozen=True, repr=False)
class SubsetRecallMeasure(Cutoff):
    """SubsetRecall @ K: the hit rate of the target among its own subset (CIRR: five look-alikes)."""

    name: ClassVar[str] = "SubsetRecall"
    needs_cutoff: ClassVar[bool] = True

    @property
    def of_subsets(self) -> bool:  # type: ignore[override]
        return True

    def each(self, judged: Judged) -> Floats:
        need_subsets(self, judged.arrays)
        hits = (judged.subset_rank <= self.cutoff) & judged.arrays.target
        return judged.arrays.per_query(judged.arrays.per_ask(hits))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        need_subsets(self, arrays)
        inside = arrays.per_ask(arrays.target & arrays.in_subset)
        return arrays.per_query(inside * np.minimum(self.cutoff / arrays.subset_size, 1))


@dataclass(frozen=True, repr=False)
class AccuracyMeasure(SubsetRecallMeasure):
    """Accuracy: how often the target is the first of its set (ImageCoDe: ten images)."""

    name: ClassVar[str] = "Accuracy"
    needs_cutoff: ClassVar[bool] = False
    allows_cutoff: ClassVar[bool] = False

    @property
    def cutoff(self) -> int:
        return 1


@dataclass(frozen=True, repr=False)
class NegativeWinsMeasure(AccuracyMeasure):
    """NegativeWins: how often a hard negative stands above the target; the lower, the better.

    A negative with the target's own score stands above it, as everywhere; so does any where the
    target was not ranked. A query's subset must be its target and its hard negatives; of a query
    without hard negatives it says nothing.
    """

    name: ClassVar[str] = "NegativeWins"
    lower_is_better = True

    def each(self, judged: Judged) -> Floats:
        return np.where(self._asked(judged.arrays), 1 - super().each(judged), np.nan)

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return np.where(self._asked(arrays), 1 - super().chance(arrays), np.nan)

    def _asked(self, arrays: BenchmarkArrays) -> Flags:
        """Which queries have hard negatives; an error where none has, or a subset holds anything else."""
        cases = arrays.benchmark.cases
        mixed = [
            case.id
            for case in cases
            if case.negatives and set(case.members) != {*case.truths[:1], *case.negatives}
        ]
        if mixed or not any(case.negatives for case in cases):
            what = f"the subset of query {mixed[0]} holds others" if mixed else "no query has any"
            raise DataError(
                f"{self!r} sets a target against its hard negatives, and in {arrays.benchmark.name} {what}: "
                "leave the measure out"
            )
        return np.array([bool(case.negatives) for case in cases], np.bool_)


Recall = RecallMeasure()
SubsetRecall = SubsetRecallMeasure()
Accuracy = AccuracyMeasure()
NegativeWins = NegativeWinsMeasure()
