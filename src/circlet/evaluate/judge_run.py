"""From a saved run to the rank of every picture that counts."""

from collections.abc import Collection, Iterator
from typing import NoReturn

import numpy as np

from circlet.core import Benchmark, DataError, Key, Ranking, Run
from circlet.evaluate.arrays import LOST, BenchmarkArrays, Ints, arrays_of
from circlet.evaluate.judge import Judged, Ranked


def judge_run(run: Run, benchmark: Benchmark) -> Judged:
    """The ranks that a run gives; what it does not rank is behind every cutoff, and scores zero.

    Excluded pictures are dropped from a ranking before anything is counted, so a run made with the
    reference kept can be measured with it removed. Ids outside the gallery, ids given twice and
    queries that the benchmark does not have are errors: such a run was made for something else.

    >>> from circlet.core import Case, Query, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")},
    ...                 cases=(Case(query=Query("1", (Turn(picture="a"),)), truths=("c",), exclude=("a",)),))
    >>> run = Run(method="toy", rankings={Key("1"): Ranking("abc", [0.9, 0.5, 0.5])})
    >>> judge_run(run, toy).rank.tolist()
    [2]
    """
    arrays = arrays_of(benchmark)
    keys = {key for key, _ in arrays.asks}
    must_be_asked((*run.rankings, *run.subsets), benchmark, keys, made=run.protocol, whole=run.rankings)
    known = {name: frozenset(ids) for name, ids in benchmark.galleries.items()}
    ranks: list[int] = []
    subset_ranks: list[int] = []
    ends = np.searchsorted(arrays.ask, np.arange(1, len(arrays.asks) + 1)).tolist()
    for number, (key, _) in enumerate(arrays.asks):
        # The pictures that count stand in the order of the asks.
        wanted = arrays.ids[len(ranks) : ends[number]]
        case, whole, apart = benchmark.case(key.query), run.rankings.get(key), run.subsets.get(key)
        gone = frozenset(case.exclude)
        found = within = [LOST] * len(wanted)
        if whole is not None:
            _check(key, whole, known[case.group] if known else None, "gallery")
            found = _ranks(whole, wanted, gone)
        if apart is not None:
            _check(key, apart, frozenset(case.subset), "subset")
            within = _ranks(apart, wanted, gone)
        elif whole is not None and (members := arrays.subset(number)):
            within = _ranks(whole, wanted, gone, only=frozenset(members))
        ranks += found
        subset_ranks += within
    whole_rank, inner_rank = np.array(ranks, np.int64), np.array(subset_ranks, np.int64)
    return Judged(
        arrays,
        whole_rank,
        inner_rank,
        remarks=_remarks(run, arrays, whole_rank, inner_rank),
        ranked=_ranked(run, arrays),
    )


def must_be_asked(
    given: Collection[Key],
    benchmark: Benchmark,
    keys: Collection[Key],
    *,
    whole: Collection[Key] | None = None,
    made: str = "",
    what: str = "the run ranks",
) -> None:
    """Refuse what answers something else than the benchmark asks, and say what to name instead.

    `keys` are what it asks, `whole` those that rank the gallery; `made` is the protocol that whoever
    answers was made under.
    """
    where = f"{benchmark.name} {benchmark.split}"
    under = f"; it was made under: {made}" if made else ""
    for key in given:
        if key in keys:
            continue
        if key.query not in benchmark:
            raise DataError(
                f"{what} query {key}, which {where} does not have: "
                f"name the benchmark and split that it was made for{under}"
            )
        turns = max(1, len(benchmark.case(key.query).query.turns))
        if key.turn > turns:
            raise DataError(
                f"{what} turn {key.turn} of query {key.query}, which has {turns} in {where}: "
                f"name the file of sessions that it was made for{under}"
            )
        raise DataError(
            f"{what} query {key.query} in several wordings, and {where} is asked in one here: measure it "
            f"under the protocol it was made with (for FashionIQ, captions=both-orders){under}"
        )
    ranked = given if whole is None else whole
    if any(case.wordings for case in benchmark.cases) and ranked and not any(key.wording for key in ranked):
        raise DataError(
            f"{what} every query once, and {benchmark.name} is asked in several wordings: measure it "
            "under the protocol it was made with (for FashionIQ, captions=joined)"
        )


def _check(key: Key, ranking: Ranking, known: frozenset[str] | None, where: str) -> None:
    distinct = frozenset(ranking.ids)
    fitting = len(distinct) == len(ranking.ids) and (known is None or distinct <= known)
    if fitting and not np.isnan(ranking.scores.sum()):
        return
    seen: set[str] = set()
    for id in ranking.ids:
        if id in seen:
            _refuse(key, f"ranks {id} twice", "rank each picture once")
        seen.add(id)
        if known is not None and id not in known:
            _refuse(key, f"ranks {id}, which is not in its {where}", "rank the benchmark's own pictures")
    if np.isnan(ranking.scores).any():
        id = ranking.ids[int(np.flatnonzero(np.isnan(ranking.scores))[0])]
        _refuse(key, f"gives {id} a score that is not a number", "write numbers")


def _refuse(key: Key, what: str, remedy: str) -> NoReturn:
    raise DataError(f"the run {what} for query {key}: {remedy}")


def _ranks(
    ranking: Ranking, wanted: Collection[str], gone: frozenset[str], only: frozenset[str] | None = None
) -> list[int]:
    """Ranks of the wanted ids among what is kept of a ranking; equal scores count as ahead."""
    ids, scores = ranking.ids, ranking.scores
    if only is not None or not gone.isdisjoint(ids):
        kept = [i for i, id in enumerate(ids) if id not in gone and (only is None or id in only)]
        ids, scores = tuple(ids[i] for i in kept), scores[kept]
    return [int(np.count_nonzero(scores >= scores[ids.index(id)])) if id in ids else LOST for id in wanted]


def _ranked(run: Run, arrays: BenchmarkArrays) -> frozenset[Ranked]:
    """What the run ranks at all; a query that it leaves out scores zero, and changes nothing here."""
    kinds: list[Ranked] = []
    if run.rankings or not run.subsets:
        kinds.append("gallery")
    if not _cut_subsets(run, arrays) and (run.subsets or run.rankings):
        kinds.append("subsets")
    return frozenset(kinds)


def _cut_subsets(run: Run, arrays: BenchmarkArrays) -> int:
    """How many subsets are ranked neither by themselves nor wholly within the gallery's ranking."""
    return sum(
        not set(arrays.subset(number)).issubset(run.rankings[key].ids)
        for number, (key, _) in enumerate(arrays.asks)
        if key in run.rankings and key not in run.subsets
    )


def _remarks(run: Run, arrays: BenchmarkArrays, ranks: Ints, inner: Ints) -> tuple[str, ...]:
    """What a reader of this run's numbers should know."""
    remarks = []
    if run.rankings or not run.subsets:
        absent = sum(key not in run.rankings for key, _ in arrays.asks)
        if absent:
            remarks.append(f"{absent} of {len(arrays.asks)} rankings are not in the run and score zero")
    if run.protocol != arrays.benchmark.header():
        made = f"was made under another protocol, {run.protocol}" if run.protocol else "says no protocol"
        remarks.append(
            f"the run {made}: truths and exclusions are the benchmark's, what was ranked is the run's"
            + "".join(f"; {fact}" for fact in _facts(run, arrays))
        )
    if (ranks[arrays.truth] == LOST).all() and (inner[arrays.truth] == LOST).all():
        remarks.append(_finds_nothing(run, arrays))
    return tuple(remarks)


def _facts(run: Run, arrays: BenchmarkArrays) -> Iterator[str]:
    """What a run's rankings show of how they were made, where its word for it is not that of the header."""
    benchmark = arrays.benchmark
    searched = frozenset(id for ids in benchmark.galleries.values() for id in ids)
    ranked = {key: ranking.ids for key, ranking in run.rankings.items() if key.query in benchmark}
    named = frozenset().union(*ranked.values())
    if ranked and len(named) < len(searched):
        yield f"it names {len(named):,} of the gallery's {len(searched):,} pictures"
    asked = {key: benchmark.case(key.query).query.turns[: key.turn] for key in ranked}
    own = sum(any(turn.picture in ids for turn in asked[key]) for key, ids in ranked.items())
    if ranked and any(case.query.pictures for case in benchmark.cases):
        yield f"a query's own picture stands in {own:,} of its {len(ranked):,} rankings"


def _finds_nothing(run: Run, arrays: BenchmarkArrays) -> str:
    """A remark for a run without any truth: most often its pictures have other names."""
    given = next((one.ids[0] for one in (*run.rankings.values(), *run.subsets.values()) if one.ids), "")
    example = f" (it ranks {given}, a truth is {arrays.ids[0]})" if given else ""
    return f"no truth is in any ranking: look whether pictures are called alike on both sides{example}"
