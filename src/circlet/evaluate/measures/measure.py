"""What a measure is: a value whose repr is its constructor, and which turns ranks into numbers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from circlet.core import Benchmark, DataError, Run, UsageError
from circlet.evaluate.arrays import LOST, BenchmarkArrays, Flags, Floats
from circlet.evaluate.judge import Judged, Ranked
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.scored import Scored


def options_said(value: Any) -> str:
    """The options of a value that are not at their default, as its constructor would take them."""
    return ", ".join(
        f"{field.name}={getattr(value, field.name)!r}"
        for field in fields(value)
        if field.name != "k" and getattr(value, field.name) != field.default
    )


@dataclass(frozen=True)
class Evidence:
    """What a measure is given: a run, its ranks, or both; ranks are counted when the first measure asks.

    `scored` is what a scorer made of the run's first pictures, for measures that ask for it.
    """

    benchmark: Benchmark
    run: Run | None = None
    ranks: Judged | None = None
    scored: Scored | None = None

    @cached_property
    def judged(self) -> Judged:
        """The ranks of everything that counts."""
        if self.ranks is not None:
            return self.ranks
        return replace(judge_run(self.scores, self.benchmark), scored=self.scored)

    @property
    def scores(self) -> Run:
        """The run itself, for a measure of scores."""
        if self.run is None:
            raise UsageError("this measure reads scores and not ranks: measure a run with it")
        return self.run

    @property
    def counted(self) -> Judged | None:
        """The ranks, if any measure has asked for them."""
        return self.ranks or vars(self).get("judged")


class Measure(ABC):
    """A value that turns evidence into a number; its repr is its constructor."""

    of_subsets: bool = False
    """Whether it looks at subsets alone, so that a run of subsets says all it needs."""
    of_scores: bool = False
    """Whether it reads a run's scores, every one of which must then be there."""

    lower_is_better: bool = False
    """Whether the lowest number of a table is its best."""

    @abstractmethod
    def read(self, evidence: Evidence) -> float:
        """The number."""

    def expected(self, arrays: BenchmarkArrays) -> float | None:
        """What a uniformly random order scores: computed, not drawn. None where that means nothing."""
        return None


class RankMeasure(Measure):
    """Ranks to numbers: one per query (`each`), their mean in percent (`value`), and chance's."""

    @abstractmethod
    def each(self, judged: Judged) -> Floats:
        """One value from 0 to 1 per query; NaN for a query that the measure has nothing to say of."""

    @abstractmethod
    def chance(self, arrays: BenchmarkArrays) -> Floats:
        """The expectation of `each` when every ranking is a uniformly random order, exactly."""

    def each_of(self, judged: Judged, inside: Flags) -> Floats:
        """`each` for some of the queries, NaN for the others."""
        return np.where(inside, self.each(judged), np.nan)

    def chance_of(self, arrays: BenchmarkArrays, inside: Flags) -> Floats:
        """`chance` for some of the queries, NaN for the others."""
        return np.where(inside, self.chance(arrays), np.nan)

    @property
    def reach(self) -> int:
        """How deep it looks into the ranking of a gallery; 0 where it does not, or does not say."""
        return 0

    @property
    def scored(self) -> int:
        """How many of the first pictures a scorer must have scored; 0 where none need be."""
        return 0

    def scale(self, judged: Judged) -> float:
        """What `each` is multiplied by where it is printed: 100, unless it is no share of anything."""
        return 100.0

    @property
    def needs(self) -> frozenset[Ranked]:
        """What must have been ranked for it to mean anything: the gallery, the subsets, or both."""
        return frozenset({"subsets" if self.of_subsets else "gallery"})

    def value(self, judged: Judged) -> float:
        """The mean over the queries, in percent; NaN where what it needs was not ranked."""
        if not self.needs <= judged.ranked:
            return float("nan")
        return percent(self.each(judged), times=self.scale(judged))

    def read(self, evidence: Evidence) -> float:
        return self.value(evidence.judged)

    def expected(self, arrays: BenchmarkArrays) -> float:
        """What a uniformly random order scores, in percent: computed, not drawn."""
        return percent(self.chance(arrays))


class ScoreMeasure(Measure):
    """A measure of a run's scores, where ranks do not matter: human scores of retrieved sets."""

    of_scores = True

    @abstractmethod
    def value(self, run: Run, benchmark: Benchmark) -> float:
        """What this measure makes of the run's scores."""

    def read(self, evidence: Evidence) -> float:
        return self.value(evidence.scores, evidence.benchmark)


@dataclass(frozen=True, repr=False)
class Cutoff(RankMeasure):
    """A measure of the first K. `measure @ 5` sets K, `measure(option=…)` options: both give a new one."""

    k: int | None = None

    name: ClassVar[str]
    needs_cutoff: ClassVar[bool] = False
    allows_cutoff: ClassVar[bool] = True

    def __matmul__(self, k: int) -> Self:
        if not self.allows_cutoff:
            raise UsageError(f"{self.name} has no cutoff: write {self.name}")
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise UsageError(f"the cutoff of {self.name} is a whole number from 1, not {k!r}")
        return replace(self, k=k)

    def __call__(self, **options: Any) -> Self:
        known = [field.name for field in fields(self) if field.name != "k"]
        if unknown := sorted(set(options) - set(known)):
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{self.name} has no option {', '.join(unknown)}; {has}")
        return replace(self, **options)

    def __repr__(self) -> str:
        listed = options_said(self)
        options = f"({listed})" if listed else ""
        return f"{self.name}{options}" + (f" @ {self.k}" if self.k else "")

    @property
    def reach(self) -> int:
        return 0 if self.of_subsets else self.cutoff

    @property
    def cutoff(self) -> int:
        """The cutoff; without one, no rank that was found is beyond it."""
        if self.k is None and self.needs_cutoff:
            raise UsageError(f"{self.name} needs a cutoff: write {self.name} @ 10")
        return self.k or LOST - 1


def percent(values: Floats, *, times: float = 100.0) -> float:
    """The mean of what is a number, times 100; NaN if nothing is.

    >>> percent(np.array([1.0, np.nan, 0.5]))
    75.0
    """
    numbers = values[~np.isnan(values)]
    return float(times * numbers.mean()) if len(numbers) else float("nan")


def one_of(measure: Cutoff, option: str, *allowed: str) -> None:
    """Refuse an option's value that means nothing."""
    value = getattr(measure, option)
    if value not in allowed:
        offers = ", ".join(filter(None, allowed))
        raise UsageError(f"{measure.name}({option}={value!r}): pick one of {offers}")


def need_subsets(measure: RankMeasure, arrays: BenchmarkArrays) -> None:
    """A measure of subsets needs one for every query."""
    if (bare := arrays.subset_size == 0).any():
        query = arrays.asks[int(np.flatnonzero(bare)[0])][0].query
        raise DataError(
            f"{measure!r} ranks subsets, and {arrays.benchmark.name} has none for {int(bare.sum())} of "
            f"{len(bare)} rankings (the first of these query {query}): leave the measure or the queries out"
        )


def need_sizes(measure: RankMeasure, arrays: BenchmarkArrays) -> Floats:
    """How many candidates each ask has, which chance needs to know."""
    if (arrays.size == 0).any():
        raise DataError(
            f"chance at {measure!r} needs the gallery's size, and {arrays.benchmark.name} does not list "
            "its gallery: put the list where the reader looks for it"
        )
    return arrays.size.astype(np.float64)
