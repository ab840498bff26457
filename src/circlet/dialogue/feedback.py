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

The paper's turns are pairs of a picture and a text. In a conversation the text often comes in
several breaths: a picture, "at night", "without people". Words alone therefore go on with the pair
that is being talked about (`pairs`), and what words rule out is also taken out of what v held before.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from circlet.core import Composer, Gallery, Label, Lookup, Parts, Query, Turn, UsageError, Vectors
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
        return f"Feedback({self.composer!r}, {weights})"

    def query_parts(self, queries: Sequence[Query], pictures: Lookup) -> Parts:
        paired = [pairs(query.turns) for query in queries]
        told = [
            replace(query, turns=tuple(turn for _, turn in turns))
            for query, turns in zip(queries, paired, strict=True)
        ]
        turns, owners, steps = flat(told)
        moves = self._said(turns, steps, pictures).join(self._chosen(turns, steps, pictures))
        rows = np.array(owners, np.intp)
        moves = _carried(moves, rows, np.array(steps, np.intp))
        return moves.regroup(len(queries), rows, [number for turns in paired for number, _ in turns]).unit()

    def _said(self, turns: Sequence[Turn], steps: Sequence[int], pictures: Lookup) -> Parts:
        """γ·h for every turn; the first turn's h stands in full."""
        meant = [
            (row, replace(turn, picture=picture))
            for row, turn in enumerate(turns)
            for picture in ([turn.picture] if turn.picture or not turn.liked else turn.liked)
        ]
        rows = np.array([row for row, _ in meant], np.intp)
        shares = 1 / np.bincount(rows, minlength=len(turns))[rows]
        weights = np.where(np.array(steps)[rows] == 1, 1.0, self.gamma) * shares
        parts = self.composer.parts([turn for _, turn in meant], pictures).scaled(weights)
        return parts.regroup(len(turns), rows, [steps[row] for row in rows])

    def _chosen(self, turns: Sequence[Turn], steps: Sequence[int], pictures: Lookup) -> Parts:
        """α·y₊ − β·mean(y₋) for every turn."""
        terms, weights = [], []
        for row, (turn, step) in enumerate(zip(turns, steps, strict=True)):
            kind, down = turned_down(turn)
            up = chosen(turn, step)
            terms += [(row, Label("liked", id)) for id in up] + [(row, Label(kind, id)) for id in down]
            weights += [self.alpha / len(up) for _ in up] + [-self.beta / len(down) for _ in down]
        rows = self._vectors([label.what for _, label in terms], pictures)
        return Parts.of(len(turns), terms, rows * np.array(weights, np.float32)[:, None])

    def _vectors(self, ids: Sequence[str], pictures: Lookup) -> Vectors:
        """Pictures as the composer compares them: where it learned a projection, through it."""
        named = list(dict.fromkeys(ids))
        seen = Gallery(named, pictures.vectors_of(named), self.fingerprint)
        return self.project(seen).vectors_of(ids)


def pairs(turns: Sequence[Turn]) -> list[tuple[int, Turn]]:
    """The turns with words alone joined, line by line, to the picture or words they go on from.

    Each with the number of the turn it began at.

    >>> pairs((Turn(picture="a"), Turn(text="at night"), Turn(disliked=("b",)), Turn(text="in snow")))
    [(1, Turn(picture='a', text='at night\\nin snow')), (3, Turn(disliked=('b',)))]
    """
    joined: list[tuple[int, Turn]] = []
    about = None
    for number, turn in enumerate(turns, start=1):
        only_words = not (turn.picture or turn.liked or turn.disliked)
        if only_words and about is not None:
            began, said = joined[about]
            joined[about] = (began, _both(said, turn))
            continue
        joined.append((number, turn))
        if turn.picture or turn.liked or only_words:
            about = len(joined) - 1
    return joined


def _both(first: Turn, then: Turn) -> Turn:
    return replace(
        first,
        text="\n".join(text for text in (first.text, then.text) if text.strip()),
        without=first.without + then.without,
        emphasis=first.emphasis + then.emphasis,
        balance=first.balance if then.balance is None else then.balance,
    )


def chosen(turn: Turn, step: int) -> tuple[str, ...]:
    """y₊: the liked pictures and, after the first turn, the turn's own."""
    own = (turn.picture,) if turn.picture and step > 1 else ()
    return tuple(dict.fromkeys((*own, *turn.liked)))


def turned_down(turn: Turn) -> tuple[str, tuple[str, ...]]:
    """y₋ and its kind: what was disliked or else what picking one picture passed over.

    >>> turned_down(Turn(picture="b", shown=("a", "b", "c")))
    ('passed over', ('a', 'c'))
    >>> turned_down(Turn(picture="b", shown=("a", "b", "c"), disliked=("c",)))
    ('disliked', ('c',))
    """
    if turn.disliked or turn.picture not in turn.shown:
        return "disliked", turn.disliked
    return "passed over", tuple(id for id in turn.shown if id != turn.picture and id not in turn.liked)


def _carried(moves: Parts, owners: NDArray[np.intp], steps: NDArray[np.intp]) -> Parts:
    """The moves of every turn, each with what the normalisations after it leave of it.

    What a turn's words rule out is taken out of what was reached before, as one more move of that turn.
    """
    sums = moves.sums()
    reached = np.zeros((int(owners.max(initial=-1)) + 1, sums.shape[1]))
    shrunk = np.ones(len(reached))
    before = np.ones(len(sums))
    ruled_out = [index for index, label in enumerate(moves.labels) if label.kind == "without"]
    outs: list[tuple[int, Label]] = []
    removed: list[NDArray[np.float64]] = []
    for step in range(1, int(steps.max(initial=0)) + 1):
        now = np.flatnonzero(steps == step)
        for index in ruled_out if step > 1 else ():
            turn = int(moves.owners[index])
            if steps[turn] == step:
                away = moves.rows[index] / max(float(np.linalg.norm(moves.rows[index])), 1e-12)
                held = max(float(-reached[owners[turn]] @ away), 0.0)
                reached[owners[turn]] += held * away
                outs.append((turn, moves.labels[index]))
                removed.append(held * away)
        rows = owners[now]
        reached[rows] += sums[now]
        lengths = np.linalg.norm(reached[rows], axis=1)
        # Moves that cancel out leave a query at zero, where there is nothing to normalise.
        lengths[lengths < 1e-12] = 1
        reached[rows] /= lengths[:, None]
        before[now] = shrunk[rows]
        shrunk[rows] *= lengths
    if outs:
        moves = moves.join(Parts.of(moves.count, outs, np.array(removed)))
    return moves.scaled(before / shrunk[owners])
