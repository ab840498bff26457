"""ImageCoDe's leaderboard file: for each set, the place of the picture picked for each description.

{"open-images-1815_f91d6f546e63f20d": [5, 7, 3], …}
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from circlet.core import Benchmark, DataError, Key, Ranking, Run


def place_lists(run: Run, benchmark: Benchmark) -> dict[str, list[int | None]]:
    """By set, the place that stands first for each of its descriptions; None where nothing is ranked."""
    return {
        name: [_place(run, query, benchmark.case(query).subset) for query in queries]
        for name, queries in _sets(benchmark).items()
    }


def read_places(path: Path, document: Mapping[str, Any], benchmark: Benchmark) -> Run:
    """The file as a run that ranks one picture of each set and no other."""
    if problems := list(lint_places(document, benchmark)):
        raise DataError(f"{path}: {problems[0]}; write it again for {benchmark.name} {benchmark.split}")
    subsets = {
        Key(query): Ranking([benchmark.case(query).subset[place]], [0.0])
        for name, queries in _sets(benchmark).items()
        for query, place in zip(queries, document[name], strict=True)
    }
    return Run(method="submission", subsets=subsets)


def lint_places(document: Mapping[str, Any], benchmark: Benchmark) -> Iterator[str]:
    """What is wrong with such a file, one reason a line.

    >>> from circlet.core import Query, cases_of
    >>> queries = [Query("a/0"), Query("a/1")]
    >>> test = Benchmark(name="imagecode", split="test", galleries={},
    ...                  cases=cases_of(queries, subsets={query.id: ("a/0", "a/1") for query in queries}))
    >>> list(lint_places({"a": [1, 2], "b": []}, test))
    ['set b is not in imagecode test', 'set a has 2 where a place from 0 to 1 stands']
    """
    sets = _sets(benchmark)
    if absent := [name for name in sets if name not in document]:
        yield f"{len(absent)} of {len(sets)} sets are missing, the first missing one is {absent[0]}"
    yield from (
        f"set {name} is not in {benchmark.name} {benchmark.split}" for name in document if name not in sets
    )
    for name, queries in sets.items():
        places = document.get(name, [0] * len(queries))
        if not isinstance(places, list) or len(places) != len(queries):
            yield f"set {name} has not one place for each of its {len(queries)} descriptions"
            continue
        last = len(benchmark.case(queries[0]).subset) - 1
        for place in places:
            if type(place) is not int or not 0 <= place <= last:
                yield f"set {name} has {place!r} where a place from 0 to {last} stands"


def _sets(benchmark: Benchmark) -> dict[str, list[str]]:
    """The queries of each set, in the order of the annotations."""
    together: dict[str, list[str]] = {}
    for query in benchmark.queries:
        together.setdefault(query.id.rpartition("/")[0], []).append(query.id)
    return together


def _place(run: Run, query: str, ten: tuple[str, ...]) -> int | None:
    ranking = run.subsets.get(Key(query))
    return ten.index(ranking.ids[0]) if ranking and ranking.ids and ranking.ids[0] in ten else None
