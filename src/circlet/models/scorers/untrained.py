"""Clauses checked with nothing but an encoder: words against candidates, in deviations over the gallery."""

from collections.abc import Sequence

import numpy as np

from circlet.core import Encoder, Pictures, Query, Vectors
from circlet.language.people import about_people
from circlet.models.encoders.base import judges_people, known_to, subject_of
from circlet.models.scorers.clauses import Checks, Clause, ClauseScorer, clauses_of
from circlet.models.standards import Standards, standards_of

# A candidate so many deviations above the gallery's mean shows the thing as likely as not, and how fast
# it becomes likely. What stays as it is, and a circumstance, are there or not. A circumstance that is not
# seen may still have been missed, so that it never says as much against a picture as another thing in it
# does. A thing that is to take another's place is often the only one of its kind: there it is a
# share of the best candidate's height. What is to be away is measured by how much of it the query's own
# picture shows. Chosen with benchmarks/subject.py, composers.py and collages.py.
_EVEN, _STEEP = 1.35, 1.5
_EVEN_STAYS, _STEEP_STAYS, _STEEP_AROUND, _MISSED = 1.0, 2.5, 4.0, 0.2
_SHARE_OF_BEST = 0.7
_SHARE_OF_SHOWN, _STEEP_AWAY = 0.5, 6.0
_LEAST_AWAY, _MOST_AWAY, _UNSHOWN_AWAY = 0.4, 5.0, 2.0
# What an encoder's vector of a whole picture says nothing about.
UNSEEN = ("count", "size", "move", "view", "compare")
# An encoder that knows less of the words cannot judge them.
_KNOWN = 0.5


class UntrainedClauses(ClauseScorer):
    """The clauses of a query with any encoder whose words and pictures share a space.

    Numbers, sizes, places and views are not checked, nor words that the encoder does not know, nor people
    by one that has no idea of them.
    """

    own = 0.1

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.encoder!r})"

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate."""
        clauses = clauses_of(query)
        found = np.full((len(clauses), len(ids)), np.nan, np.float32)
        rows = self._rows(clauses, pictures)
        checked = [at for at, clause in enumerate(clauses) if self._judges(clause, rows[at])]
        if checked and len(ids):
            vectors = pictures.vectors_of(list(ids))
            usual = standards_of(pictures)
            here = usual or Standards(vectors)
            some, asked = [clauses[at] for at in checked], rows[checked]
            scores = here.scores(asked, vectors)
            shown = self._shown(some, asked, here, pictures)
            even, steep = _odds(some, scores, shown, few=usual is None)
            likely = 1 / (1 + np.exp(steep * (even - scores)))
            around = np.array([clause.circumstance for clause in some])[:, None]
            likely = np.where(around, _MISSED + (1 - _MISSED) * likely, likely)
            away = np.array([clause.absent for clause in some])[:, None]
            found[checked] = np.where(away, 1 - likely, likely)
        return Checks(clauses, found)

    def compares(self, query: Query, pictures: Pictures) -> bool:
        """Another thing in the place of the one shown is a share of the best; so is all in few pictures."""
        return any(clause.replacing for clause in clauses_of(query)) or standards_of(pictures) is None

    def unjudged(self, query: Query) -> tuple[Clause, ...]:
        """Numbers, sizes, places, views, and words that the encoder knows too little of."""
        said = [clause for clause in clauses_of(query) if clause.kind != "subject"]
        rows = self.encoder.texts([clause.what for clause in said])
        return tuple(clause for clause, row in zip(said, rows, strict=True) if not self._judges(clause, row))

    def _judges(self, clause: Clause, row: Vectors) -> bool:
        if clause.kind == "subject":
            return True
        if about_people(clause.what) and not judges_people(self.encoder):
            return False
        return clause.kind not in UNSEEN and bool(known_to(self.encoder, row[None])[0] >= _KNOWN)

    def _shown(
        self, clauses: Sequence[Clause], rows: Vectors, here: Standards, pictures: Pictures
    ) -> Vectors:
        """How much of each clause the query's own picture shows, in deviations; 0 without a picture."""
        own = [clause.what for clause in clauses if clause.kind == "subject"]
        if not own:
            return np.zeros(len(rows), np.float32)
        return here.scores(rows, pictures.vectors_of(own))[:, 0]

    def _rows(self, clauses: Sequence[Clause], pictures: Pictures) -> Vectors:
        """One row per clause; a subject's is freed from what is to be away."""
        words = self.encoder.texts([clause.what for clause in clauses if clause.kind != "subject"])
        rows = np.zeros((len(clauses), words.shape[1]), np.float32)
        rows[[clause.kind != "subject" for clause in clauses]] = words
        away = [at for at, clause in enumerate(clauses) if clause.absent]
        for at, clause in enumerate(clauses):
            if clause.kind == "subject":
                row = subject_of(self.encoder, pictures.vectors_of([clause.what]))[0]
                for thing in rows[away]:
                    row = row - max(0.0, float(row @ thing)) * thing
                rows[at] = row
        return rows


def _odds(
    clauses: Sequence[Clause], scores: Vectors, shown: Vectors, *, few: bool
) -> tuple[Vectors, Vectors]:
    """For each clause the score at which its thing is as likely there as not, and how fast that changes.

    Among few pictures the least difference is a deviation: there no clause is told surer than the others.
    """
    rare = np.array([clause.replacing for clause in clauses])
    around = np.array([clause.circumstance for clause in clauses]) & (not few)
    stays = np.array([clause.kind == "subject" for clause in clauses]) & (not rare.any() and not few)
    even = np.where(around | stays, _EVEN_STAYS, _EVEN)
    even = np.where(rare, np.maximum(_EVEN, _SHARE_OF_BEST * scores.max(axis=1, initial=0)), even)
    away = np.array([clause.absent for clause in clauses])
    part = np.clip(_SHARE_OF_SHOWN * shown, _LEAST_AWAY, _MOST_AWAY)
    # A picture that does not show the thing says nothing about how it looks.
    even = np.where(away, np.where(shown > 2 * _LEAST_AWAY, part, _UNSHOWN_AWAY), even)
    steep = np.select(
        [away, around, stays], [_STEEP_AWAY / np.maximum(even, 1), _STEEP_AROUND, _STEEP_STAYS], _STEEP
    )
    return even[:, None], steep[:, None]
