"""Sets of ten that differ little, as ImageCoDe's were made: frames of a shot, or a picture and its nearest.

What looks at the pictures is passed in: vectors come from any encoder, and `refuse` says of a picture why it
should not be in a set (blurred, with text), or nothing.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from circlet.core import UsageError, Vectors, blocks
from circlet.images.moments import APART, Distinct

# Why the picture of this row should not be in a set; "" where it may.
Refuse = Callable[[int], str]


@dataclass(frozen=True, kw_only=True)
class FrameRule:
    """The procedure's numbers: `apart` and `size` are the paper's.

    Frames of a set are farther than `apart` from one another (unit vectors, Euclidean). A shot ends where
    the tiny copies of two frames in a row differ by more than `cut` (root mean square, of 1). Pictures
    nearer than `same` are taken for copies, and two sets of pictures share at most `shared` of them.

    >>> FrameRule(apart=0.5).size
    10
    """

    apart: float = APART
    cut: float = 0.12
    same: float = 0.05
    shared: int = 2
    size: int = 10
    targets: int = 3
    most: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.same < 2 or not 0 <= self.apart < 2:
            raise UsageError(f"distances lie from 0 to 2: apart {self.apart}, same {self.same}")
        if not 0 < self.targets <= self.size:
            raise UsageError(f"a set of {self.size} has from 1 to {self.size} targets, not {self.targets}")


@dataclass
class Tens:
    """Sets of row numbers, and how many pictures were left out for which reason."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def shots(copies: Vectors, rule: FrameRule) -> list[range]:
    """The frames of each shot: a cut is where one frame looks quite unlike the one before.

    >>> copies = np.array([[0.1], [0.12], [0.9], [0.9]], np.float32)
    >>> shots(copies, FrameRule())
    [range(0, 2), range(2, 4)]
    """
    steps = np.sqrt(np.square(np.diff(copies, axis=0)).mean(axis=1))
    starts = [0, *(np.flatnonzero(steps > rule.cut) + 1).tolist(), len(copies)]
    return [range(a, b) for a, b in pairwise(starts) if a < b]


def frame_tens(vectors: Vectors, shot: range, rule: FrameRule, refuse: Refuse) -> Tens:
    """Tens of a shot's frames in their order, each far enough from every one chosen; the rest is dropped.

    >>> fan = np.stack([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2, 21)]).astype(np.float32)
    >>> frame_tens(fan, range(21), FrameRule(apart=0.15, size=5, targets=1), lambda row: "").rows
    [(0, 2, 4, 6, 8), (10, 12, 14, 16, 18)]
    """
    found, distinct = Tens(), Distinct(apart=rule.apart)
    chosen: list[int] = []
    for row in shot:
        if distinct.near(vectors[row]):
            found.left_out["frames too near to one that was chosen"] += 1
        elif reason := refuse(row):
            found.left_out[f"frames {reason}"] += 1
        else:
            distinct.take(vectors[row])
            chosen.append(row)
    whole = len(chosen) - len(chosen) % rule.size
    found.rows = [tuple(chosen[at : at + rule.size]) for at in range(0, whole, rule.size)]
    found.left_out["frames left over: fewer than a set"] += len(chosen) - whole
    return found


def picture_tens(vectors: Vectors, rule: FrameRule, refuse: Refuse, seed: int = 0) -> Tens:
    """Each picture, in an order drawn from the seed, with its nine nearest; the order in a set is drawn too.

    >>> two = [*np.linspace(0, 0.5, 4), *np.linspace(2, 2.5, 4)]
    >>> rows = np.stack([[np.cos(a), np.sin(a)] for a in two]).astype(np.float32)
    >>> tens = picture_tens(rows, FrameRule(size=4, targets=1, shared=0), lambda row: "")
    >>> sorted(sorted(ten) for ten in tens.rows)
    [[0, 1, 2, 3], [4, 5, 6, 7]]
    """
    found = Tens()
    reasons = [refuse(row) for row in range(len(vectors))]
    found.left_out.update(f"pictures {reason}" for reason in reasons if reason)
    rows = np.array([row for row, reason in enumerate(reasons) if not reason], np.intp)
    held = vectors[rows]
    chance = random.Random(f"frames {seed}")
    order = list(range(len(rows)))
    chance.shuffle(order)
    homes: dict[int, list[int]] = {}
    for part in blocks(len(order), max(1, len(order))):
        near = held[order[part]] @ held.T
        for first, row in zip(order[part], near, strict=True):
            if rule.most is not None and len(found.rows) >= rule.most:
                return found
            members = _nearest(first, row, held, rule)
            if len(members) < rule.size:
                found.left_out["sets not made: too few pictures that are no copies"] += 1
                continue
            met = Counter(home for one in members for home in homes.get(one, ()))
            if max(met.values(), default=0) > rule.shared:
                found.left_out["sets not made: too much of one that is there"] += 1
                continue
            for one in members:
                homes.setdefault(one, []).append(len(found.rows))
            chance.shuffle(members)
            found.rows.append(tuple(int(rows[one]) for one in members))
    return found


def _nearest(first: int, near: Vectors, vectors: Vectors, rule: FrameRule) -> list[int]:
    """The picture and its nearest, none of them a copy of another."""
    chosen, distinct = [first], Distinct(apart=rule.same)
    distinct.take(vectors[first])
    for row in np.argsort(-near, kind="stable"):
        if len(chosen) == rule.size:
            break
        if row != first and distinct.take(vectors[row]):
            chosen.append(int(row))
    return chosen


def draw_targets(name: str, rule: FrameRule, seed: int = 0) -> tuple[int, ...]:
    """The places of a set that are to be described.

    >>> len(set(draw_targets("video-1", FrameRule())))
    3
    """
    places: Sequence[int] = range(rule.size)
    return tuple(sorted(random.Random(f"targets {seed} {name}").sample(places, rule.targets)))
