"""Why a picture was found: what each turn, picture and phrase brought to its score."""

from collections.abc import Sequence
from dataclasses import dataclass

from circlet.core import Composer, Gallery, Label, Lookup, Query, same_space


@dataclass(frozen=True)
class Contribution:
    """What one part of the query brought to the score: a picture, words, a like, a dislike.

    `kind` is "picture", "words", "without", "liked", "disliked", "passed over", or "turn" where a
    composer cannot tell its parts; `what` is the picture's id or the phrase, `turn` counts from one.
    """

    kind: str
    what: str
    turn: int
    score: float

    @property
    def of_picture(self) -> bool:
        """Whether `what` is a picture's id; else it is a phrase."""
        return self.kind in {"picture", "liked", "disliked", "passed over"}


def explain(
    composer: Composer, query: Query, ids: Sequence[str], gallery: Gallery, *, pictures: Lookup | None = None
) -> list[tuple[Contribution, ...]]:
    """For each id its score taken apart, the weightiest part first; the parts add up to the score.

    `explain(method, query, ["cat.jpg"], gallery)[0]` may give a "words" part of +0.41 for "cat"
    and a "picture" part of +0.08 for "dog.jpg", where the picture's score is 0.49.
    """
    same_space(composer.fingerprint, gallery.fingerprint)
    parts = composer.query_contributions([query], pictures or gallery)
    scores = composer.project(gallery.subset(ids)).vectors @ parts.rows.T
    return [_sorted(parts.labels, row) for row in scores.tolist()]


def _sorted(labels: Sequence[Label], scores: Sequence[float]) -> tuple[Contribution, ...]:
    """One contribution a label; the same picture or phrase in one turn counts once."""
    added: dict[Label, float] = {}
    for label, score in zip(labels, scores, strict=True):
        added[label] = added.get(label, 0.0) + score
    contributions = (
        Contribution(label.kind, label.what, label.turn, score) for label, score in added.items()
    )
    return tuple(sorted(contributions, key=lambda part: -abs(part.score)))
