"""Why a picture was found: what each turn, picture and phrase brought to its score."""

from collections.abc import Sequence
from dataclasses import dataclass

from circlet.core import Gallery, Label, LabelKind, Method, Pictures, Query


@dataclass(frozen=True)
class Contribution:
    """What one part of the query brought to the score: a picture, words, a like, a dislike.

    `kind` is "turn" where a composer cannot tell its parts; `what` is the picture's id or the phrase,
    `turn` counts from one.
    """

    kind: LabelKind
    what: str
    turn: int
    score: float

    @property
    def of_picture(self) -> bool:
        """Whether `what` is a picture's id; else it is a phrase."""
        return Label(self.kind).of_picture


@dataclass(frozen=True)
class Explanation:
    """A score and its parts, which add up to it; none where the method scores pictures as a whole.

    With `by_clauses` the parts say how the picture was found, and the score, which sets its place among
    what was found, comes from checking the query's clauses in it. `relevance` is how likely it answers the
    query, where the method's scorer had that fitted.
    """

    score: float
    parts: tuple[Contribution, ...] = ()
    by_clauses: bool = False
    relevance: float | None = None


def explain(
    method: Method, query: Query, candidates: Gallery, *, pictures: Pictures | None = None
) -> list[Explanation]:
    """For each candidate its score, taken apart where the method can, the weightiest part first.

    `explain(method, query, gallery.subset(["cat.jpg"]))[0].parts` may give a "words" part of +0.41
    for "cat" and a "picture" part of +0.08 for "dog.jpg", where the picture's score is 0.49.
    """
    explained = method.explained_by
    if explained is None:
        scores = method.scores([query], candidates, pictures=pictures)[0]
        return [Explanation(float(score)) for score in scores]
    labels, scored = explained.parts(query, candidates, pictures or candidates)
    told = [_sorted(labels, row) for row in scored.T.tolist()]
    return [Explanation(sum(part.score for part in parts), parts) for parts in told]


def _sorted(labels: Sequence[Label], scores: Sequence[float]) -> tuple[Contribution, ...]:
    """One contribution a label; the same picture or phrase in one turn counts once."""
    added: dict[Label, float] = {}
    for label, score in zip(labels, scores, strict=True):
        added[label] = added.get(label, 0.0) + score
    parts = (Contribution(label.kind, label.what, label.turn, score) for label, score in added.items())
    return tuple(sorted(parts, key=lambda part: -abs(part.score)))
