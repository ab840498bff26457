"""The feedback rule of paper 003, equations 8 and 9: v ← norm(v + α·y₊ − β·mean(y₋) + γ·h).

What the letters mean for a turn:

- y₊ is what the turn chose: its picture (after the first turn) and the liked pictures, as a mean.
- y₋ is what it turned down. Disliked pictures, when there are any: the user said which, so nothing
  else is judged. Otherwise, when the turn's picture was picked from what was shown, all the others
  that were shown, as in the paper: picking one passes over the rest. A like alone passes over
  nothing, because people like several pictures one after another.
- h is the turn itself as the composer understands it: picture and words together. A turn with
  likes and no picture of its own is understood once with each liked picture, as a mean.

The first turn's vector is the composer's own; its likes and dislikes count all the same.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from circlet.core import (
    Composer,
    Contributions,
    Gallery,
    Label,
    LabelKind,
    Pictures,
    Query,
    Turn,
    UsageError,
    Vectors,
)
from circlet.dialogue.history import History, flat


class Feedback(History):
    """A history in which every turn moves the query by what was chosen, turned down and said.

    `alpha` weighs chosen pictures, `beta` those turned down, `gamma` what the turn says.
    """

    def __init__(
        self, composer: Composer, alpha: float = 0.08, beta: float = 0.29, gamma: float = 0.44
    ) -> None:
        super().__init__(composer)
        for name, weight in (("alpha", alpha), ("beta", beta), ("gamma", gamma)):
            if weight < 0:
                raise UsageError(f"{name} is a weight of at least 0, not {weight}")
        self.alpha, self.beta, self.gamma = alpha, beta, gamma

    def __repr__(self) -> str:
        weights = f"alpha={self.alpha}, beta={self.beta}, gamma={self.gamma}"
        return f"{type(self).__name__}({self.composer!r}, {weights})"

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        turns, owners, numbers = flat(queries)
        steps = self.steps(turns, [number == 1 for number in numbers], pictures)
        rows = np.array(owners, np.intp)
        steps = steps.scaled(_carried(steps.sums(), rows, np.array(numbers, np.intp)))
        return steps.regroup(len(queries), rows, numbers).unit()

    def steps(self, turns: Sequence[Turn], first: Sequence[bool], pictures: Pictures) -> Contributions:
        """α·y₊ − β·mean(y₋) + γ·h for every turn; a first turn's h stands in full."""
        return self._said(turns, first, pictures).join(self._chosen(turns, first, pictures))

    def _said(self, turns: Sequence[Turn], first: Sequence[bool], pictures: Pictures) -> Contributions:
        meant = [
            (row, replace(turn, picture=picture))
            for row, turn in enumerate(turns)
            for picture in ([turn.picture] if turn.picture or not turn.liked else turn.liked)
        ]
        rows = np.array([row for row, _ in meant], np.intp)
        shares = 1 / np.bincount(rows, minlength=len(turns))[rows]
        weights = np.where(np.array(first)[rows], 1.0, self.gamma) * shares
        parts = self.composer.contributions([turn for _, turn in meant], pictures).scaled(weights)
        return parts.regroup(len(turns), rows, [1] * len(rows))

    def _chosen(self, turns: Sequence[Turn], first: Sequence[bool], pictures: Pictures) -> Contributions:
        terms, weights = [], []
        for row, (turn, begins) in enumerate(zip(turns, first, strict=True)):
            kind, down = turned_down(turn)
            up = turn.liked if begins else chosen(turn)
            terms += [(row, Label("liked", id)) for id in up] + [(row, Label(kind, id)) for id in down]
            weights += [self.alpha / len(up) for _ in up] + [-self.beta / len(down) for _ in down]
        rows = self._vectors([label.what for _, label in terms], pictures)
        return Contributions.of(len(turns), terms, rows * np.array(weights, np.float32)[:, None])

    def _vectors(self, ids: Sequence[str], pictures: Pictures) -> Vectors:
        """Pictures as the composer compares them: where it learned a projection, through it."""
        named = list(dict.fromkeys(ids))
        seen = Gallery(named, pictures.vectors_of(named), self.fingerprint)
        return self.project(seen).vectors_of(ids)


def chosen(turn: Turn) -> tuple[str, ...]:
    """y₊ of a later turn: its own picture and the liked ones.

    >>> chosen(Turn(picture="b", liked=("c",)))
    ('b', 'c')
    """
    return tuple(dict.fromkeys((turn.picture, *turn.liked) if turn.picture else turn.liked))


def turned_down(turn: Turn) -> tuple[LabelKind, tuple[str, ...]]:
    """y₋ and its kind: what was disliked or else what picking one picture passed over.

    >>> turned_down(Turn(picture="b", shown=("a", "b", "c")))
    ('passed over', ('a', 'c'))
    >>> turned_down(Turn(picture="b", shown=("a", "b", "c"), disliked=("c",)))
    ('disliked', ('c',))
    """
    if turn.disliked or turn.picture not in turn.shown:
        return "disliked", turn.disliked
    return "passed over", tuple(id for id in turn.shown if id != turn.picture and id not in turn.liked)


def _carried(steps: Vectors, owners: NDArray[np.intp], numbers: NDArray[np.intp]) -> NDArray[np.float64]:
    """For each turn's step, what the normalisation after it and after every later turn leaves of it."""
    queries = int(owners.max(initial=-1)) + 1
    reached = np.zeros((queries, steps.shape[1]))
    shrunk = np.ones(queries)
    before = np.ones(len(steps))
    for number in range(1, int(numbers.max(initial=0)) + 1):
        now = np.flatnonzero(numbers == number)
        rows = owners[now]
        reached[rows] += steps[now]
        lengths = np.linalg.norm(reached[rows], axis=1)
        # Steps that cancel out leave a query at zero, where there is nothing to normalise.
        lengths[lengths < 1e-12] = 1
        reached[rows] /= lengths[:, None]
        before[now] = shrunk[rows]
        shrunk[rows] *= lengths
    return before / shrunk[owners]
