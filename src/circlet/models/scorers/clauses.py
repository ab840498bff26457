"""A query as a list of clauses, and what checking them in candidates gives: a probability for each."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from circlet.core import Pictures, Query, Scorer, Vectors
from circlet.language import Edit, understand
from circlet.language.edits import EditKind
from circlet.language.people import heads_in
from circlet.language.writing import WRITTEN, written_in
from circlet.models.composers.balanced import SHARES, weighed_share
from circlet.models.composers.edits import hear
from circlet.models.scorers.seen import looked_up

# How much a clause counts beside the others, 1 where nothing else stands here: what is to be there instead
# of the thing shown, or to be away, is what the search is about.
WEIGHTS: dict[str, float] = {"replace": 2.0, "describe": 2.0, "away": 2.0}
# A picture whose main thing is replaced still says how it should look, a little.
_REPLACED = 0.25


@dataclass(frozen=True)
class Clause:
    """One thing that a query asks of every candidate.

    A `subject` is what the picture `what` shows, `written` what is to be read in it; every other kind is an
    edit's, and `what` its words. An `absent` clause holds where the thing is not to be seen.

    >>> str(Clause("remove", "people", absent=True)), str(Clause("subject", "album/beach.jpg"))
    ('no people', 'as in beach.jpg')
    """

    kind: "EditKind | str"
    what: str
    absent: bool = False
    weight: float = 1.0
    edit: Edit | None = None

    @property
    def replacing(self) -> bool:
        """Whether it asks for another thing in the place of the one that is shown."""
        return self.edit is not None and self.edit.replaces and not self.absent

    @property
    def circumstance(self) -> bool:
        """Whether it asks when or where the thing is to be, which leaves the thing as it is."""
        return self.edit is not None and self.edit.circumstance and not self.absent

    def __str__(self) -> str:
        if self.kind == "subject":
            return f"as in {Path(self.what).name}"
        if self.kind == WRITTEN:
            return f"{'does not say' if self.absent else 'says'} “{self.what}”"
        if not self.absent:
            return self.what
        return f"not {self.what}" if Edit("describe", text=self.what).circumstance else f"no {self.what}"


@dataclass(frozen=True)
class Checks:
    """The probability that each clause holds in each candidate, (clauses, candidates); NaN: not checked."""

    clauses: tuple[Clause, ...]
    probabilities: Vectors

    def scores(self) -> Vectors:
        """One score per candidate, 0 to 1: the geometric mean by weight of what was checked.

        >>> two = Clause("add", "a hat"), Clause("count", "two dogs")
        >>> Checks(two, np.array([[0.9], [np.nan]])).scores()
        array([0.9], dtype=float32)
        """
        checked = ~np.isnan(self.probabilities).all(axis=1)
        weights = np.array([clause.weight for clause in self.clauses], np.float32)[checked]
        if not weights.any():
            return np.zeros(self.probabilities.shape[1], np.float32)
        # Of a picture that was not looked at, one thing is as likely as the other.
        known = np.nan_to_num(self.probabilities[checked], nan=0.5)
        logs = np.log(np.clip(known, 1e-6, 1))
        return np.exp(weights @ logs / weights.sum()).astype(np.float32)


def clauses_of(query: Query) -> tuple[Clause, ...]:
    """What a query asks: its last picture's subject, unless it is replaced, and every edit that stands.

    Phrases that were stressed count more, and the balance between picture and words holds here too.

    >>> from circlet.core import Turn
    >>> asked = Query("q") + Turn(picture="dog.jpg", text="in the snow, without people")
    >>> [str(clause) for clause in clauses_of(asked)]
    ['as in dog.jpg', 'in the snow', 'no people']
    >>> [str(clause) for clause in clauses_of(Query("q") + Turn(text='a sign that says "open"'))]
    ['sign', 'says “open”']
    """
    lines = [written_in(line) for turn in query.turns for line in turn.text.splitlines()]
    edits = understand("\n".join(rest for _, rest in lines if rest.strip())).edits
    picture = next((turn.picture for turn in reversed(query.turns) if turn.picture), None)
    found: list[Clause] = []
    if picture:
        replaced = any(edit.replaces for edit in edits)
        found.append(Clause("subject", picture, weight=_REPLACED if replaced else 1.0))
    for edit in edits:
        if edit.wanted and edit.kind != "keep":
            found += _wanted(edit)
        if edit.unwanted:
            found.append(Clause(edit.kind, edit.unwanted, absent=True, weight=WEIGHTS["away"], edit=edit))
    for thing in (thing for turn in query.turns for thing in turn.without):
        words, _ = written_in(thing)
        found += [Clause(WRITTEN, one, absent=True) for one in words]
        if not words:
            found.append(Clause("remove", thing, absent=True, weight=WEIGHTS["away"]))
    found += [Clause(WRITTEN, one, edit=Edit("describe", text=one)) for words, _ in lines for one in words]
    return tuple(dict.fromkeys(stressed(clause, query) for clause in found))


def _wanted(edit: Edit) -> list[Clause]:
    """What an edit wants to see: people, who are counted, apart from all else that it says."""
    told = heads_in(edit.wanted)
    if told is None:
        weight = 1.0 if edit.circumstance else WEIGHTS.get(edit.kind, 1.0)
        return [Clause(edit.kind, edit.wanted, weight=weight, edit=edit)]
    people = Clause(edit.kind, told.said, edit=edit)
    return [people, *_wanted(Edit("describe", text=told.rest))] if told.rest else [people]


def stressed(clause: Clause, query: Query) -> Clause:
    """The clause with its weight as the person's balance and stress would have it."""
    weight = clause.weight
    said = query.weighed or query.last
    if (balance := said.balance) is not None:
        usual = usual_share(query)
        weight *= balance / usual if clause.kind == "subject" else (1 - balance) / (1 - usual)
    for phrase, factor in (pair for turn in query.turns for pair in turn.emphasis):
        if phrase.lower() in clause.what.lower() or clause.what.lower() in phrase.lower():
            weight *= max(0.0, factor)
    return replace(clause, weight=weight)


def usual_share(query: Query) -> float:
    """The picture's share at which every clause has the weight of its kind."""
    turn = query.weighed
    return 0.5 if turn is None else weighed_share(hear(replace(turn, balance=None), SHARES))


class ClauseScorer(Scorer):
    """Scores candidates by the clauses that hold in them; a subclass says how one is checked.

    `own` is what a deviation of the finding method's score counts beside the clauses, `evidence` what
    the clauses count beside the logarithm of a belief.
    """

    own: float
    evidence = 1.0

    def own_beside(self, clauses: int) -> float:
        """What a deviation of the method's score counts beside so many clauses and what stays."""
        return self.own

    @abstractmethod
    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate."""

    def unjudged(self, query: Query) -> tuple[Clause, ...]:
        """The clauses of a query that it has no opinion of in any picture."""
        return ()

    def judged(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """`check`, with what was seen in the candidates in place of what can only be guessed."""
        return looked_up(self.check(query, ids, pictures), ids, pictures)

    def compares(self, query: Query, pictures: Pictures) -> bool:
        """Whether what is likely in a candidate depends on the others it is checked among."""
        return False

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        """For each query one score per candidate."""
        return [
            self.judged(query, ids, pictures).scores() for query, ids in zip(queries, candidates, strict=True)
        ]
