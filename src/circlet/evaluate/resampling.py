"""Queries drawn again and again: how far a measure of agreement with people may be off."""

import math
from collections.abc import Sequence

import numpy as np

from circlet.evaluate.arrays import Floats
from circlet.evaluate.measures.judgements import Judgements, SetMeasure

DRAWS = 2_000
# Weights of draws are made in blocks of about this many numbers.
_BLOCK = 2_000_000


def resamples(
    measure: SetMeasure, tables: Sequence[Floats], people: Judgements, *, draws: int = DRAWS, seed: int = 0
) -> Floats:
    """The measure over queries drawn with replacement: a row a draw, a column a table of set scores.

    A query that is drawn brings everybody's judgements of it along.
    """
    rng = np.random.default_rng(seed)
    amount = people.queries
    step, done = max(1, _BLOCK // (2 * len(people.query))), 0
    found: list[Floats] = []
    while done < draws:
        many = min(step, draws - done)
        drawn = rng.integers(0, amount, (many, amount)) + amount * np.arange(many)[:, None]
        often = np.bincount(drawn.ravel(), minlength=many * amount).reshape(many, amount)
        weights = often[:, people.query].astype(np.float64)
        found.append(np.stack([measure.resampled(table, people, weights) for table in tables], axis=1))
        done += many
    return np.concatenate(found)


def bounds(values: Floats, *, level: float = 0.95) -> tuple[float, float]:
    """The interval that holds this share of what was drawn; draws that say nothing are left out.

    >>> low, high = bounds(np.arange(101.0), level=0.9)
    >>> round(low, 6), round(high, 6)
    (5.0, 95.0)
    """
    told = values[~np.isnan(values)]
    if not len(told):
        return math.nan, math.nan
    low, high = np.quantile(told, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
