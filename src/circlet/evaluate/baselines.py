"""What stands in every table beside a method: the least and the most that a benchmark allows."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from circlet.core import Benchmark, Gallery, Method, Pictures, Query, Ranking, Run, Vectors
from circlet.evaluate.arrays import arrays_of


def perfect(benchmark: Benchmark) -> Run:
    """The run that ranks every query's truths first, the best grade before the others.

    >>> from circlet.core import Case, Turn
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b")},
    ...                 cases=(Case(query=Query("1", (Turn(text="x"),)), truths=("b",)),))
    >>> perfect(toy).rankings
    {Key(query='1', turn=1, wording=0): Ranking(['b'], [1.0])}
    """
    arrays = arrays_of(benchmark)
    ends = np.searchsorted(arrays.ask, np.arange(len(arrays.asks) + 1))
    rankings, subsets = {}, {}
    for number, (key, _) in enumerate(arrays.asks):
        places = range(ends[number], ends[number + 1])
        # The target leads among equals, so that measures of the target alone are perfect too.
        order = sorted(places, key=lambda place: (-arrays.grade[place], not arrays.target[place]))
        truths = [arrays.ids[place] for place in order if arrays.reachable[place] and arrays.truth[place]]
        rankings[key] = _in_order(truths)
        if inside := [
            arrays.ids[place] for place in order if arrays.in_subset[place] and arrays.truth[place]
        ]:
            subsets[key] = _in_order(sorted(inside, key=lambda id: id != benchmark.case(key.query).truths[0]))
    return Run(method="perfect", rankings=rankings, subsets=subsets, protocol=benchmark.header())


def _in_order(ids: Sequence[str]) -> Ranking:
    return Ranking(ids, [1 / (place + 1) for place in range(len(ids))])


class RandomReference(Method):
    """A method that is shown some other picture instead of each reference, the words staying as they are.

    What it still reaches, the words alone would have reached. The pictures are drawn from those of
    the other queries, by the seed and the query's id only, so that blocks and orders do not matter.
    """

    def __init__(self, method: Method, benchmark: Benchmark, *, seed: int = 0) -> None:
        self.method = method
        self.seed = seed
        pictures = [turn.picture for query in benchmark.queries for turn in query.turns if turn.picture]
        self.pool = sorted(set(pictures))
        order = np.random.default_rng(seed).permutation(len(benchmark.queries))
        self.place = {query.id: int(order[n]) for n, query in enumerate(benchmark.queries)}

    def __repr__(self) -> str:
        return f"random image + {self.method!r}"

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        return self.method.scores([self._swapped(query) for query in queries], gallery, pictures=pictures)

    def _swapped(self, query: Query) -> Query:
        turns = (
            replace(turn, picture=self._other(query.id, turn.picture)) if turn.picture else turn
            for turn in query.turns
        )
        return replace(query, turns=tuple(turns))

    def _other(self, query: str, picture: str) -> str:
        """The picture drawn for a query, or the next one if it drew its own."""
        drawn = (self.pool[(self.place[query] + step) % len(self.pool)] for step in (0, 1))
        return next((id for id in drawn if id != picture), picture)
