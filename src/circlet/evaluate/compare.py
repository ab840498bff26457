"""Whether one method is better than another: paired tests, corrected for their number, and intervals."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from circlet.core import UsageError
from circlet.evaluate.arrays import Floats
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.judgements import Judgements, SetMeasure, set_scores
from circlet.evaluate.measures.measure import Evidence, Measure, RankMeasure
from circlet.evaluate.resampling import bounds, resamples

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
    judged: Mapping[str, Judged | Evidence],
    measures: Sequence[Measure],
    *,
    draws: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparisons:
    """Every method against the first, by every measure; p-values corrected over all of them.

    The interval is of the difference. The test is the paired randomisation test; the paired t-test
    stands beside it. Measures of agreement with people have no number for each query: their interval is
    that of a bootstrap over queries, and p twice the share of the draws on the other side of zero.
    """
    given = {
        name: one if isinstance(one, Evidence) else Evidence(one.benchmark, ranks=one)
        for name, one in judged.items()
    }
    names = list(given)
    if len(names) < 2:
        raise UsageError("a comparison needs two runs at least")
    first = names[0]
    queries = given[first].benchmark.queries
    for name in names[1:]:
        if given[name].benchmark.queries != queries:
            raise UsageError(f"{name} and {first} were measured on different queries: use one benchmark")
    comparisons: list[Comparison] = []
    for measure in measures:
        pairs = [_Pair(measure, first, name, given[first], given[name], level, seed) for name in names[1:]]
        if isinstance(measure, RankMeasure):
            comparisons += [pair.by_query(measure, draws) for pair in pairs]
        elif isinstance(measure, SetMeasure):
            comparisons += [pair.by_draws(measure) for pair in pairs]
        else:
            raise UsageError(f"{measure!r} is neither of ranks nor of sets: runs cannot be compared by it")
    told = [place for place, one in enumerate(comparisons) if not math.isnan(one.p)]
    for place, p in zip(told, holm([comparisons[place].p for place in told]), strict=True):
        comparisons[place] = replace(comparisons[place], corrected=p)
    return Comparisons(comparisons, given[first].benchmark.header())


@dataclass(frozen=True)
class _Pair:
    """Two runs on one benchmark, by one measure."""

    measure: Measure
    first: str
    other: str
    mine: Evidence
    theirs: Evidence
    level: float
    seed: int

    def by_query(self, measure: RankMeasure, draws: int) -> Comparison:
        """Compared query by query."""
        mine, theirs = self.mine.judged, self.theirs.judged
        if not measure.needs <= mine.ranked & theirs.ranked:
            # One of the two did not rank what the measure reads.
            return self._told(measure.value(mine), measure.value(theirs))
        differences = measure.scale(mine) * (measure.each(theirs) - measure.each(mine))
        low, high = interval(differences, level=self.level, seed=self.seed)
        p = randomisation(differences, draws=draws, seed=self.seed)
        values = measure.value(mine), measure.value(theirs)
        return self._told(*values, low=low, high=high, p=p, p_t=t_test(differences))

    def by_draws(self, measure: SetMeasure) -> Comparison:
        """Compared over queries drawn again and again, the same for both."""
        people = Judgements.of(self.mine.benchmark)
        tables = [set_scores(one.scores, one.benchmark) for one in (self.mine, self.theirs)]
        drawn = resamples(measure, tables, people, seed=self.seed)
        differences = drawn[:, 1] - drawn[:, 0]
        low, high = bounds(differences, level=self.level)
        values = [measure.of(table, people) for table in tables]
        return self._told(*values, low=low, high=high, p=_other_side(differences))

    def _told(self, value: float, other: float, **found: float) -> Comparison:
        """What was found, and NaN for what cannot be told."""
        nan = math.nan
        return Comparison(
            repr(self.measure),
            self.first,
            self.other,
            value,
            other,
            **{"low": nan, "high": nan, "p": nan, "p_t": nan} | found,
        )


def _other_side(differences: Floats) -> float:
    """The p of differences over draws: twice the share of them on the other side of zero.

    >>> _other_side(np.array([0.1, 0.2, -0.1, 0.3])), _other_side(np.zeros(3))
    (0.8, 1.0)
    """
    told = differences[~np.isnan(differences)]
    fewer = min(np.count_nonzero(told <= 0), np.count_nonzero(told >= 0))
    return float(min(1.0, 2 * (fewer + 1) / (len(told) + 1)))
