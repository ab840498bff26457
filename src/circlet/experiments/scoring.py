"""What a scorer says of results: the first of every ranking (`Relevance @ K`), the sets of a survey."""

from collections.abc import Sequence

import numpy as np

from circlet.core import Benchmark, DataError, Gallery, Key, Query, Ranking, Run, Scorer
from circlet.core.vectors import blocks
from circlet.evaluate import arrays_of
from circlet.evaluate.arrays import Floats
from circlet.evaluate.scored import Scored


def score_run(
    run: Run, benchmark: Benchmark, scorer: Scorer, pictures: Gallery, *, depth: int, name: str = ""
) -> Scored:
    """The first `depth` pictures of every ranking that was asked for, scored.

    What the protocol excludes, and what `pictures` does not hold, is dropped before the first are taken.
    A query whose own picture is not there is left out. A place that the run leaves empty scores nothing:
    0 of a probability, elsewhere the worst score that was given to anything.
    """
    if not run.rankings:
        raise DataError(
            f"{benchmark.name}: {run.method} ranks no gallery, so there are no first {depth} to score: "
            "measure a run that does"
        )
    arrays = arrays_of(benchmark, measured=False)
    asked = [(row, key, query) for row, (key, query) in enumerate(arrays.asks) if _there(query, pictures)]
    lists = []
    for row, key, _ in asked:
        gone = frozenset(arrays.excluded[arrays.query[row]])
        ranked = run.rankings[key].ids if key in run.rankings else ()
        lists.append([id for id in ranked if id not in gone and id in pictures][:depth])
    rows = _scores(scorer, [query for _, _, query in asked], lists, pictures)
    given = np.concatenate(rows) if rows else np.zeros(0)
    likely = scorer.likely(given.astype(np.float32))
    values = given if likely is None else np.asarray(likely, np.float64)
    table = np.full((len(arrays.asks), depth), np.nan)
    worst = float(values.min()) if likely is None and len(values) else 0.0
    ends = np.cumsum([len(row) for row in rows])
    for (row, _, _), end, scores in zip(asked, ends.tolist(), rows, strict=True):
        table[row, : min(depth, int(arrays.size[row]) or depth)] = worst
        table[row, : len(scores)] = values[end - len(scores) : end]
    left = len(arrays.asks) - len(asked)
    remarks = (f"{left} of {len(arrays.asks)} queries show a missing picture and are not scored",)
    return Scored(name or repr(scorer), table, likely is not None, remarks if left else ())


def score_sets(benchmark: Benchmark, scorer: Scorer, pictures: Gallery, *, name: str = "") -> Run:
    """The scorer as a row of its own among methods: every picture of every query's set, scored."""
    queries = [case.query for case in benchmark.cases]
    sets = [case.members for case in benchmark.cases]
    found = _scores(scorer, queries, sets, pictures)
    return Run(
        method=name or repr(scorer),
        subsets={
            Key(query.id, max(1, len(query.turns))): _ranked(ids, scores)
            for query, ids, scores in zip(queries, sets, found, strict=True)
        },
        fingerprint=pictures.fingerprint,
        protocol=benchmark.header(),
    )


def _there(query: Query, pictures: Gallery) -> bool:
    return all(turn.picture is None or turn.picture in pictures for turn in query.turns)


def _ranked(ids: Sequence[str], scores: Floats) -> Ranking:
    order = np.argsort(-scores, kind="stable")
    return Ranking([ids[place] for place in order], scores[order])


def _scores(
    scorer: Scorer, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Gallery
) -> list[Floats]:
    """One score per candidate, a block of queries at a time."""
    found: list[Floats] = []
    widest = max(map(len, candidates), default=1)
    for part in blocks(len(queries), max(1, widest) * pictures.vectors.shape[1]):
        made = scorer.score(queries[part], candidates[part], pictures)
        for query, ids, scores in zip(queries[part], candidates[part], made, strict=True):
            row = np.asarray(scores, np.float64)
            if row.shape != (len(ids),) or np.isnan(row).any():
                raise DataError(
                    f"{scorer!r} gave no number for each of {len(ids)} candidates of query {query.id}"
                )
            found.append(row)
    return found
