"""Whether one method is better than another: paired tests, corrected for their number, and intervals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from circlet.core import UsageError
from circlet.evaluate.arrays import Floats
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.measure import RankMeasure

# Draws are made in blocks of about this many numbers.
_BLOCK = 4_000_000


@dataclass(frozen=True)
class Comparison:
    """One method against the first, by one measure, in percent; p-values before and after correction."""

    measure: str
    first: str
    other: str
    value: float
    other_value: float
    low: float
    high: float
    p: float
    p_t: float
    corrected: float = math.nan

    @property
    def difference(self) -> float:
        """How much higher the other scores than the first."""
        return self.other_value - self.value

    @property
    def mark(self) -> str:
        """`**` below 0.01 and `*` below 0.05 after correction, nothing otherwise."""
        return "**" if self.corrected < 0.01 else "*" if self.corrected < 0.05 else ""


class Comparisons(list[Comparison]):
    """Comparisons under one protocol; in a notebook they show themselves as a table."""

    def __init__(self, rows: Iterable[Comparison], protocol: str) -> None:
        super().__init__(rows)
        self.protocol = protocol

    def _repr_html_(self) -> str:
        from circlet.evaluate.report.tables import comparison_table

        return comparison_table(self, "html", self.protocol)


def randomisation(differences: Floats, *, draws: int = 10_000, seed: int = 0) -> float:
    """Two-sided p of the paired randomisation test: signs of the differences flipped at random.

    >>> randomisation(np.zeros(10)), randomisation(np.ones(20)) < 0.001
    (1.0, True)
    """
    differences = differences[~np.isnan(differences)]
    # Pairs without a difference change no sum.
    told = differences[differences != 0]
    if not len(told):
        return 1.0
    observed = abs(told.sum()) * (1 - 1e-12)
    rng = np.random.default_rng(seed)
    as_far, done = 0, 0
    while done < draws:
        amount = min(draws - done, max(1, _BLOCK // len(told)))
        signs = rng.integers(0, 2, (amount, len(told)), dtype=np.int8).astype(np.float64) * 2 - 1
        as_far += int(np.count_nonzero(np.abs(signs @ told) >= observed))
        done += amount
    return (as_far + 1) / (draws + 1)


def t_test(differences: Floats) -> float:
    """Two-sided p of the paired t-test.

    >>> round(t_test(np.array([1.0, 2.0, 3.0, 1.0, 0.0])), 4)
    0.0516
    """
    differences = differences[~np.isnan(differences)]
    amount = len(differences)
    if amount < 2 or not differences.any():
        return 1.0
    spread = float(differences.std(ddof=1))
    if spread == 0:
        return 0.0
    return t_tails(float(differences.mean()) / (spread / math.sqrt(amount)), amount - 1)


def t_tails(t: float, freedom: int) -> float:
    """How probable a t at least this far from zero is, to both sides.

    >>> round(t_tails(-2.776445, 4), 4)
    0.05
    """
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 500):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + step * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + step / c
            c = c if abs(c) > tiny else tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * fraction / a


def holm(values: Sequence[float]) -> list[float]:
    """p-values corrected for their number by Holm's step-down rule, in the order they were given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected, highest = [0.0] * len(values), 0.0
    for step, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - step) * values[place]))
        corrected[place] = highest
    return corrected


def interval(
    values: Floats, *, level: float = 0.95, draws: int = 2_000, seed: int = 0
) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean over queries.

    >>> interval(np.ones(5))
    (1.0, 1.0)
    """
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    rng = np.random.default_rng(seed)
    means: list[Floats] = []
    done, step = 0, max(1, _BLOCK // len(values))
    while done < draws:
        amount = min(step, draws - done)
        means.append(values[rng.integers(0, len(values), (amount, len(values)))].mean(axis=1))
        done += amount
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def compare(
    judged: Mapping[str, Judged],
    measures: Sequence[RankMeasure],
    *,
    draws: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparisons:
    """Every method against the first, by every measure; p-values corrected over all of them.

    The interval is of the difference. The test is the paired randomisation test; the paired t-test
    stands beside it.
    """
    names = list(judged)
    if len(names) < 2:
        raise UsageError("a comparison needs two runs at least")
    first = names[0]
    queries = judged[first].benchmark.queries
    for name in names[1:]:
        if judged[name].benchmark.queries != queries:
            raise UsageError(f"{name} and {first} were measured on different queries: use one benchmark")
    comparisons = []
    for measure in measures:
        mine = measure.each(judged[first])
        for name in names[1:]:
            if not measure.needs <= judged[first].ranked & judged[name].ranked:
                comparisons.append(_untold(measure, first, name, judged))
                continue
            theirs = measure.each(judged[name])
            differences = 100 * (theirs - mine)
            low, high = interval(differences, level=level, seed=seed)
            comparisons.append(
                Comparison(
                    measure=repr(measure),
                    first=first,
                    other=name,
                    value=measure.value(judged[first]),
                    other_value=measure.value(judged[name]),
                    low=low,
                    high=high,
                    p=randomisation(differences, draws=draws, seed=seed),
                    p_t=t_test(differences),
                )
            )
    told = [place for place, one in enumerate(comparisons) if not math.isnan(one.p)]
    for place, p in zip(told, holm([comparisons[place].p for place in told]), strict=True):
        comparisons[place] = replace(comparisons[place], corrected=p)
    return Comparisons(comparisons, judged[first].benchmark.header())


def _untold(measure: RankMeasure, first: str, other: str, judged: Mapping[str, Judged]) -> Comparison:
    """A comparison that cannot be made, because one of the two did not rank what the measure reads."""
    nan = math.nan
    values = (measure.value(judged[first]), measure.value(judged[other]))
    return Comparison(repr(measure), first, other, *values, low=nan, high=nan, p=nan, p_t=nan, corrected=nan)
