"""Measures of measures: the averages that papers print, one group or aspect, the mean over groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from circlet.core import Benchmark, DataError, UsageError
from circlet.evaluate.arrays import BenchmarkArrays, Flags, Floats
from circlet.evaluate.judge import Judged, Ranked
from circlet.evaluate.measures.measure import RankMeasure

# So many names are listed where one was wrong.
_SHOWN = 12


@dataclass(frozen=True)
class Mean(RankMeasure):
    """The plain mean of several measures: CIRR's headline is Mean(Recall @ 5, SubsetRecall @ 1)."""

    measures: tuple[RankMeasure, ...]

    def __init__(self, *measures: RankMeasure) -> None:
        if not measures:
            raise UsageError("Mean averages measures: write Mean(Recall @ 5, SubsetRecall @ 1)")
        for measure in measures:
            _of_ranks("Mean", measure)
        object.__setattr__(self, "measures", measures)

    def __repr__(self) -> str:
        return f"Mean({', '.join(map(repr, self.measures))})"

    @property
    def of_subsets(self) -> bool:  # type: ignore[override]
        return all(measure.of_subsets for measure in self.measures)

    @property
    def lower_is_better(self) -> bool:  # type: ignore[override]
        return all(measure.lower_is_better for measure in self.measures)

    @property
    def needs(self) -> frozenset[Ranked]:
        return frozenset().union(*(measure.needs for measure in self.measures))

    @property
    def reach(self) -> int:
        return max(measure.reach for measure in self.measures)

    @property
    def scored(self) -> int:
        return max(measure.scored for measure in self.measures)

    def scale(self, judged: Judged) -> float:
        scales = {measure.scale(judged) for measure in self.measures}
        if len(scales) > 1:
            raise UsageError(f"{self!r} would average percentages with raw scores: measure them one by one")
        return scales.pop()

    def each(self, judged: Judged) -> Floats:
        return _mean([measure.each(judged) for measure in self.measures])

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return _mean([measure.chance(arrays) for measure in self.measures])


def _mean(parts: Sequence[Floats]) -> Floats:
    """One value per query whose mean is the mean of the parts' means.

    A part that says nothing of some queries counts the others for more, so that it weighs as much as
    the rest.

    >>> _mean([np.array([1.0, 0.0]), np.array([np.nan, 0.5])]).tolist()
    [0.5, 0.5]
    """
    table = np.stack(parts)
    told = ~np.isnan(table)
    weight = table.shape[1] / np.maximum(told.sum(axis=1, keepdims=True), 1)
    return np.where(told.any(axis=1).all(), np.where(told, table * weight, 0).mean(axis=0), np.nan)


def _of_ranks(name: str, measure: object) -> None:
    """Refuse what these cannot be made of: numbers, words, and measures of scores."""
    if not isinstance(measure, RankMeasure):
        raise UsageError(f"{name} is made of measures of ranks like Recall @ 10, not of {measure!r}")


def members(benchmark: Benchmark, name: str) -> Flags:
    """Which queries are of this group or show this aspect."""
    return np.array(benchmark.showing(name), np.bool_)


class _OfOne(RankMeasure):
    """What is made of one other measure, and needs what that one needs."""

    measure: RankMeasure

    def __post_init__(self) -> None:
        _of_ranks(type(self).__name__, self.measure)

    @property
    def of_subsets(self) -> bool:  # type: ignore[override]
        return self.measure.of_subsets

    @property
    def lower_is_better(self) -> bool:  # type: ignore[override]
        return self.measure.lower_is_better

    @property
    def needs(self) -> frozenset[Ranked]:
        return self.measure.needs

    @property
    def reach(self) -> int:
        return self.measure.reach

    @property
    def scored(self) -> int:
        return self.measure.scored

    def scale(self, judged: Judged) -> float:
        return self.measure.scale(judged)


@dataclass(frozen=True)
class Within(_OfOne):
    """A measure over the queries of one group or semantic aspect: Within('dress', Recall @ 10)."""

    part: str
    measure: RankMeasure

    def __repr__(self) -> str:
        return f"Within({self.part!r}, {self.measure!r})"

    def each(self, judged: Judged) -> Floats:
        return self.measure.each_of(judged, self._inside(judged.benchmark))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return self.measure.chance_of(arrays, self._inside(arrays.benchmark))

    def _inside(self, benchmark: Benchmark) -> Flags:
        inside = members(benchmark, self.part)
        if not inside.any():
            parts = {name for case in benchmark.cases for name in (case.group, *case.aspects) if name}
            parts |= set(benchmark.tagger.names if benchmark.tagger else ())
            there = ", ".join(sorted(parts)[:_SHOWN]) or "none"
            raise DataError(
                f"{benchmark.name} has no query of the group or aspect {self.part!r}; there is {there}"
            )
        return inside


@dataclass(frozen=True)
class ByGroup(_OfOne):
    """The mean over groups of a measure's mean in each: FashionIQ's average of three categories.

    One query's share is scaled so that the plain mean over queries is the mean over groups.
    """

    measure: RankMeasure

    def __repr__(self) -> str:
        return f"ByGroup({self.measure!r})"

    def each(self, judged: Judged) -> Floats:
        return self._scaled(judged.benchmark, self.measure.each(judged))

    def chance(self, arrays: BenchmarkArrays) -> Floats:
        return self._scaled(arrays.benchmark, self.measure.chance(arrays))

    def _scaled(self, benchmark: Benchmark, values: Floats) -> Floats:
        told = ~np.isnan(values)
        names = np.array([benchmark.case(query.id).group for query in benchmark.queries])[told]
        groups, which, sizes = np.unique(names, return_inverse=True, return_counts=True)
        scaled = np.full_like(values, np.nan)
        scaled[told] = values[told] * (len(names) / (len(groups) * sizes))[which]
        return scaled
