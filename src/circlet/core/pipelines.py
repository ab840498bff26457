"""Methods made of methods: `a % 100` keeps the best, `>> scorer` reranks them, `a + b` fuses."""

from collections.abc import Callable, Sequence
from typing import Any, Unpack

import numpy as np

from circlet.core.errors import DataError, UsageError
from circlet.core.gallery import Gallery, Searchable
from circlet.core.methods import Composer, Method, RankOptions, Scorer
from circlet.core.pictures import Pictures, beside
from circlet.core.ranking import Ranking
from circlet.core.turns import Query
from circlet.core.vectors import Vectors, best

# More candidates than this are not reranked by accident: a cut says how many are meant.
MOST_RERANKED = 10_000


class _Ranked(Method):
    """A method that finds its best without scoring everything: a subclass says how in `rank`."""

    def score_all(self, queries: Sequence[Query], gallery: Searchable, **options: Any) -> Vectors:
        scores = np.full((len(queries), len(gallery)), -np.inf, np.float32)
        rankings = self.rank(queries, gallery, top=max(1, len(gallery)), **options)
        for row, ranking in zip(scores, rankings, strict=True):
            row[gallery.rows_among(ranking.ids)] = ranking.scores
        return scores

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        return self.score_all(queries, gallery, pictures=pictures)


class Cut(_Ranked):
    """`method % keep`: only the best `keep` stay candidates, found by a search for so many."""

    def __init__(self, method: Method, keep: int) -> None:
        if keep < 1:
            raise UsageError(f"a cut keeps at least one candidate, not {keep}")
        self.method = method
        self.keep = keep

    def __repr__(self) -> str:
        return f"{_operand(self.method, Fuse, Rerank)} % {self.keep}"

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """The best of the inner method, no more than `keep`."""
        return self.method.rank(queries, gallery, top=min(top, self.keep), **options)

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return Cut(self.method.over(wrap), self.keep)

    def picture_share(self, query: Query) -> float | None:
        return self.method.picture_share(query)

    @property
    def explained_by(self) -> Method | None:
        return self.method.explained_by


class Rerank(_Ranked):
    """`method >> scorer`: the scorer's word counts for whatever the method left as candidates.

    A method may stand in the scorer's place: `image % 100 >> text` puts the hundred pictures that
    look most alike into the order of the words.
    """

    def __init__(self, method: Method, scorer: Scorer | Method) -> None:
        self.method = method
        self.scorer = scorer.as_scorer() if isinstance(scorer, Method) else scorer

    def __repr__(self) -> str:
        return f"{self.method!r} >> {self.scorer!r}"

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """What the method keeps, in the scorer's order, with its probabilities where it has some."""
        kept = self.method.rank(queries, gallery, top=MOST_RERANKED + 1, **options)
        if any(len(ranking) > MOST_RERANKED for ranking in kept):
            raise UsageError(
                f"{self!r} would score more than {MOST_RERANKED:,} candidates one by one: cut first, as in "
                f"'{_operand(self.method, Fuse, Rerank)} % 100 >> {self.scorer!r}'"
            )
        known = beside(options.get("pictures"), gallery)
        rankings = []
        scored = self.scorer.score(queries, [one.ids for one in kept], known)
        for ranking, row in zip(kept, scored, strict=True):
            scores = np.asarray(row, np.float32)
            if scores.shape != (len(ranking),):
                raise DataError(f"{self.scorer!r} gave scores {scores.shape} for {len(ranking)} candidates")
            chosen = best(scores, top)
            likely = self.scorer.likely(scores[chosen])
            rankings.append(Ranking([ranking.ids[at] for at in chosen], scores[chosen], relevance=likely))
        return rankings

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return Rerank(self.method.over(wrap), self.scorer.over(wrap))


class MethodScorer(Scorer):
    """A method that scores the candidates of another, as if they were all there is."""

    def __init__(self, method: Method) -> None:
        self.method = method

    def __repr__(self) -> str:
        return _operand(self.method, Rerank)

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        """The method's scores over each query's own candidates."""
        scored = []
        for query, ids in zip(queries, candidates, strict=True):
            gallery = Gallery(ids, pictures.vectors_of(ids), pictures.fingerprint)
            scored.append(self.method.scores([query], gallery, pictures=pictures)[0])
        return scored

    def over(self, wrap: Callable[[Composer], Method]) -> Scorer:
        return MethodScorer(self.method.over(wrap))


class Fuse(Method):
    """`a + b`: each method's scores, standardised over its candidates, are added.

    A candidate that only one of them kept gets the other's worst standard score.
    """

    def __init__(self, *methods: Method) -> None:
        # Three that are added are added alike, however the brackets stand.
        flat: list[Method] = []
        for method in methods:
            flat += method.methods if isinstance(method, Fuse) else [method]
        self.methods: tuple[Method, ...] = tuple(flat)

    def __repr__(self) -> str:
        return " + ".join(_operand(method, Rerank) for method in self.methods)

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        return self.score_all(queries, gallery, pictures=pictures)

    def score_all(self, queries: Sequence[Query], gallery: Searchable, **options: Any) -> Vectors:
        parts = [method.score_all(queries, gallery, **options) for method in self.methods]
        known = np.any([part > -np.inf for part in parts], axis=0)
        fused = np.sum([_standard(part) for part in parts], axis=0, dtype=np.float32)
        return np.where(known, fused, np.float32(-np.inf))

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return Fuse(*(method.over(wrap) for method in self.methods))


def _operand(method: Method, *looser: type[Method]) -> str:
    """A method's repr inside a larger one, in brackets where an operator binds less than its neighbour."""
    return f"({method!r})" if isinstance(method, looser) else repr(method)


def _standard(scores: Vectors) -> Vectors:
    """Scores with mean 0 and deviation 1 in each row; what is no candidate gets the row's worst."""
    if not scores.shape[1]:
        return scores
    known = np.isfinite(scores)
    masked = np.ma.masked_array(scores, ~known)
    deviation = np.maximum(masked.std(axis=1, keepdims=True), 1e-9)
    standard = (masked - masked.mean(axis=1, keepdims=True)) / deviation
    return np.asarray(
        standard.filled(0) + np.where(known, 0, standard.min(axis=1, keepdims=True).filled(0)), np.float32
    )
