"""What a measure is: a value whose repr is its constructor, and which turns ranks into numbers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from circlet.core import DataError, UsageError
from circlet.evaluate.arrays import LOST, BenchmarkArrays, Floats
from circlet.evaluate.judge import Judged


def options_said(value: Any) -> str:
    """The options of a value that are not at their default, as its constructor would take them."""
    return ", ".join(
        f"{field.name}={getattr(value, field.name)!r}"
        for field in fields(value)
        if field.name != "k" and getattr(value, field.name) != field.default
    )


class Measure(ABC):
    """Ranks to numbers: one per query (`each`), their mean in percent (`value`), and chance's."""

    @property
    def of_subsets(self) -> bool:
        """Whether it looks at subsets alone, so that a run of subsets says all it needs."""
        return False

    @abstractmethod
    def each(self, judged: Judged) -> Floats:
        """One value from 0 to 1 per query; NaN for a query that the measure has nothing to say of."""

    @abstractmethod
    def chance(self, arrays: BenchmarkArrays) -> Floats:
        """The expectation of `each` when every ranking is a uniformly random order, exactly."""

    def value(self, judged: Judged) -> float:
        """The mean over the queries, in percent."""
        return percent(self.each(judged))

    def expected(self, arrays: BenchmarkArrays) -> float:
        """What a uniformly random order scores, in percent: computed, not drawn."""
        return percent(self.chance(arrays))


@dataclass(frozen=True, repr=False)
class Cutoff(Measure):
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
    def cutoff(self) -> int:
        """The cutoff; without one, no rank that was found is beyond it."""
        if self.k is None and self.needs_cutoff:
            raise UsageError(f"{self.name} needs a cutoff: write {self.name} @ 10")
        return self.k or LOST - 1


def percent(values: Floats) -> float:
    """The mean of what is a number, times 100; NaN if nothing is.

    >>> percent(np.array([1.0, np.nan, 0.5]))
    75.0
    """
    numbers = values[~np.isnan(values)]
    return float(100 * numbers.mean()) if len(numbers) else float("nan")


def one_of(measure: Cutoff, option: str, *allowed: str) -> None:
    """Refuse an option's value that means nothing."""
    value = getattr(measure, option)
    if value not in allowed:
        offers = ", ".join(filter(None, allowed))
        raise UsageError(f"{measure.name}({option}={value!r}): pick one of {offers}")


def need_subsets(measure: Measure, arrays: BenchmarkArrays) -> None:
    """A measure of subsets needs one for every query."""
    if (bare := arrays.subset_size == 0).any():
        query = arrays.asks[int(np.flatnonzero(bare)[0])][0].query
        raise DataError(
            f"{measure!r} ranks subsets, and {arrays.benchmark.name} has none for {int(bare.sum())} of "
            f"{len(bare)} rankings (the first is query {query}): leave the measure or the queries out"
        )


def need_sizes(measure: Measure, arrays: BenchmarkArrays) -> Floats:
    """How many candidates each ask has, which chance needs to know."""
    if (arrays.size == 0).any():
        raise DataError(
            f"chance at {measure!r} needs the gallery's size, and {arrays.benchmark.name} does not list "
            "its gallery: put the list where the reader looks for it"
        )
    return arrays.size.astype(np.float64)
