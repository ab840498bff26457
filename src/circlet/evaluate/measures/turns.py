"""Over the turns of a session: Hits, FinalRecall, AUC. Several truths count by their best rank."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from circlet.core import UsageError
from circlet.evaluate.arrays import BenchmarkArrays, Floats, totals
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.measure import Cutoff, need_sizes, one_of
from circlet.evaluate.measures.recall import any_chance, best_ranks


def _by_turn(arrays: BenchmarkArrays, hits: Floats) -> NDArray[np.float64]:
    """A table of queries × turns from one value per ask, averaged over wordings; NaN after the end."""
    shape = (len(arrays.benchmark.queries), int(arrays.turn.max(initial=1)))
    cell = arrays.query * shape[1] + arrays.turn - 1
    amount = np.bincount(cell, minlength=shape[0] * shape[1])
    total = totals(cell, hits, shape[0] * shape[1])
    table = np.divide(total, amount, out=np.full(len(amount), np.nan), where=amount > 0)
    return table.reshape(shape)


def _reached(arrays: BenchmarkArrays, hits: Floats) -> NDArray[np.float64]:
    """Whether the target was reached in any turn so far; a session that ended keeps its last value."""
    return np.fmax.accumulate(_by_turn(arrays, hits), axis=1)


def _reached_by_chance(arrays: BenchmarkArrays, hits: Floats) -> NDArray[np.float64]:
    """The same for turns that hit by chance, each on its own."""
    missed = 1 - np.nan_to_num(_by_turn(arrays, hits), nan=0.0)
    return np.asarray(1 - np.cumprod(missed, axis=1), np.float64)


@dataclass(frozen=True, repr=False)
class HitsMeasure(Cutoff):
    """Hits(turn=L) @ K: the share of sessions that reached the first K in any turn up to L.

    Cumulative; a session shorter than L keeps its last value. Without a turn, up to the last.
    """

    turn: int | None = None

    name: ClassVar[str] = "Hits"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.turn is not None and (not isinstance(self.turn, int) or self.turn < 1):
            raise UsageError(f"Hits(turn={self.turn!r}): turns are counted from 1")

    def each(self, judged: Judged) -> Floats:
        hits = (best_ranks(judged) <= self.cutoff).astype(np.float64)
        return self._at(_reached(judged.arrays, hits))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return self._at(_reached_by_chance(arrays, any_chance(arrays, need_sizes(self, arrays), self.cutoff)))

    def _at(self, table: NDArray[np.float64]) -> Floats:
        last = table.shape[1]
        return table[:, min(self.turn or last, last) - 1]


@dataclass(frozen=True, repr=False)
class FinalRecallMeasure(Cutoff):
    """FinalRecall @ K: the share of sessions whose last turn has a truth among the first K."""

    name: ClassVar[str] = "FinalRecall"
    needs_cutoff: ClassVar[bool] = True

    def each(self, judged: Judged) -> Floats:
        return judged.arrays.per_query((best_ranks(judged) <= self.cutoff).astype(np.float64))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return arrays.per_query(any_chance(arrays, need_sizes(self, arrays), self.cutoff))


@dataclass(frozen=True, repr=False)
class AUCMeasure(Cutoff):
    """AUC @ K: the area under Hits @ K over turns 1..Lmax, by trapezoids, divided by Lmax − 1.

    `over="turns"` divides by Lmax instead; where nothing is said, the benchmark's protocol decides
    (`auc=…`), and one that does not speak of it means `intervals`. With one turn only, AUC is Hits.
    """

    over: str = ""

    name: ClassVar[str] = "AUC"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of(self, "over", "", "intervals", "turns")

    def each(self, judged: Judged) -> Floats:
        hits = (best_ranks(judged) <= self.cutoff).astype(np.float64)
        return self._area(judged.arrays, _reached(judged.arrays, hits))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        hits = any_chance(arrays, need_sizes(self, arrays), self.cutoff)
        return self._area(arrays, _reached_by_chance(arrays, hits))

    def _area(self, arrays: BenchmarkArrays, table: NDArray[np.float64]) -> Floats:
        turns, over = table.shape[1], self.over or arrays.benchmark.protocol.get("auc", "intervals")
        if turns == 1:
            return table[:, 0]
        area = ((table[:, 1:] + table[:, :-1]) / 2).sum(axis=1)
        return area / (turns if over == "turns" else turns - 1)


Hits = HitsMeasure()
FinalRecall = FinalRecallMeasure()
AUC = AUCMeasure()
