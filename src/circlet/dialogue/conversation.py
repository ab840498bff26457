"""A conversation: pictures move the query by the feedback rule, words change it as they change a picture.

Equation 9 adds a turn's words to what was reached with a fixed weight. That suits sessions in which
every turn agrees with the last; a person who says "but a cat" after ten pictures of dogs wants cats.
Here what was reached takes the picture's place, and the composer joins the words to it with the
share and the hearing that it would use for a picture. Words that follow each other are heard
together, so that the later ones have the last word.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from circlet.core import Beside, Contributions, Gallery, Pictures, Query, Turn
from circlet.dialogue.feedback import Feedback


@dataclass(frozen=True)
class Step:
    """One thing that happens to a query: pictures were chosen or turned down, or words were said."""

    turn: Turn
    number: int
    words: bool


class Conversation(Feedback):
    """Feedback for pictures, the composer's own joining for words.

    A composer that cannot take a query for a picture (`Composer.joins_vectors`) hears words by
    equation 9, as `Feedback` does.
    """

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        if all(query.plain for query in queries):
            # A first turn's vector is the composer's own.
            return self.composer.query_contributions(queries, pictures)
        if not self.composer.joins_vectors:
            return super().query_contributions(queries, pictures)
        told = [steps_of(query) for query in queries]
        reached = Contributions.of(len(queries), [], pictures.vectors_of([]))
        for at in range(max(map(len, told), default=0)):
            now = {row: steps[at] for row, steps in enumerate(told) if at < len(steps)}
            reached = self._shown(reached, {row: m for row, m in now.items() if not m.words}, pictures)
            reached = self._heard(reached, {row: m for row, m in now.items() if m.words}, pictures)
        return reached

    def picture_share(self, query: Query) -> float | None:
        if not self.composer.joins_vectors:
            return super().picture_share(query)
        return None if query.weighed is None else self.composer.share(query.weighed)

    def _shown(self, reached: Contributions, now: dict[int, Step], pictures: Pictures) -> Contributions:
        """Equation 9, for the queries in which pictures were chosen or turned down."""
        if not now:
            return reached
        begun = reached.sums()
        taken = self.steps([m.turn for m in now.values()], [not begun[row].any() for row in now], pictures)
        rows = np.array(list(now), np.intp)
        return reached.join(taken.regroup(reached.count, rows, [m.number for m in now.values()])).unit()

    def _heard(self, reached: Contributions, now: dict[int, Step], pictures: Pictures) -> Contributions:
        """The composer's joining, for the queries in which words were said."""
        if not now:
            return reached
        # What each query has reached takes the place of a picture, named by the query's row.
        vectors = reached.sums()
        here = Gallery([str(row) for row in range(len(vectors))], vectors, self.fingerprint)
        turns = [
            replace(m.turn, picture=str(row) if here.vectors[row].any() else None) for row, m in now.items()
        ]
        rows = np.array(list(now), np.intp)
        # What the gallery is like is still the gallery's to say.
        parts = self.composer.contributions(turns, Beside(here, pictures)).regroup(
            reached.count, rows, [m.number for m in now.values()]
        )
        before = np.array([label.kind == "picture" for label in parts.labels], bool)
        # What the composer took for a picture is everything reached so far, in this proportion.
        kept = np.where(np.isin(np.arange(reached.count), rows), 0.0, 1.0)
        owners = parts.owners[before]
        kept[owners] = np.sum(parts.rows[before] * here.vectors[owners], axis=1)
        return reached.scaled(kept).join(parts.only(~before))


def steps_of(query: Query) -> list[Step]:
    """The steps of a query, in order: each turn's pictures, then its words, runs of words as one.

    >>> for step in steps_of(Query("q", (Turn(picture="a", text="at night"), Turn(text="in snow")))):
    ...     print(step)
    Step(turn=Turn(picture='a'), number=1, words=False)
    Step(turn=Turn(text='at night\\nin snow'), number=1, words=True)
    """
    _ = query.last  # a query without a turn is an error that says so
    steps: list[Step] = []
    for number, turn in enumerate(query.turns, start=1):
        if turn.picture or turn.liked or turn.disliked:
            shown = Turn(picture=turn.picture, liked=turn.liked, disliked=turn.disliked, shown=turn.shown)
            steps.append(Step(shown, number, words=False))
        words = Turn(text=turn.text, without=turn.without, emphasis=turn.emphasis, balance=turn.balance)
        if words.empty and not words.emphasis:
            continue
        if steps and steps[-1].words:
            last = steps.pop()
            words, number = both(last.turn, words), last.number
        steps.append(Step(words, number, words=True))
    return steps


def both(first: Turn, then: Turn) -> Turn:
    """A turn with the words of the one after it: what the later says of the balance stands.

    >>> both(Turn(picture="a", text="red"), Turn(text="at night"))
    Turn(picture='a', text='red\\nat night')
    """
    return replace(
        first,
        text="\n".join(text for text in (first.text, then.text) if text.strip()),
        without=first.without + then.without,
        emphasis=first.emphasis + then.emphasis,
        balance=first.balance if then.balance is None else then.balance,
    )
