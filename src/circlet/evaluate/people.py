"""Rows and figures of a benchmark of judgements: what recall and the truth reach, how far judges agree."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from circlet.core import Benchmark, Case, DataError
from circlet.evaluate.arrays import Floats
from circlet.evaluate.certainty import correlated
from circlet.evaluate.measures.agreement import Krippendorff, Spearman
from circlet.evaluate.measures.judgements import Judgements, SetMeasure
from circlet.evaluate.measures.measure import Measure
from circlet.evaluate.result import Result


def yardsticks(benchmark: Benchmark, measures: Sequence[Measure]) -> list[Result]:
    """The rows that give agreement with people a scale: recall of the sets, and their true grades.

    Recall is whether a set holds the target, 0 or 1; the grades themselves are what a judge without any
    noise would go by. What the cases do not tell is left out.
    """
    chosen = [one for one in measures if isinstance(one, SetMeasure)]
    if not chosen:
        return []
    people = Judgements.of(benchmark)
    rows = []
    if all(case.target for case in benchmark.cases):
        sizes = {len(one) for both in people.sets for one in both}
        named = f"Recall@{sizes.pop()}" if len(sizes) == 1 else "recall of the set"
        rows.append(_row(benchmark, people, chosen, named, people.recalls))
    if (grades := true_scores(benchmark)) is not None:
        rows.append(_row(benchmark, people, chosen, "ceiling (the grades themselves)", grades))
    return rows


def true_scores(benchmark: Benchmark) -> Floats | None:
    """For each query the mean grade of the pictures of set 1 and of set 2; None where one has no grade."""
    means = []
    for case, both in zip(benchmark.cases, Judgements.of(benchmark).sets, strict=True):
        if any(image not in case.grades for one in both for image in one):
            return None
        means.append([float(np.mean([case.grades[image] for image in one])) for one in both])
    return np.array(means, np.float64)


def _row(
    benchmark: Benchmark, people: Judgements, measures: Sequence[SetMeasure], name: str, table: Floats
) -> Result:
    row = Result(name, benchmark.header(), {}, len(benchmark), revision=benchmark.revision)
    if np.ptp(table) == 0:
        # Nothing goes with what is the same everywhere.
        told = {repr(one): np.nan if isinstance(one, Spearman) else one.of(table, people) for one in measures}
        return replace(row, measures=told)
    sure = correlated(table, people) if Spearman() in measures else None
    return replace(row, measures={repr(one): one.of(table, people) for one in measures}, agreement=sure)


@dataclass(frozen=True)
class JudgeFigures:
    """How much was judged, by how many, and Krippendorff's alpha where several judged the same sets.

    `groups` are the queries by category; `invalid` judgements were flagged; `shared` queries were judged
    more than once. Alpha is by interval for scores and nominal for the set preferred; None where nothing
    can be told.
    """

    queries: int
    groups: dict[str, int]
    judgements: int
    sets: int
    judges: int
    invalid: int
    shared: int
    scores: float | None
    preferred: float | None


def judge_figures(benchmark: Benchmark) -> JudgeFigures | None:
    """The figures of a benchmark of judgements; None of any other.

    Judgements are of the same when reference, words and sets are, in whichever order the sets were shown.
    """
    if not benchmark.cases or any(case.judgement is None for case in benchmark.cases):
        return None
    asked: defaultdict[Hashable, list[Case]] = defaultdict(list)
    for case in benchmark.cases:
        asked[case.query.turns, frozenset(_sets(case))].append(case)
    shared = {unit: cases for unit, cases in asked.items() if len({_judge(case) for case in cases}) > 1}
    left_out = int(benchmark.extra.get("invalid", 0))
    flagged = sum(not case.notes.get("valid", True) for case in benchmark.cases)
    group = {case.query.turns: case.group for case in benchmark.cases}
    return JudgeFigures(
        queries=len(group),
        groups=dict(sorted(Counter(name for name in group.values() if name).items())),
        judgements=len(benchmark.cases),
        sets=2 * len(asked),
        judges=len({_judge(case) for case in benchmark.cases}),
        invalid=left_out + flagged,
        shared=len(shared),
        scores=_alpha("interval", _ratings(shared.values(), preferences=False)),
        preferred=_alpha("nominal", _ratings(shared.values(), preferences=True)),
    )


def _sets(case: Case) -> tuple[tuple[str, ...], ...]:
    return tuple(one.images for one in case.judgement.sets) if case.judgement else ()


def _judge(case: Case) -> str:
    """Who judged; a case that does not say was judged by somebody of its own."""
    return str(case.notes.get("judge", f"case {case.id}"))


def _ratings(units: Iterable[Sequence[Case]], *, preferences: bool) -> Floats:
    """One row a judge, one column a unit: a query for what is preferred, a set for scores."""
    told = [(_judge(case), number, case) for number, cases in enumerate(units) for case in cases]
    rows = {judge: row for row, judge in enumerate(sorted({judge for judge, _, _ in told}))}
    table = np.full((len(rows), (max((number for _, number, _ in told), default=-1) + 1) * 2), np.nan)
    for judge, number, case in told:
        judgement = case.judgement
        assert judgement is not None
        # Whoever was shown the sets the other way round said the same of the same.
        order = sorted((0, 1), key=lambda place: judgement.sets[place].images)
        for column, place in enumerate(order):
            said = judgement.preferred == place + 1 if preferences else judgement.sets[place].score
            table[rows[judge], 2 * number + column] = said
    return table[:, ::2] if preferences else table


def _alpha(level: str, ratings: Floats) -> float | None:
    try:
        return Krippendorff(level)(ratings) if ratings.size else None
    except DataError:
        return None
