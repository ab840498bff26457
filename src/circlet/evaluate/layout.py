"""What a benchmark asks, as flat arrays: the asks, and for each the pictures that count."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from circlet.core import Benchmark, DataError, Key, Query

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

# The rank of a picture that is not in the ranking: behind every cutoff.
LOST = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False)
class Layout:
    """Asks and, ask by ask, the pictures that count: truths (the first is the target) and graded ones.

    Arrays over asks: `query` (its place in the benchmark), `turn`, `last` (the query's last turn),
    `size` (how many candidates; 0 where the gallery is not listed), `subset_size`.
    Arrays over pictures that count: `ask`, `grade`, `truth`, `target`, `reachable` (not outside the
    gallery), `in_subset`.
    """

    benchmark: Benchmark
    asks: tuple[tuple[Key, Query], ...]
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
        return subset_of(self.benchmark, self.asks[ask][0].query)


def totals(places: Ints, values: Floats | Flags, amount: int) -> Floats:
    """The sum of the values at each of `amount` places.

    >>> totals(np.array([0, 2, 2]), np.array([0.5, 1, 1]), 3).tolist()
    [0.5, 0.0, 2.0]
    """
    return np.asarray(np.bincount(places, values, amount), np.float64)


def subset_of(benchmark: Benchmark, query: str) -> tuple[str, ...]:
    """A query's subset less its exclusions; empty where it has none."""
    gone = benchmark.exclusions.get(query, ())
    return tuple(id for id in benchmark.subsets.get(query, ()) if id not in gone)


def lay_out(benchmark: Benchmark, *, measured: bool = True) -> Layout:
    """The benchmark as arrays; a target that could never be found is an error that names it.

    A truth that is excluded from its own ranking (a reference that is a soft target) cannot be
    found by anybody and does not count; the target is the first truth that is left. A truth outside
    the gallery, or a query without a truth left, is an error, unless the protocol says
    `outside=miss`: then it counts and is never found. What is ranked and not `measured` needs no truths.
    """
    if measured and not benchmark.truths:
        raise DataError(
            f"{benchmark.name} {benchmark.split} says no truths, so nothing can be measured on it: "
            "make a submission for its server, or measure a split with truths"
        )
    known = {name: frozenset(ids) for name, ids in benchmark.galleries.items()}
    counting = {query.id: _counting(benchmark, query.id) for query in benchmark.queries}
    if measured:
        _must_be_found(benchmark, counting, known)
    asks = tuple(benchmark.asks())
    place = {query.id: number for number, query in enumerate(benchmark.queries)}
    turns = {query.id: max(1, len(query.turns)) for query in benchmark.queries}
    sizes = {query.id: _size(benchmark, query.id, known) for query in benchmark.queries}
    subsets = {query.id: frozenset(subset_of(benchmark, query.id)) for query in benchmark.queries}
    everywhere = frozenset(id for pictures in counting.values() for id in pictures)
    homes = {
        query.id: known[benchmark.groups.get(query.id, "")] if known else everywhere
        for query in benchmark.queries
    }
    rows = [
        (number, id, grade, truth, target, id in homes[key.query], id in subsets[key.query])
        for number, (key, _) in enumerate(asks)
        for id, (grade, truth, target) in counting[key.query].items()
    ]
    ask, ids, grade, truth, target, reachable, inside = zip(*rows, strict=True) if rows else ((),) * 7
    return Layout(
        benchmark=benchmark,
        asks=asks,
        query=np.array([place[key.query] for key, _ in asks], np.int64),
        turn=np.array([key.turn for key, _ in asks], np.int64),
        last=np.array([key.turn == turns[key.query] for key, _ in asks], np.bool_),
        size=np.array([sizes[key.query] for key, _ in asks], np.int64),
        subset_size=np.array([len(subsets[key.query]) for key, _ in asks], np.int64),
        ask=np.array(ask, np.int64),
        ids=tuple(ids),
        grade=np.array(grade, np.float64),
        truth=np.array(truth, np.bool_),
        target=np.array(target, np.bool_),
        reachable=np.array(reachable, np.bool_),
        in_subset=np.array(inside, np.bool_),
    )


def _counting(benchmark: Benchmark, query: str) -> dict[str, tuple[float, bool, bool]]:
    """The pictures that count for a query: grade, whether a truth, whether the target."""
    gone = benchmark.exclusions.get(query, ())
    truths = [id for id in benchmark.truths.get(query, ()) if id not in gone]
    grades = benchmark.grades.get(query, {})
    return {
        id: (grades.get(id, 1.0), id in truths, id in truths[:1])
        for id in dict.fromkeys((*truths, *grades))
        if id not in gone
    }


def _size(benchmark: Benchmark, query: str, known: Mapping[str, Collection[str]]) -> int:
    if not benchmark.galleries:
        return int(benchmark.extra.get("gallery_size", 0))
    gallery = known[benchmark.groups.get(query, "")]
    return len(gallery) - sum(id in gallery for id in set(benchmark.exclusions.get(query, ())))


def _must_be_found(
    benchmark: Benchmark,
    counting: Mapping[str, Mapping[str, tuple[float, bool, bool]]],
    known: Mapping[str, Collection[str]],
) -> None:
    if untold := [query.id for query in benchmark.queries if not benchmark.truths.get(query.id)]:
        raise DataError(f"{benchmark.name}: no truth for {_first(untold)}; leave these out with `only`")
    for query in benchmark.queries if benchmark.galleries else ():
        benchmark.gallery_of(query.id)
    if benchmark.protocol.get("outside") == "miss":
        return
    excluded = [
        id for id, pictures in counting.items() if not any(truth for _, truth, _ in pictures.values())
    ]
    if excluded:
        raise DataError(
            f"{benchmark.name}: every truth is excluded from the ranking for {_first(excluded)}; correct "
            "the exclusions, or set the protocol outside=miss to count these as never found"
        )
    if not benchmark.galleries:
        return
    outside = [
        f"{id} (query {query.id})"
        for query in benchmark.queries
        for id, (_, truth, _) in counting[query.id].items()
        if truth and id not in known[benchmark.groups.get(query.id, "")]
    ]
    if outside:
        raise DataError(
            f"{benchmark.name}: outside the gallery are the truths {_first(outside)}; add them to the "
            "gallery, or set the protocol outside=miss to count them as never found"
        )


def _first(names: Sequence[str]) -> str:
    """The first few of many names, for a message."""
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
