"""What a benchmark asks, as flat arrays: the asks, and for each the pictures that count."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from circlet.core import Benchmark, Case, DataError, Key, Query
from circlet.core.case import without

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

# The rank of a picture that is not in the ranking: behind every cutoff.
LOST = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class BenchmarkArrays:
    """Asks and, ask by ask, the pictures that count: truths (the first is the target) and graded ones.

    Arrays over asks: `query` (its place in the benchmark), `turn`, `last` (the query's last turn),
    `size` (how many candidates; 0 where the gallery is not listed), `subset_size`.
    Arrays over pictures that count: `ask`, `grade`, `truth`, `target`, `reachable` (not outside the
    gallery), `in_subset`. By query: `members` of its subset and what is `excluded` from its gallery.
    """

    benchmark: Benchmark
    asks: tuple[tuple[Key, Query], ...]
    members: tuple[tuple[str, ...], ...]
    excluded: tuple[tuple[str, ...], ...]
    query: Ints
    turn: Ints
    last: Flags
    size: Ints
    subset_size: Ints
    ask: Ints
    ids: tuple[str, ...]
    grade: Floats
    truth: Flags
    target: Flags
    reachable: Flags
    in_subset: Flags

    def per_query(self, values: Floats) -> Floats:
        """One value per query from one per ask: its last turn's, averaged over its wordings."""
        amount = len(self.benchmark.queries)
        queries = self.query[self.last]
        return np.bincount(queries, values[self.last], amount) / np.bincount(queries, minlength=amount)

    def per_ask(self, values: Floats | Flags) -> Floats:
        """One value per ask from one per picture that counts: their sum."""
        return totals(self.ask, values, len(self.asks))

    def subset(self, ask: int) -> tuple[str, ...]:
        """What is ranked of an ask's subset: its members less the exclusions."""
        return self.members[self.query[ask]]


def totals(places: Ints, values: Floats | Flags, amount: int) -> Floats:
    """The sum of the values at each of `amount` places.

    >>> totals(np.array([0, 2, 2]), np.array([0.5, 1, 1]), 3).tolist()
    [0.5, 0.0, 2.0]
    """
    return np.asarray(np.bincount(places, values, amount), np.float64)


def arrays_of(benchmark: Benchmark, *, measured: bool = True) -> BenchmarkArrays:
    """The benchmark as arrays; a target that could never be found is an error that names it.

    A truth that is excluded from its own ranking (a reference that is a soft target) cannot be
    found by anybody and does not count; the target is the first truth that is left. A truth outside
    the gallery, or a query without a truth left, is an error, unless the protocol says
    `outside=miss`: then it counts and is never found. What is ranked and not `measured` needs no truths.
    """
    if not benchmark.queries:
        raise DataError(f"{benchmark.name} {benchmark.split} asks nothing: there is no query in it")
    if measured and not benchmark.has_truths:
        raise DataError(
            f"{benchmark.name} {benchmark.split} says no truths, so nothing can be measured on it: "
            "make a submission for its server, or measure a split with truths"
        )
    gathered = _Gathered(benchmark)
    for case in benchmark.cases:
        gathered.add(case)
    if measured:
        _must_be_found(benchmark, gathered)
    asks = tuple(benchmark.asks())
    place = {query.id: number for number, query in enumerate(benchmark.queries)}
    turns = np.array([max(1, len(query.turns)) for query in benchmark.queries], np.int64)
    of_ask = np.array([place[key.query] for key, _ in asks], np.int64)
    turn = np.array([key.turn for key, _ in asks], np.int64)
    # The pictures of a query stand together: each ask takes its query's whole stretch.
    amounts = np.array(gathered.amounts, np.int64)
    starts, taken = np.cumsum(amounts) - amounts, amounts[of_ask]
    stretch = np.repeat(starts[of_ask] - (np.cumsum(taken) - taken), taken) + np.arange(taken.sum())
    return BenchmarkArrays(
        benchmark=benchmark,
        asks=asks,
        members=tuple(gathered.members),
        excluded=tuple(gathered.excluded),
        query=of_ask,
        turn=turn,
        last=turn == turns[of_ask],
        size=np.array(gathered.sizes, np.int64)[of_ask],
        subset_size=np.array([len(members) for members in gathered.members], np.int64)[of_ask],
        ask=np.repeat(np.arange(len(asks)), taken),
        ids=tuple([gathered.ids[number] for number in stretch.tolist()]),
        grade=np.array(gathered.grade, np.float64)[stretch],
        truth=np.array(gathered.truth, np.bool_)[stretch],
        target=np.array(gathered.target, np.bool_)[stretch],
        reachable=np.array(gathered.reachable, np.bool_)[stretch],
        in_subset=np.array(gathered.inside, np.bool_)[stretch],
    )


class _Gathered:
    """What counts for each query and what is ranked for it, gathered query by query."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.known = {name: frozenset(ids) for name, ids in benchmark.galleries.items()}
        self.unlisted = int(benchmark.extra.get("gallery_size", 0))
        self.members: list[tuple[str, ...]] = []
        self.excluded: list[tuple[str, ...]] = []
        self.sizes: list[int] = []
        self.amounts: list[int] = []
        self.ids: list[str] = []
        self.grade: list[float] = []
        self.truth: list[bool] = []
        self.target: list[bool] = []
        self.reachable: list[bool] = []
        self.inside: list[bool] = []

    def add(self, case: Case) -> None:
        """Take a case in; its gallery must be there if any is."""
        home = self.known.get(case.group) if self.known else None
        if self.known and home is None:
            self.benchmark.gallery_of(case.id)
        gone, members, grades = case.exclude, case.members, case.grades
        listed = truths = without(case.truths, gone)
        if grades:
            listed = (*truths, *without(tuple(grades), (*truths, *gone)))
        excluded = gone if home is None else tuple(home.intersection(gone))
        self.members.append(members)
        self.excluded.append(excluded)
        self.sizes.append(self.unlisted if home is None else len(home) - len(excluded))
        self.amounts.append(len(listed))
        self.ids += listed
        for place, picture in enumerate(listed):
            self.grade.append(grades.get(picture, 1.0))
            self.truth.append(place < len(truths))
            self.target.append(place == 0 < len(truths))
            self.reachable.append(home is None or picture in home)
            self.inside.append(picture in members)


def _must_be_found(benchmark: Benchmark, gathered: _Gathered) -> None:
    queries = [query.id for query in benchmark.queries]
    if untold := [case.id for case in benchmark.cases if not case.truths]:
        raise DataError(f"{benchmark.name}: no truth for {_first(untold)}; leave these out with `only`")
    if benchmark.protocol.get("outside") == "miss":
        return
    owner = np.repeat(np.arange(len(queries)), gathered.amounts)
    left = np.bincount(owner, gathered.truth, len(queries))
    if not left.all():
        excluded = [queries[number] for number in np.flatnonzero(left == 0)]
        raise DataError(
            f"{benchmark.name}: every truth is excluded from the ranking for {_first(excluded)}; correct "
            "the exclusions, or set the protocol outside=miss to count these as never found"
        )
    outside = np.flatnonzero(np.array(gathered.truth, np.bool_) & ~np.array(gathered.reachable, np.bool_))
    if len(outside):
        named = [f"{gathered.ids[number]} (query {queries[owner[number]]})" for number in outside]
        raise DataError(
            f"{benchmark.name}: outside the gallery are the truths {_first(named)}; add them to the "
            "gallery, or set the protocol outside=miss to count them as never found"
        )


def _first(names: Sequence[str]) -> str:
    """The first few of many names, for a message."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
