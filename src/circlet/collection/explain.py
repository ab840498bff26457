"""Why a picture was found, for any method: a composer's score is taken apart, another's stands whole."""

from dataclasses import dataclass

from circlet.core import Composer, Gallery, Lookup, Method, Query
from circlet.dialogue import Contribution, explain


@dataclass(frozen=True)
class Why:
    """A score and its parts, which add up to it; none where the method scores pictures as a whole."""

    score: float | None
    parts: tuple[Contribution, ...] = ()


def why(method: Method, query: Query, pictures: Lookup, candidate: Gallery) -> Why:
    """Take apart the score of a gallery of one picture, turn by turn."""
    if not isinstance(method, Composer):
        return Why(float(method.scores([query], candidate, pictures=pictures)[0, 0]))
    (parts,) = explain(method, query, candidate.ids, candidate, pictures=pictures)
    by_turn = tuple(sorted(parts, key=lambda part: part.turn))
    return Why(sum(part.score for part in parts), by_turn)
