"""Over the turns of a session: Hits, FinalRecall, AUC. Several truths count by their best rank."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from circlet.core import UsageError
from circlet.evaluate.arrays import BenchmarkArrays, Flags, Floats, totals
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


def _counted(name: str, turn: int | None) -> None:
    if turn is not None and (not isinstance(turn, int) or turn < 1):
        raise UsageError(f"{name}(turn={turn!r}): turns are counted from 1")


@dataclass(frozen=True, repr=False)
class HitsMeasure(Cutoff):
    """Hits(turn=L) @ K: the share of sessions that reached the first K in any turn up to L.

    Cumulative; a session shorter than L keeps its last value. Without a turn, up to the last.
    """

    turn: int | None = None

    name: ClassVar[str] = "Hits"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _counted(self.name, self.turn)

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
    """FinalRecall @ K: the share of sessions whose last turn has a truth among the first K.

    FinalRecall(turn=L) @ K is the same as of turn L: the last turn that is not after it.
    """

    turn: int | None = None

    name: ClassVar[str] = "FinalRecall"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _counted(self.name, self.turn)

    def each(self, judged: Judged) -> Floats:
        return self._last(judged.arrays, (best_ranks(judged) <= self.cutoff).astype(np.float64))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return self._last(arrays, any_chance(arrays, need_sizes(self, arrays), self.cutoff))

    def _last(self, arrays: BenchmarkArrays, hits: Floats) -> Floats:
        if self.turn is None:
            return arrays.per_query(hits)
        table = _by_turn(arrays, hits)[:, : self.turn]
        there = np.maximum.accumulate(np.where(np.isnan(table), 0, np.arange(table.shape[1])), axis=1)
        return np.asarray(table[np.arange(len(table)), there[:, -1]], np.float64)


@dataclass(frozen=True, repr=False)
class AUCMeasure(Cutoff):
    """AUC @ K: the area under Hits @ K over turns 1..Lmax, by trapezoids, divided by Lmax − 1.

    `over="turns"` is the plain mean of Hits over the turns instead, as CIRCLED's released code has
    it: a perfect method scores 100. Where nothing is said, the benchmark's protocol decides (`auc=…`),
    and one that does not speak of it means `intervals`. With one turn only, AUC is Hits. Within a
    group, Lmax is the group's own longest session.
    """

    over: str = ""

    name: ClassVar[str] = "AUC"
    needs_cutoff: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of(self, "over", "", "intervals", "turns")

    def each(self, judged: Judged) -> Floats:
        return self._area(judged.arrays, self._hits(judged))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return self._area(arrays, self._chances(arrays))

    def each_of(self, judged: Judged, inside: Flags) -> Floats:
        longest = self._longest(judged.arrays, inside)
        return np.where(inside, self._area(judged.arrays, self._hits(judged)[:, :longest]), np.nan)

    def chance_of(self, arrays: BenchmarkArrays, inside: Flags) -> Floats:
        longest = self._longest(arrays, inside)
        return np.where(inside, self._area(arrays, self._chances(arrays)[:, :longest]), np.nan)

    def _hits(self, judged: Judged) -> NDArray[np.float64]:
        return _reached(judged.arrays, (best_ranks(judged) <= self.cutoff).astype(np.float64))

    def _chances(self, arrays: BenchmarkArrays) -> NDArray[np.float64]:
        return _reached_by_chance(arrays, any_chance(arrays, need_sizes(self, arrays), self.cutoff))

    def _longest(self, arrays: BenchmarkArrays, inside: Flags) -> int:
        return int(arrays.turn[inside[arrays.query]].max(initial=1))

    def _area(self, arrays: BenchmarkArrays, table: NDArray[np.float64]) -> Floats:
        turns, over = table.shape[1], self.over or arrays.benchmark.protocol.get("auc", "intervals")
        if turns == 1 or over == "turns":
            return np.asarray(table.mean(axis=1), np.float64)
        return np.asarray(((table[:, 1:] + table[:, :-1]) / 2).sum(axis=1) / (turns - 1), np.float64)


Hits = HitsMeasure()
FinalRecall = FinalRecallMeasure()
AUC = AUCMeasure()
