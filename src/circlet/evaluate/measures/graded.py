"""How good the first K are, all of them: by their true grades (`Grade`), by a scorer (`Relevance`)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from circlet.core import DataError, UsageError
from circlet.evaluate.arrays import BenchmarkArrays, Floats, totals
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.measure import Cutoff, need_sizes
from circlet.evaluate.measures.precision import places


@dataclass(frozen=True, repr=False)
class GradeMeasure(Cutoff):
    """Grade @ K: the mean true grade of the first K, for benchmarks that grade their pictures.

    What has no grade counts 0, and so does a place that a run leaves empty.
    """

    name: ClassVar[str] = "Grade"
    needs_cutoff: ClassVar[bool] = True

    def each(self, judged: Judged) -> Floats:
        arrays = judged.arrays
        self._graded(arrays)
        order, place = places(arrays.ask, judged.rank, arrays.grade)
        worth = np.where(place <= self.cutoff, arrays.grade[order], 0.0)
        found = totals(arrays.ask[order], worth, len(arrays.asks))
        # Where a gallery has fewer than K candidates, all of them are the first K.
        size = np.where(arrays.size > 0, arrays.size, self.cutoff)
        return arrays.per_query(found / np.minimum(size, self.cutoff))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        self._graded(arrays)
        return arrays.per_query(arrays.per_ask(arrays.grade * arrays.reachable) / need_sizes(self, arrays))

    def _graded(self, arrays: BenchmarkArrays) -> None:
        if bare := [case.id for case in arrays.benchmark.cases if not case.grades]:
            raise DataError(
                f"{self!r} reads grades, and {arrays.benchmark.name} has none for {len(bare)} of "
                f"{len(arrays.benchmark)} queries (the first of these {bare[0]}): measure NDCG or Recall"
            )


@dataclass(frozen=True, repr=False)
class RelevanceMeasure(Cutoff):
    """Relevance @ K: the mean score of the first K by a scorer (equation 10 of the CIRQRS paper).

    The scores come with what is judged (`Judged.scored`); where they are probabilities the number is
    a percentage, elsewhere the raw score. What a random order scores is not known.
    """

    name: ClassVar[str] = "Relevance"
    needs_cutoff: ClassVar[bool] = True

    @property
    def scored(self) -> int:
        return self.cutoff

    def scale(self, judged: Judged) -> float:
        return 100.0 if judged.scored is None or judged.scored.likely else 1.0

    def each(self, judged: Judged) -> Floats:
        if judged.scored is None:
            raise UsageError(f"{self!r} is by a scorer, and none is given: name one with --relevance")
        return judged.arrays.per_query(judged.scored.first(self.cutoff))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return np.full(len(arrays.benchmark.queries), np.nan)


Grade = GradeMeasure()
Relevance = RelevanceMeasure()
