"""One name for each semantic aspect, in files of any age."""

from collections.abc import Mapping
from dataclasses import replace

from circlet.core import Benchmark

# Benchmarks whose aspects are the nine; elsewhere the same word may mean something else.
_OF_THE_NINE = ("tableaux-cir", "tableaux-aspects")


def aspect_name(name: str) -> str:
    """The name of an aspect that goes by several; any other name as it is.

    >>> aspect_name("background"), aspect_name("video")
    ('spatial_relations_background', 'video')
    """
    from circlet.language import Aspect

    try:
        return str(Aspect(name))
    except ValueError:
        return name


def with_one_naming(benchmark: Benchmark) -> Benchmark:
    """A tableaux benchmark with the aspects' names of today, if its file has those of before."""
    if benchmark.name not in _OF_THE_NINE:
        return benchmark
    known = {name for case in benchmark.cases for name in case.aspects}
    renamed = {name: new for name in known if (new := aspect_name(name)) != name}
    if not renamed:
        return benchmark
    cases = tuple(
        replace(case, aspects=tuple(renamed.get(name, name) for name in case.aspects))
        for case in benchmark.cases
    )
    return replace(benchmark, cases=cases, measures=_measures(benchmark.measures, renamed))


def _measures(measures: tuple[str, ...], renamed: Mapping[str, str]) -> tuple[str, ...]:
    for old, new in renamed.items():
        measures = tuple(one.replace(f"Within({old!r}, ", f"Within({new!r}, ") for one in measures)
    return measures
