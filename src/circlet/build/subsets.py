"""Subsets of look-alikes, by the procedure of CIRR (section 4.1 and figure 5 of its paper)."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from circlet.core import UsageError, Vectors, blocks


@dataclass(frozen=True, kw_only=True)
class SubsetRule:
    """The procedure's numbers; the defaults are the paper's.

    An image at least `near` similar to the first is taken for the same picture and dropped; of the
    next `pool`, each is added unless its similarity is within `gap` of the last one added; a subset
    of fewer than `size` is discarded. The paper filters "heavy overlap" without a number: here a
    subset may share at most `shared` pictures with any one kept before it. `most` ends the search.

    >>> SubsetRule(pool=30).gap
    0.002
    """

    near: float = 0.94
    pool: int = 20
    gap: float = 0.002
    size: int = 6
    shared: int = 2
    most: int | None = None

    def __post_init__(self) -> None:
        if self.size < 2 or self.pool < self.size - 1:
            raise UsageError(f"a subset of {self.size} cannot be found among the next {self.pool}")
        if not 0 <= self.gap < 1 or not -1 <= self.near <= 1.0001:
            raise UsageError(f"similarities lie from -1 to 1: gap {self.gap}, near {self.near}")


@dataclass(frozen=True)
class Subsets:
    """What was found: subsets of row numbers, each starting with its first picture, and why not more."""

    rows: tuple[tuple[int, ...], ...]
    tried: int
    left_out: Counter[str] = field(default_factory=Counter)

    def report(self) -> list[str]:
        """What was filtered and why, a line each."""
        lines = [f"{self.tried} pictures tried as the first of a subset, {len(self.rows)} subsets kept"]
        return lines + [f"{number} {reason}" for reason, number in self.left_out.items() if number]


def find_subsets(vectors: Vectors, rule: SubsetRule, seed: int = 0) -> Subsets:
    """Subsets of similar yet different pictures, from unit vectors of any encoder.

    Every picture is tried once as the first of a subset, in an order drawn from the seed.

    >>> angles = np.linspace(0, 1, 12)
    >>> fan = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    >>> find_subsets(fan, SubsetRule(near=0.99, pool=6, shared=0, most=1)).rows
    ((10, 8, 7, 6, 5, 4),)
    """
    order = list(range(len(vectors)))
    random.Random(f"subsets {seed}").shuffle(order)
    kept: list[tuple[int, ...]] = []
    homes: dict[int, list[int]] = {}
    left_out: Counter[str] = Counter()
    tried = 0
    for part in blocks(len(order), len(order)):
        firsts = order[part]
        similar = vectors[firsts] @ vectors.T
        for first, row in zip(firsts, similar, strict=True):
            if rule.most is not None and len(kept) >= rule.most:
                return Subsets(tuple(kept), tried, left_out)
            tried += 1
            row[first] = -np.inf
            same = row >= rule.near
            left_out["near-identical pictures dropped"] += int(same.sum())
            row[same] = -np.inf
            subset = (first, *_greedy(row, rule))
            if len(subset) < rule.size:
                left_out["discarded: too few pictures differ enough"] += 1
            elif _overlap(subset, homes) > rule.shared:
                left_out["discarded: overlaps a subset kept before"] += 1
            else:
                for member in subset:
                    homes.setdefault(member, []).append(len(kept))
                kept.append(subset)
    return Subsets(tuple(kept), tried, left_out)


def _greedy(row: Vectors, rule: SubsetRule) -> Sequence[int]:
    """The first pictures of the pool that differ enough from the last one added."""
    pool = np.argpartition(-row, min(rule.pool, len(row) - 1))[: rule.pool]
    pool = pool[np.lexsort((pool, -row[pool]))]
    added: list[int] = []
    last = np.inf
    for candidate in pool:
        if row[candidate] == -np.inf or len(added) == rule.size - 1:
            break
        if last - row[candidate] > rule.gap:
            added.append(int(candidate))
            last = float(row[candidate])
    return added


def _overlap(subset: tuple[int, ...], homes: dict[int, list[int]]) -> int:
    """The most pictures that one kept subset has in common with this one."""
    met = Counter(home for member in subset for home in homes.get(member, ()))
    return max(met.values(), default=0)
