"""Anybody's features, measured: pictures and queries are rows of a file, and scores are their cosines."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from circlet.core import Benchmark, Composer, DataError, Key, Pictures, Query, Run, Turn, Vectors
from circlet.evaluate.files.npz import GivenFeatures
from circlet.evaluate.judge import Judged, survey
from circlet.evaluate.judge_run import must_be_asked


class _Given(Composer):
    """A composer that looks every query up; one that is not there has no vector, and so no ranking."""

    def __init__(self, given: GivenFeatures, asks: Sequence[tuple[Key, Query]]) -> None:
        self.given = given
        self.fingerprint = given.pictures.fingerprint
        # A query that says the same in two wordings is one question, whose first vector answers.
        self.keys = {self._question(query): key for key, query in reversed(asks)}

    def __repr__(self) -> str:
        return self.given.method

    @staticmethod
    def _question(query: Query) -> tuple[str, int, str]:
        return query.id, len(query.turns), query.last.text if query.turns else ""

    def compose(self, queries: Sequence[Query], pictures: Pictures) -> Vectors:
        nothing = np.full(self.given.query_vectors.shape[1], np.nan, np.float32)
        rows = [self.given.queries.get(self.keys[self._question(query)]) for query in queries]
        return np.stack([nothing if row is None else self.given.query_vectors[row] for row in rows])

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        raise DataError("given features answer whole queries, not turns: rank queries with them")


def survey_features(
    given: GivenFeatures, benchmark: Benchmark, *, top: int = 50, allow_missing: bool = False
) -> tuple[Judged, Run]:
    """Exact ranks and the run of given features on a benchmark.

    A picture to be ranked that has no vector is an error that names it; with `allow_missing` it
    leaves the benchmark. A query without a vector scores zero, and a remark says how many; one that
    the benchmark does not have is an error. References need no vector.
    """
    must_be_asked(given.queries, benchmark, {key for key, _ in benchmark.asks()}, what="the features answer")
    if not (benchmark.galleries or benchmark.has_subsets):
        raise DataError(
            f"{benchmark.name}: the gallery is not listed, so nothing can be ranked; put its list where the "
            "reader looks for it"
        )
    ranked = [id for ids in benchmark.galleries.values() for id in ids]
    ranked += [id for case in benchmark.cases for id in case.members]
    lost = [id for id in dict.fromkeys(ranked) if id not in given.pictures]
    if lost and not allow_missing:
        raise DataError(
            f"{benchmark.name}: {len(lost)} of {len(set(ranked))} pictures have no vector in the features, "
            f"the first of them {lost[0]}{_as_called(given, lost, ranked)}; add them, or measure what is "
            "left with --allow-missing"
        )
    left = benchmark.without(lost) if lost else benchmark
    if not left.queries:
        raise DataError(f"{benchmark.name}: no query is left without the pictures that have no vector")
    asks = left.asks()
    judged, run = survey(_Given(given, asks), left, given.pictures, top=top)
    remarks = []
    absent = sum(key not in given.queries for key, _ in asks)
    if absent:
        remarks.append(f"{absent} of {len(asks)} queries have no vector in the features and score zero")
    if given.scaled:
        remarks.append("the features were brought to length one: scores are cosines")
    coverage = len(left.queries) / len(benchmark.queries)
    return replace(judged, coverage=coverage, remarks=tuple(remarks)), run


def _as_called(given: GivenFeatures, lost: Sequence[str], ranked: Sequence[str]) -> str:
    """Where not one picture is known, what the features call theirs: most often the names differ."""
    ids = given.pictures.ids
    return f" (theirs are called like {ids[0]})" if ids and len(lost) == len(set(ranked)) else ""
