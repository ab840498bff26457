"""A method whose best candidates are checked clause by clause, where there is something to check."""

from collections.abc import Callable, Sequence
from typing import Unpack

import numpy as np

from circlet.core import (
    Composer,
    Cut,
    Method,
    Query,
    Ranking,
    RankOptions,
    Rerank,
    Searchable,
    Vectors,
    beside,
)
from circlet.models.scorers.clauses import ClauseScorer, clauses_of, usual_share

_LEAST = 1e-6
# So many candidates are checked; those after them stay in the method's own order.
CHECKED = 200


class Checked(Rerank):
    """`method % 200 >> clauses`, followed by the rest, for queries of a picture with words.

    Words alone, or a picture alone, are what the method's own scores are about. So is a history with
    likes and dislikes, which no clause speaks of.
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
        several = [at for at, query in enumerate(queries) if to_check(query)]
        firsts = [rankings[at].ids[: self.checked] for at in several]
        scored = self.scorer.score(
            [queries[at] for at in several], firsts, beside(options.get("pictures"), gallery)
        )
        for at, scores in zip(several, scored, strict=True):
            rankings[at] = _reordered(rankings[at], self._together(rankings[at], scores))
        return [ranking[:top] for ranking in rankings]

    def _together(self, ranking: Ranking, checked: Vectors) -> Vectors:
        """The clauses' scores with the method's own, which goes on telling where clauses no longer do."""
        own = np.asarray(ranking.scores[: len(checked)], np.float32)
        if self.method.believes:
            # Both are evidence: their logarithms add up.
            surer = np.exp(own - own.max(initial=-np.inf))
            return np.asarray(surer * checked**self.scorer.evidence, np.float32)
        below = (own - own.max(initial=-np.inf)) / max(float(own.std()), _LEAST) if len(own) else own
        return np.asarray(checked * np.exp(self.scorer.own * below), np.float32)

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


def clause_scorer(method: Method) -> ClauseScorer | None:
    """The scorer by which a method checks clauses; None where it checks none."""
    last = _uncut(method)
    scorer = last.scorer if isinstance(last, Rerank) else None
    return scorer if isinstance(scorer, ClauseScorer) else None


def ordered_by_clauses(method: Method, query: Query) -> bool:
    """Whether clauses set the order of the best that the method finds for this query."""
    return clause_scorer(method) is not None and (not isinstance(_uncut(method), Checked) or to_check(query))


def finder(method: Method) -> Method:
    """What finds the candidates that clauses are checked in."""
    last = _uncut(method)
    return last.method if isinstance(last, Rerank) else last


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
