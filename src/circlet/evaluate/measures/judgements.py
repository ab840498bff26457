"""What people said of retrieved sets, as arrays, and what a measure of it is."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from circlet.core import Benchmark, DataError, Key, Run
from circlet.evaluate.arrays import Floats, Ints
from circlet.evaluate.measures.measure import ScoreMeasure


@dataclass(frozen=True)
class Judgements:
    """What people said of two sets a query: scores, the set preferred, whether each holds the target.

    `query` numbers the queries that were asked: several people may have judged the same one.
    """

    sets: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    scores: Floats
    preferred: Floats
    recalls: Floats
    query: Ints

    @classmethod
    def of(cls, benchmark: Benchmark) -> "Judgements":
        """The judgements that a benchmark of human scores holds."""
        judged = [case.judgement for case in benchmark.cases if case.judgement is not None]
        if not judged or len(judged) < len(benchmark.cases):
            raise DataError(f"{benchmark.name} holds no human scores of retrieved sets")
        sets = tuple((one.sets[0].images, one.sets[1].images) for one in judged)
        numbers: dict[object, int] = {}
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
            np.array([numbers.setdefault(query.turns, len(numbers)) for query in benchmark.queries]),
        )

    @property
    def queries(self) -> int:
        """How many queries there are, however many people judged each."""
        return int(self.query.max(initial=-1)) + 1


class SetMeasure(ScoreMeasure):
    """A measure of set scores, a row a query, against what people said of the same sets."""

    @abstractmethod
    def of(self, table: Floats, people: Judgements) -> float:
        """What it makes of these scores of set 1 and set 2."""

    @abstractmethod
    def resampled(self, table: Floats, people: Judgements, weights: Floats) -> Floats:
        """The same for each row of weights, which say how often each judgement was drawn."""

    def value(self, run: Run, benchmark: Benchmark) -> float:
        """The measure of a run that scores every picture of the sets."""
        return self.of(set_scores(run, benchmark), Judgements.of(benchmark))


def set_scores(run: Run, benchmark: Benchmark) -> Floats:
    """For each query the mean score of the pictures of set 1 and of set 2."""
    people = Judgements.of(benchmark)
    means = np.empty((len(people.sets), 2))
    for row, (query, both) in enumerate(zip(benchmark.queries, people.sets, strict=True)):
        key = Key(query.id, max(1, len(query.turns)))
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
