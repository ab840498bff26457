"""How early the truths stand: MAP, SubsetMAP, MRR, NDCG."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from circlet.evaluate.arrays import LOST, BenchmarkArrays, Floats, Ints, totals
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.measure import Cutoff, need_sizes, need_subsets, one_of
from circlet.evaluate.measures.recall import best_ranks


def places(ask: Ints, rank: Ints, gain: Floats) -> tuple[NDArray[np.intp], Ints]:
    """The order of the pictures by ask and rank, and the place each then has.

    Pictures that count and share a score stand behind the others of that score, the least worth
    first: the last of m takes the rank that all m were counted to have.

    >>> order, place = places(np.array([0, 0, 0]), np.array([1, 4, 4]), np.ones(3))
    >>> place.tolist()
    [1, 3, 4]
    """
    order = np.lexsort((gain, rank, ask))
    asks, ranks = ask[order], rank[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (asks[1:] != asks[:-1]) | (ranks[1:] != ranks[:-1])
    ends = np.append(np.flatnonzero(new)[1:], len(order))
    behind = ends[np.cumsum(new) - 1] - 1 - np.arange(len(order))
    return order, np.where(ranks == LOST, LOST, ranks - behind)


def _average_precision(
    arrays: BenchmarkArrays, counts: NDArray[np.bool_], rank: Ints, k: int, over: str
) -> Floats:
    """AP of each ask: at every truth within k, the share of truths so far; divided as `over` says."""
    ask, ranks = arrays.ask[counts], rank[counts]
    order, place = places(ask, ranks, np.zeros(len(ask)))
    asks = ask[order]
    number = np.arange(len(asks)) - np.searchsorted(asks, asks) + 1
    gained = np.where(place <= k, number / place, 0.0)
    amount = np.bincount(ask, minlength=len(arrays.asks))
    divisor = amount if over == "truths" else np.minimum(amount, k)
    return totals(asks, gained, len(arrays.asks)) / np.maximum(divisor, 1)


def _expected_precision(sizes: Floats, truths: Floats, reachable: Floats, k: int, over: str) -> Floats:
    """The expected AP of a random order of `sizes` pictures, which hold `found` of the truths.

    At each place stands a truth with probability r/n; given that, the places before it hold
    (r − 1)/(n − 1) truths each.
    """
    deepest = int(min(k, sizes.max(initial=0)))
    place = np.arange(1, deepest + 1, dtype=np.float64)
    expected = np.empty_like(sizes)
    for n, all_truths, r in np.unique(np.stack([sizes, truths, reachable], axis=1), axis=0):
        within = place[: int(min(k, n))]
        rest = (r - 1) / (n - 1) if n > 1 else 0.0
        divisor = max(all_truths if over == "truths" else min(all_truths, k), 1)
        total = float((r / n * (1 + (within - 1) * rest) / within).sum()) / divisor
        expected[(sizes == n) & (truths == all_truths) & (reachable == r)] = total
    return expected


@dataclass(frozen=True, repr=False)
class MAPMeasure(Cutoff):
    """MAP @ K: mean average precision, divided by min(number of truths, K) (`over="min"`).

    `over="truths"` divides by the number of truths: a perfect run then stays below 100 wherever a
    query has more than K of them. Where nothing is said, the benchmark's protocol decides (`map=…`),
    and a benchmark that does not speak of it means `min`.
    """

    over: str = ""

    name: ClassVar[str] = "MAP"

    def __post_init__(self) -> None:
        one_of(self, "over", "", "min", "truths")

    def _over(self, arrays: BenchmarkArrays) -> str:
        return self.over or arrays.benchmark.protocol.get("map", "min")

    def each(self, judged: Judged) -> Floats:
        arrays = judged.arrays
        precision = _average_precision(arrays, arrays.truth, judged.rank, self.cutoff, self._over(arrays))
        return arrays.per_query(precision)

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        truths, reachable = arrays.per_ask(arrays.truth), arrays.per_ask(arrays.truth & arrays.reachable)
        sizes = need_sizes(self, arrays)
        return arrays.per_query(
            _expected_precision(sizes, truths, reachable, self.cutoff, self._over(arrays))
        )


@dataclass(frozen=True, repr=False)
class SubsetMAPMeasure(Cutoff):
    """SubsetMAP: mean average precision within the subset; with one truth, the mean of 1/rank."""

    name: ClassVar[str] = "SubsetMAP"

    @property
    def of_subsets(self) -> bool:  # type: ignore[override]
        return True

    def each(self, judged: Judged) -> Floats:
        arrays = judged.arrays
        need_subsets(self, arrays)
        counts = arrays.truth & arrays.in_subset
        return arrays.per_query(_average_precision(arrays, counts, judged.subset_rank, self.cutoff, "min"))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        need_subsets(self, arrays)
        truths = arrays.per_ask(arrays.truth & arrays.in_subset)
        sizes = arrays.subset_size.astype(np.float64)
        return arrays.per_query(_expected_precision(sizes, truths, truths, self.cutoff, "min"))


@dataclass(frozen=True, repr=False)
class MRRMeasure(Cutoff):
    """MRR: the mean of 1/rank of the first truth; with a cutoff, what lies beyond it counts 0."""

    name: ClassVar[str] = "MRR"

    def each(self, judged: Judged) -> Floats:
        rank = best_ranks(judged)
        return judged.arrays.per_query(np.where(rank <= self.cutoff, 1 / rank, 0.0))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        sizes, truths = need_sizes(self, arrays), arrays.per_ask(arrays.truth & arrays.reachable)
        expected = np.empty_like(sizes)
        for n, r in np.unique(np.stack([sizes, truths], axis=1), axis=0):
            # The first truth stands at k: none among the first k - 1, and one at k.
            place = np.arange(1, int(min(self.cutoff, n)) + 1, dtype=np.float64)
            steps = np.clip((n - r - place + 1) / np.maximum(n - place + 1, 1), 0, 1)
            none_before = np.concatenate([[1.0], np.cumprod(steps)[:-1]])
            expected[(sizes == n) & (truths == r)] = (none_before * (1 - steps) / place).sum()
        return arrays.per_query(expected)


@dataclass(frozen=True, repr=False)
class NDCGMeasure(Cutoff):
    """NDCG @ K: discounted gain over the ideal one; gains are the grades (1 where there are none).

    `gain="exponential"` takes 2^grade − 1 for a gain instead of the grade.
    """

    gain: str = "linear"

    name: ClassVar[str] = "NDCG"

    def __post_init__(self) -> None:
        one_of(self, "gain", "linear", "exponential")

    def _gains(self, arrays: BenchmarkArrays) -> Floats:
        grade = np.maximum(arrays.grade, 0)
        return grade if self.gain == "linear" else np.exp2(grade) - 1

    def _ideal(self, arrays: BenchmarkArrays, gains: Floats) -> Floats:
        order = np.lexsort((-gains, arrays.ask))
        asks = arrays.ask[order]
        place = np.arange(len(asks)) - np.searchsorted(asks, asks) + 1
        worth = np.where(place <= self.cutoff, gains[order] / np.log2(place + 1), 0.0)
        return totals(asks, worth, len(arrays.asks))

    def each(self, judged: Judged) -> Floats:
        arrays = judged.arrays
        gains = self._gains(arrays)
        order, place = places(arrays.ask, judged.rank, gains)
        within = place <= self.cutoff
        discount = np.log2(np.where(within, place, 1) + 1.0)
        worth = np.where(within, gains[order] / discount, 0.0)
        gained = totals(arrays.ask[order], worth, len(arrays.asks))
        ideal = self._ideal(arrays, gains)
        return arrays.per_query(np.divide(gained, ideal, out=np.zeros_like(ideal), where=ideal > 0))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        sizes, gains = need_sizes(self, arrays), self._gains(arrays)
        deepest = int(min(self.cutoff, sizes.max(initial=0)))
        discounts = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(1, deepest + 1) + 1))])
        depth = np.minimum(sizes, deepest).astype(np.intp)
        # Every place holds each picture with the same probability, so each gains the mean discount.
        gained = arrays.per_ask(gains * arrays.reachable) * discounts[depth] / sizes
        ideal = self._ideal(arrays, gains)
        return arrays.per_query(np.divide(gained, ideal, out=np.zeros_like(ideal), where=ideal > 0))


MAP = MAPMeasure()
SubsetMAP = SubsetMAPMeasure()
MRR = MRRMeasure()
NDCG = NDCGMeasure()
