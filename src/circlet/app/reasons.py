"""Why a picture was found: its score, taken apart by turn, picture and phrase."""

from dataclasses import dataclass

from circlet.core import Composer, Gallery, Lookup, Method, Query


@dataclass(frozen=True)
class Part:
    """What one picture or phrase of one turn brought to a score; `kind` says how it came in.

    >>> Part(turn=2, kind="words", what="at night", value=0.25).of_picture
    False
    """

    turn: int
    kind: str
    what: str
    value: float

    @property
    def of_picture(self) -> bool:
        """Whether `what` is a picture's id; else it is a phrase."""
        return self.kind in {"picture", "liked", "disliked", "passed over"}


@dataclass(frozen=True)
class Why:
    """A score and its parts, which add up to it; none where the method scores pictures as a whole."""

    score: float | None
    parts: tuple[Part, ...] = ()


def why(method: Method, query: Query, pictures: Lookup, candidate: Gallery) -> Why:
    """Take apart the score of a gallery of one picture."""
    if not isinstance(method, Composer):
        return Why(float(method.scores([query], candidate, pictures=pictures)[0, 0]))
    said = method.query_parts([query], pictures)
    pulls = said.rows @ method.project(candidate).vectors[0]
    parts = (
        Part(label.turn, label.kind, label.what, float(pull))
        for label, pull in zip(said.labels, pulls, strict=True)
    )
    ordered = tuple(sorted(parts, key=lambda part: (part.turn, -abs(part.value))))
    return Why(float(pulls.sum()), ordered)
