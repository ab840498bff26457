"""A method whose best candidates are checked clause by clause, where there is something to check."""

from collections.abc import Callable, Sequence
from typing import Unpack

import numpy as np

from circlet.core import (
    Composer,
    Cut,
    Method,
    Pictures,
    Query,
    Ranking,
    RankOptions,
    Rerank,
    Searchable,
    Vectors,
    beside,
)
from circlet.models.scorers.clauses import Checks, ClauseScorer, clauses_of, usual_share
from circlet.models.scorers.seen import kind_of, kinds_asked, looked_up, may_ask, narrowed
from circlet.models.standards import FEWEST

_LEAST = 1e-6
# What a deviation of the method's own score counts where nothing but what was seen is checked.
_OWN = 0.5
# So many candidates are checked; those after them stay in the method's own order.
CHECKED = 200


class Checked(Rerank):
    """`method % 200 >> clauses`, followed by the rest, for queries of a picture with words.

    Words alone, or a picture alone, are what the method's own scores are about. So is a history with
    likes and dislikes, which no clause speaks of. Whatever was counted or read in the pictures is checked
    in any case, and not only in those that the method finds first.
    """

    scorer: ClauseScorer

    def __init__(self, method: Method, scorer: ClauseScorer, *, checked: int = CHECKED) -> None:
        super().__init__(method, scorer)
        self.checked = checked

    def __repr__(self) -> str:
        return f"Checked({self.method!r}, {self.scorer!r}, checked={self.checked})"

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """What the method finds; of queries with several clauses, the first candidates in their order."""
        rankings = self.method.rank(queries, gallery, top=max(top, self.checked), **options)
        pictures = beside(options.get("pictures"), gallery)
        for at, query in enumerate(queries):
            seen = seen_for(query, gallery)
            if not seen and not to_check(query):
                continue
            found, checked = rankings[at], self.checked
            if seen:
                found, checked = self._with_seen(query, seen, found, gallery, at, options)
            firsts = found.ids[:checked]
            scores = self._scores(query, firsts, pictures)
            rankings[at] = _reordered(found, self._together(query, found, scores))
        return [ranking[:top] for ranking in rankings]

    def _with_seen(
        self,
        query: Query,
        kinds: Sequence[str],
        found: Ranking,
        gallery: Searchable,
        at: int,
        options: RankOptions,
    ) -> tuple[Ranking, int]:
        """What was found, and before it what else there is in which the clauses were seen to hold."""
        filters = narrowed(clauses_of(query), options.get("filters"), kinds)
        if filters is None:
            return found, self.checked
        own: RankOptions = {**options, "filters": filters}
        if (exclude := options.get("exclude")) is not None:
            own["exclude"] = [exclude[at]]
        [holding] = self.method.rank([query], gallery, top=self.checked, **own)
        first = dict(zip(found.ids[: self.checked], found.scores, strict=False))
        first |= zip(holding.ids, holding.scores, strict=True)
        ids = sorted(first, key=lambda id: -first[id])
        rest = [place for place in range(self.checked, len(found)) if found.ids[place] not in first]
        ids += [found.ids[place] for place in rest]
        scores = [*sorted(first.values(), reverse=True), *(float(found.scores[place]) for place in rest)]
        return Ranking(ids, np.asarray(scores, np.float32)), len(first)

    def _scores(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Vectors:
        """The clauses' score of each of these; of what only the method's own is about, by what was seen."""
        if to_check(query):
            [scores] = self.scorer.score([query], [ids], pictures)
            return scores
        return seen_alone(query, ids, pictures).scores()

    def _together(self, query: Query, ranking: Ranking, checked: Vectors) -> Vectors:
        """The clauses' scores with the method's own, which goes on telling where clauses no longer do."""
        own = np.asarray(ranking.scores[: len(checked)], np.float32)
        if self.method.believes and len(own) >= FEWEST:
            # Both are evidence: their logarithms add up. Among few pictures a belief is too sure of itself.
            surer = np.exp(own - own.max(initial=-np.inf))
            return np.asarray(surer * checked**self.scorer.evidence, np.float32)
        below = (own - own.max(initial=-np.inf)) / max(float(own.std()), _LEAST) if len(own) else own
        counts = self.scorer.own_beside(len(clauses_of(query)) - 1) if to_check(query) else _OWN
        together = np.asarray(checked * np.exp(counts * below), np.float32)
        if len(together) and not to_check(query):
            # The best has the score of what was seen in it, wherever the method's own best may be.
            together *= checked[together.argmax()] / together.max()
        return together

    def picture_share(self, query: Query) -> float | None:
        if not to_check(query):
            return self.method.picture_share(query)
        said = query.weighed or query.last
        return usual_share(query) if said.balance is None else said.balance

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return Checked(self.method.over(wrap), self.scorer, checked=self.checked)

    @property
    def explained_by(self) -> Method | None:
        return self.method.explained_by


def to_check(query: Query) -> bool:
    """Whether a query is a picture with words, and no more than that."""
    marked = any(turn.liked or turn.disliked for turn in query.turns)
    return not marked and any(turn.picture for turn in query.turns) and len(clauses_of(query)) > 1


def seen_for(query: Query, pictures: object) -> list[str]:
    """The kinds of marks that answer clauses of this query, where pictures have been looked at."""
    marked = getattr(pictures, "marked", None)
    said = (words for turn in query.turns for words in (turn.text, *turn.without))
    if marked is None or not any(map(may_ask, said)):
        return []
    return [kind for kind in kinds_asked(clauses_of(query)) if marked(kind)]


def seen_alone(query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
    """Only those clauses of a query that looking answers, in these pictures."""
    some = tuple(clause for clause in clauses_of(query) if kind_of(clause) is not None)
    blank = Checks(some, np.full((len(some), len(ids)), np.nan, np.float32))
    return looked_up(blank, ids, pictures)


def clause_scorer(method: Method) -> ClauseScorer | None:
    """The scorer by which a method checks clauses, behind whatever reranks them; None: it checks none."""
    checking = _checking(method)
    scorer = None if checking is None else checking.scorer
    return scorer if isinstance(scorer, ClauseScorer) else None


def ordered_by_clauses(method: Method, query: Query, searched: object = None) -> bool:
    """Whether clauses set the order of the best that the method finds for this query."""
    last = _uncut(method)
    if last is not _checking(method):
        return False
    return not isinstance(last, Checked) or to_check(query) or bool(seen_for(query, searched))


def finder(method: Method) -> Method:
    """What finds the candidates that clauses are checked in."""
    last = _checking(method) or _uncut(method)
    return last.method if isinstance(last, Rerank) else last


def _checking(method: Method) -> Rerank | None:
    """The last step of a method that checks clauses."""
    last = _uncut(method)
    while isinstance(last, Rerank) and not isinstance(last.scorer, ClauseScorer):
        last = _uncut(last.method)
    return last if isinstance(last, Rerank) else None


def _uncut(method: Method) -> Method:
    return _uncut(method.method) if isinstance(method, Cut) else method


def _reordered(ranking: Ranking, scores: Vectors) -> Ranking:
    """The ranking with its first candidates by their new scores, and the others below them."""
    count = len(scores)
    order = np.argsort(-scores, kind="stable")
    ids = [*(ranking.ids[at] for at in order), *ranking.ids[count:]]
    rest = np.asarray(ranking.scores[count:], np.float32)
    below = scores.min(initial=1) - 1 + rest - rest.max(initial=-1)
    return Ranking(ids, np.concatenate([scores[order], below]).astype(np.float32))
