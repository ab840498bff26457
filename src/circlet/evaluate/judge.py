"""From a method to the rank of every picture that counts: blocks of scores, counted and never sorted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

import numpy as np
from numpy.typing import NDArray

from circlet.core import (
    Benchmark,
    Composer,
    DataError,
    Gallery,
    Key,
    Method,
    Progress,
    Query,
    Ranking,
    Run,
    Vectors,
    best,
    blocks,
    same_space,
)
from circlet.evaluate.arrays import LOST, BenchmarkArrays, Ints, arrays_of
from circlet.evaluate.scored import Scored

# Scores of some queries, given what each of them excludes.
Scoring = Callable[[Sequence[Query], Sequence[Sequence[str]]], Vectors]


Ranked = Literal["gallery", "subsets"]


@dataclass(frozen=True, eq=False)
class Judged:
    """The rank of every picture that counts, in the gallery and in the subset: what measures read.

    `coverage` is the share of the benchmark's queries that was left when pictures were missing;
    `remarks` say what a reader of the numbers should know; `ranked` what was ranked at all: a file of
    one kind says nothing of the other. `scored` is what a scorer made of the first of every ranking.
    """

    arrays: BenchmarkArrays
    rank: Ints
    subset_rank: Ints
    coverage: float = 1.0
    remarks: tuple[str, ...] = ()
    ranked: frozenset[Ranked] = frozenset({"gallery", "subsets"})
    scored: Scored | None = None

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that was judged."""
        return self.arrays.benchmark


def judge(method: Method, benchmark: Benchmark, pictures: Gallery) -> Judged:
    """Exact ranks of a method on a benchmark; `pictures` holds the vectors of all its pictures.

    A score that is not a number makes its picture no candidate: it ranks behind all others.

    >>> from circlet.core import Case, Turn
    >>> class Same(Composer):
    ...     fingerprint = "toy:1"
    ...     def turns(self, turns, pictures):
    ...         return pictures.vectors_of([turn.picture for turn in turns])
    >>> case = Case(query=Query("1", (Turn(picture="a"),)), truths=("c",), exclude=("a",))
    >>> toy = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")}, cases=(case,))
    >>> vectors = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    >>> judge(Same(), toy, Gallery("abc", vectors, "toy:1")).rank.tolist()
    [1]
    """
    return survey(method, benchmark, pictures, top=0)[0]


def survey(
    method: Method,
    benchmark: Benchmark,
    pictures: Gallery,
    *,
    top: int = 50,
    progress: Progress | None = None,
) -> tuple[Judged, Run]:
    """Exact ranks and, from the same pass, the run that holds the best `top` of each ranking.

    `progress` is told how many rankings are done, and of how many.
    """
    work = _Survey(arrays_of(benchmark), top, progress or (lambda done, total: None))
    work.go(method, pictures)
    return work.judged(), work.run(method, pictures)


def rank(
    method: Method,
    benchmark: Benchmark,
    pictures: Gallery,
    *,
    top: int = 50,
    progress: Progress | None = None,
) -> Run:
    """The run of a method on a benchmark that need not say its truths: what a test server asks for."""
    work = _Survey(arrays_of(benchmark, measured=False), top, progress or (lambda done, total: None))
    work.go(method, pictures)
    return work.run(method, pictures)


def count_ranks(scores: Vectors, rows: NDArray[np.integer], columns: NDArray[np.integer]) -> Ints:
    """The rank of each (row, column) in its row: one plus how many others score at least as high.

    A row may be asked for many times, in ascending order of rows. What is no candidate is LOST.

    >>> scores = np.array([[0.9, 0.5, 0.5], [0.1, -np.inf, 0.3]], np.float32)
    >>> count_ranks(scores, np.array([0, 0, 1]), np.array([0, 2, 0])).tolist()
    [1, 3, 2]
    """
    own = scores[rows, columns]
    ahead = np.empty(len(rows), np.int64)
    # The first picture of every row, then the second of those that have one, and so on.
    layer = np.arange(len(rows)) - np.searchsorted(rows, rows)
    for number in range(int(layer.max(initial=-1)) + 1):
        chosen = np.flatnonzero(layer == number)
        whole = len(chosen) == len(scores)
        higher = (scores if whole else scores[rows[chosen]]) >= own[chosen, None]
        # Bytes are added faster than booleans are counted.
        ahead[chosen] = np.add.reduce(higher.view(np.uint8), axis=1, dtype=np.uint32)
    return np.where(own > -np.inf, ahead, LOST)


def part_of(pictures: Gallery, ids: Sequence[str]) -> Gallery:
    """The gallery of these ids; where they stand together in `pictures`, a view and no copy."""
    if tuple(ids) == pictures.ids:
        return pictures
    rows = pictures.rows_of(ids)
    if len(rows) and np.array_equal(rows, np.arange(rows[0], rows[0] + len(rows))):
        return Gallery(ids, pictures.vectors[rows[0] : rows[0] + len(rows)], pictures.fingerprint)
    return pictures.subset(ids)


def _composes(method: Method) -> TypeGuard[Composer]:
    """Whether scoring is composing and multiplying, and nothing else."""
    return isinstance(method, Composer) and type(method).scores is Composer.scores


def _scoring(method: Method, gallery: Gallery, pictures: Gallery) -> Scoring:
    """The method's scores as a function of queries; a composer projects the gallery once for all."""
    if _composes(method):
        same_space(method.fingerprint, gallery.fingerprint)
        columns = np.asarray(method.project(gallery).vectors).T
        return lambda queries, gone: method.compose(queries, pictures) @ columns
    return lambda queries, gone: method.score_all(queries, gallery, pictures=pictures, exclude=gone)


class _Spots:
    """(ask, picture) pairs as rows and columns of scores, in order of rows, cut block by block."""

    def __init__(
        self, gallery: Gallery, rows: Sequence[int], places: Sequence[int], ids: Sequence[str]
    ) -> None:
        self.row = np.array(rows, np.int64)
        self.place = np.array(places, np.int64)
        self.column = gallery.rows_of(ids)

    def cut(self, start: int, stop: int) -> tuple[Ints, Ints, NDArray[np.intp]]:
        """Places, rows within the block and columns of the pairs whose ask lies in the block."""
        part = slice(*np.searchsorted(self.row, [start, stop]))
        return self.place[part], self.row[part] - start, self.column[part]


class _Survey:
    """The ranks and rankings found so far."""

    def __init__(self, arrays: BenchmarkArrays, top: int, progress: Progress) -> None:
        self.arrays = arrays
        self.top = top
        self.progress = progress
        self.rank = np.full(len(arrays.ask), LOST, np.int64)
        widest = int(arrays.subset_size.max(initial=0))
        self.members = [arrays.members[which] for which in arrays.query] if widest else []
        self.subset_scores = np.full((len(arrays.asks), widest), -np.inf, np.float32)
        # Subsets are scored with the gallery where they lie inside it, and by themselves elsewhere.
        self.inside = bool(self.members) and _subsets_inside(arrays.benchmark)
        self.rankings: dict[Key, Ranking] = {}
        self.done = 0

    def _tell(self, more: int) -> None:
        self.done += more
        self.progress(self.done, len(self.arrays.asks))

    def go(self, method: Method, pictures: Gallery) -> None:
        """Score everything that is asked for."""
        benchmark = self.arrays.benchmark
        if benchmark.galleries:
            self.galleries(method, pictures)
        if not benchmark.galleries or (self.members and not self.inside):
            self.sets(method, pictures)

    def run(self, method: Method, pictures: Gallery) -> Run:
        """The best of every ranking, and of every subset."""
        subsets = {}
        for number, ids in enumerate(self.members if self.top else ()):
            if ids:
                scores = self.subset_scores[number, : len(ids)]
                subsets[self.arrays.asks[number][0]] = _best(scores, ids, self.top)
        return Run(
            method=repr(method),
            rankings=self.rankings,
            subsets=subsets,
            fingerprint=pictures.fingerprint,
            protocol=self.arrays.benchmark.header(),
        )

    def galleries(self, method: Method, pictures: Gallery) -> None:
        """Score every gallery for the asks that search it."""
        arrays, benchmark = self.arrays, self.arrays.benchmark
        homes = [benchmark.case(key.query).group for key, _ in arrays.asks]
        for name, ids in benchmark.galleries.items():
            asks = [number for number, home in enumerate(homes) if home == name]
            if asks:
                gallery = part_of(pictures, ids)
                self._gallery(np.array(asks), gallery, _scoring(method, gallery, pictures))

    def _gallery(self, asks: Ints, gallery: Gallery, scoring: Scoring) -> None:
        arrays, queries = self.arrays, [self.arrays.asks[number][1] for number in asks]
        row_of = np.full(len(arrays.asks), -1, np.int64)
        row_of[asks] = np.arange(len(asks))
        places = np.flatnonzero((row_of[arrays.ask] >= 0) & arrays.reachable)
        counting = _Spots(
            gallery,
            row_of[arrays.ask[places]].tolist(),
            places.tolist(),
            [arrays.ids[place] for place in places],
        )
        lists = [arrays.excluded[which] for which in arrays.query[asks]]
        excluded = _spread(gallery, lists)
        members = _spread(gallery, [self.members[number] for number in asks] if self.inside else [])
        for part in blocks(len(asks), len(gallery)):
            start, stop = part.start, part.stop
            scores = scoring(queries[part], lists[part])
            # The lowest score is NaN where any is.
            if np.isnan(scores.min(initial=0)):
                scores = np.where(np.isnan(scores), np.float32(-np.inf), scores)
            _, rows, columns = excluded.cut(start, stop)
            scores[rows, columns] = -np.inf
            places, rows, columns = counting.cut(start, stop)
            self.rank[places] = count_ranks(scores, rows, columns)
            places, rows, columns = members.cut(start, stop)
            self.subset_scores[asks[start + rows], places] = scores[rows, columns]
            for row in range(stop - start) if self.top else ():
                self.rankings[arrays.asks[asks[start + row]][0]] = _best(scores[row], gallery.ids, self.top)
            self._tell(stop - start)

    def sets(self, method: Method, pictures: Gallery) -> None:
        """Rank each query's own set and nothing else: one call for all queries that share a set."""
        asks, benchmark = self.arrays.asks, self.arrays.benchmark
        together: dict[tuple[tuple[str, ...], bool], list[int]] = {}
        for number, ids in enumerate(self.members or [()] * len(asks)):
            query = asks[number][0].query
            if ids:
                together.setdefault((ids, benchmark.case(query).in_time), []).append(number)
            elif not benchmark.galleries:
                raise DataError(
                    f"{benchmark.name}: query {query} has neither a gallery nor a set to rank: "
                    "put the gallery's list of pictures where the reader looks for it"
                )
        if _composes(method) and type(method).project is Composer.project:
            self._dots(method, pictures)
            return
        for (ids, in_time), numbers in together.items():
            queries = [asks[number][1] for number in numbers]
            scores = method.scores(queries, pictures.subset(ids, in_time=in_time), pictures=pictures)
            scores = np.where(np.isnan(scores), np.float32(-np.inf), scores)
            self.subset_scores[numbers, : len(ids)] = scores
            self._tell(len(numbers))

    def _dots(self, composer: Composer, pictures: Gallery) -> None:
        """The sets of a composer that does not look at a gallery as a whole: plain products, in blocks."""
        same_space(composer.fingerprint, pictures.fingerprint)
        queries = [query for _, query in self.arrays.asks]
        spots = _spread(pictures, self.members)
        for part in blocks(len(queries), self.subset_scores.shape[1] * pictures.vectors.shape[1]):
            places, rows, columns = spots.cut(part.start, part.stop)
            composed = composer.compose(queries[part], pictures)
            scores = np.einsum("nd,nd->n", composed[rows], pictures.vectors[columns])
            scores = np.where(np.isnan(scores), np.float32(-np.inf), scores)
            self.subset_scores[part.start + rows, places] = scores
            self._tell(part.stop - part.start)

    def judged(self) -> Judged:
        """Everything counted."""
        subset_rank = np.full_like(self.rank, LOST)
        inside = np.flatnonzero(self.arrays.in_subset) if self.members else np.empty(0, np.intp)
        asks = self.arrays.ask[inside]
        within = [
            self.members[ask].index(self.arrays.ids[place]) for place, ask in zip(inside, asks, strict=True)
        ]
        subset_rank[inside] = count_ranks(self.subset_scores, asks, np.array(within, np.intp))
        return Judged(self.arrays, self.rank, subset_rank)


def _spread(gallery: Gallery, lists: Sequence[Sequence[str]]) -> _Spots:
    """One row per list, its ids at places 0, 1, …"""
    rows = [row for row, ids in enumerate(lists) for _ in ids]
    places = [place for ids in lists for place in range(len(ids))]
    return _Spots(gallery, rows, places, [id for ids in lists for id in ids])


def _subsets_inside(benchmark: Benchmark) -> bool:
    known = {name: frozenset(ids) for name, ids in benchmark.galleries.items()}
    return all(
        known.get(case.group, frozenset()).issuperset(case.subset) for case in benchmark.cases if case.subset
    )


def _best(scores: Vectors, ids: Sequence[str], top: int) -> Ranking:
    chosen = best(scores, top)
    return Ranking([ids[i] for i in chosen], scores[chosen])
