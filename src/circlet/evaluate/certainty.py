"""How sure agreement with people is: p-values, intervals over queries, and whether scores are normal."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from circlet.core import UsageError
from circlet.core.extras import needed
from circlet.evaluate.arrays import Floats
from circlet.evaluate.compare import t_tails
from circlet.evaluate.measures.agreement import Spearman
from circlet.evaluate.measures.judgements import Judgements
from circlet.evaluate.resampling import DRAWS, bounds, resamples

# Below this a sample deviates from the normal distribution, as the CIRQRS paper has it.
_NORMAL = 0.05


@dataclass(frozen=True)
class Normality:
    """The Shapiro–Wilk test of one list of numbers."""

    w: float
    p: float

    def __str__(self) -> str:
        return f"W {self.w:.3f} ({p_said(self.p)})"


@dataclass(frozen=True)
class Correlated:
    """Spearman's correlation of set scores with people's, and how sure it is.

    `p` is by the t-distribution, the interval of 95 in 100 by a bootstrap over queries, so that sets
    which were judged together stay together. `scores` and `people` tell whether either side is normally
    distributed; `unchecked` is why nobody looked.
    """

    value: float
    p: float
    low: float
    high: float
    sets: int
    queries: int
    scores: Normality | None = None
    people: Normality | None = None
    unchecked: str = ""

    @property
    def said(self) -> str:
        """The correlation in a line.

        >>> Correlated(0.42, 1e-9, 0.391, 0.447, 5486, 2743).said
        'Spearman 0.42, p < .001, 95% interval 0.39 … 0.45 (bootstrap over 2,743 queries; 5,486 sets)'
        """
        amount = f"{self.queries:,} queries; {self.sets:,} sets"
        between = f"95% interval {self.low:.2f} … {self.high:.2f}"
        return f"Spearman {self.value:.2f}, {p_said(self.p)}, {between} (bootstrap over {amount})"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain JSON values."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


def normality(found: Mapping[str, Correlated]) -> str:
    """In a line whether the scores of each are normally distributed, and people's; or why nobody knows.

    >>> odd, even = Normality(0.9, 0.0001), Normality(0.99, 0.4)
    >>> normality({"sum": Correlated(0.4, 0.01, 0.3, 0.5, 80, 40, scores=even, people=odd)})
    'Shapiro–Wilk: people W 0.900 (p < .001), sum W 0.990 (p = .400); not normal: people'
    """
    first = next(iter(found.values()))
    if first.unchecked:
        return f"normality is not checked: {first.unchecked}"
    sides = {"people": first.people} | {name: one.scores for name, one in found.items()}
    told = {name: one for name, one in sides.items() if one}
    odd = [name for name, one in told.items() if one.p < _NORMAL]
    tests = ", ".join(f"{name} {one}" for name, one in told.items())
    return f"Shapiro–Wilk: {tests}; {'not normal: ' + ', '.join(odd) if odd else 'all may be normal'}"


def p_said(p: float) -> str:
    """A p-value as papers print it.

    >>> p_said(0.0004), p_said(0.0312)
    ('p < .001', 'p = .031')
    """
    return "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")


def correlated(table: Floats, people: Judgements, *, draws: int = DRAWS, seed: int = 0) -> Correlated:
    """Spearman's correlation of scores of set 1 and 2, a row a query, with people's; how sure it is.

    >>> from circlet.core import Benchmark, Case, JudgedSet, Judgement, Query, Turn
    >>> both = (JudgedSet(("a",), 5), JudgedSet(("b",), 2))
    >>> cases = [Case(query=Query(id, (Turn(text=id),)), judgement=Judgement(both, 1)) for id in "xyz"]
    >>> toy = Benchmark(name="toy", split="val", cases=tuple(cases), galleries={})
    >>> correlated(np.array([[0.9, 0.1]] * 3), Judgements.of(toy)).value
    1.0
    """
    measure = Spearman()
    value = measure.of(table, people)
    low, high = bounds(resamples(measure, [table], people, draws=draws, seed=seed)[:, 0])
    amount = table.size
    try:
        told: dict[str, Any] = {"scores": shapiro(table.ravel()), "people": shapiro(people.scores.ravel())}
    except UsageError as lacking:
        told = {"unchecked": str(lacking)}
    return Correlated(value, _tails(value, amount), low, high, amount, people.queries, **told)


def _tails(value: float, amount: int) -> float:
    """The two-sided p of a rank correlation over so many pairs, by the t-distribution."""
    if amount < 3:
        return 1.0
    if abs(value) >= 1:
        return 0.0
    return t_tails(value * math.sqrt((amount - 2) / (1 - value * value)), amount - 2)


def shapiro(values: Floats) -> Normality | None:
    """The Shapiro–Wilk test, by scipy; None where there are too few numbers, or all are the same."""
    if len(values) < 3 or np.ptp(values) == 0:
        return None
    needed("scipy")
    from scipy import stats

    with warnings.catch_warnings():
        # Beyond 5,000 numbers the p is approximate; it is far below any bound there, or far above.
        warnings.simplefilter("ignore", UserWarning)
        w, p = stats.shapiro(values)
    return Normality(float(w), float(p))
