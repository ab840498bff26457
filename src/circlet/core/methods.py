"""Who composes, who scores, who ranks; the operators `%`, `>>` and `+` are in `pipelines`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np

from circlet.core.contributions import Contributions, Label
from circlet.core.filters import Filters
from circlet.core.gallery import Exclude, Gallery, Searchable
from circlet.core.pictures import Pictures, beside
from circlet.core.ranking import Ranking
from circlet.core.turns import Query, Turn
from circlet.core.vectors import Vectors, best, blocks, one_list_each, same_space

if TYPE_CHECKING:
    from circlet.core.pipelines import Cut, Fuse, Rerank


class RankOptions(TypedDict, total=False):
    """What a ranking may be told beside its depth: who knows the queries' pictures, and what is left out."""

    pictures: Pictures | None
    exclude: Exclude
    filters: Filters | None


class Method(ABC):
    """Ranks what can be searched. `method % 100` cuts, `>> scorer` reranks, `a + b` fuses.

    A method of one's own says in `scores` what each picture of a gallery is worth to each query;
    everything else follows from it.
    """

    # Whether scores are logarithms of a belief, to which other evidence is added.
    believes = False

    @abstractmethod
    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        """One row per query, one column per gallery id; minus infinity where it is no candidate.

        `pictures` knows the queries' own pictures; by default the gallery does.
        """

    def prepared(
        self, queries: Sequence[Query], gallery: Searchable, pictures: Pictures | None
    ) -> "Callable[[Gallery], Vectors]":
        """What scores the pieces of a gallery for these queries; what all pieces share is made once."""
        return lambda piece: self.scores(queries, piece, pictures=pictures or gallery)

    def score_all(
        self,
        queries: Sequence[Query],
        gallery: Searchable,
        *,
        pictures: Pictures | None = None,
        exclude: Exclude = None,
        filters: Filters | None = None,
    ) -> Vectors:
        """One row per query, one column per row of what is searched; minus infinity for what is out."""
        parts = []
        score = self.prepared(queries, gallery, pictures)
        for piece, counts in gallery.pieces(filters):
            part = score(piece)
            if counts is not None:
                part = np.where(counts, part, np.float32(-np.inf))
            parts.append(part)
        scores = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        if exclude is None:
            return scores
        # A copy: a method may hand out scores that it keeps.
        scores = np.array(scores)
        for row, gone in zip(scores, exclude, strict=True):
            if gone:
                row[gallery.rows_among(gone)] = -np.inf
        return scores

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """The best `top` for each query, less the ids that query excludes (see `RankOptions`)."""
        rankings = []
        exclude = options.get("exclude")
        if exclude is not None:
            one_list_each(queries, exclude)
        with gallery.snapshot() as still:
            for part in blocks(len(queries), len(still)):
                some: RankOptions = {**options, "exclude": exclude[part] if exclude else None}
                scores = self.score_all(queries[part], still, **some)
                for row in scores:
                    chosen = best(row, top)
                    rankings.append(Ranking(still.ids_at(chosen), row[chosen]))
        return rankings

    def over(self, wrap: "Callable[[Composer], Method]") -> "Method":
        """The same method with every composer in it wrapped: how a history comes into a pipeline."""
        return self

    def picture_share(self, query: Query) -> float | None:
        """The picture's share against the words that is in force; None where a balance changes nothing.

        It is where a query's `balance` begins: said outright, it gives the same ranking.
        """
        return None

    def as_scorer(self) -> "Scorer":
        """The method in a scorer's place, as behind `>>`: what it makes of another's candidates."""
        from circlet.core.pipelines import MethodScorer

        return MethodScorer(self)

    @property
    def explained_by(self) -> "Method | None":
        """What makes the scores of named `parts`, where something does: then they can be taken apart."""
        return None

    def parts(
        self, query: Query, candidates: Gallery, pictures: Pictures
    ) -> "tuple[tuple[Label, ...], Vectors]":
        """What each part of a query brought to each candidate's score, (parts, candidates)."""
        scores = self.scores([query], candidates, pictures=pictures)
        return (Label("turn", query.last.text, len(query.turns)),), scores

    def __repr__(self) -> str:
        # Never an address of memory: a run says by this what made it.
        return f"{type(self).__name__}()"

    def __mod__(self, keep: int) -> "Cut":
        from circlet.core.pipelines import Cut

        return Cut(self, keep)

    def __rshift__(self, scorer: "Scorer | Method") -> "Rerank":
        from circlet.core.pipelines import Rerank

        return Rerank(self, scorer)

    def __add__(self, other: "Method") -> "Fuse":
        from circlet.core.pipelines import Fuse

        return Fuse(self, other)


class Composer(Method):
    """Queries to vectors in the gallery's space; ranking is then one matrix product.

    A composer says what one turn means (`turns`); how the turns of a history join is another
    composer's business (see `circlet.dialogue`), and by itself the last turn speaks.
    """

    fingerprint: str
    # Whether a turn's picture may be any vector of the space, as what a session has reached is.
    joins_vectors = False
    # Whether it compares pictures in a space of its own, into which `project` takes a gallery.
    projects = False

    @abstractmethod
    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        """One unit row per turn."""

    def compose(self, queries: Sequence[Query], pictures: Pictures) -> Vectors:
        """One unit row per query."""
        return self.turns([query.last for query in queries], pictures)

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        """What each turn's vector is made of; a composer that cannot tell names the whole turn."""
        labels = [(row, Label("turn", turn.text)) for row, turn in enumerate(turns)]
        return Contributions.of(len(turns), labels, self.turns(turns, pictures))

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        """What each query's vector is made of: its sums are what `compose` gives."""
        parts = self.contributions([query.last for query in queries], pictures)
        numbers = [len(query.turns) for query in queries]
        return parts.regroup(len(queries), np.arange(len(queries)), numbers)

    def project(self, gallery: Gallery) -> Gallery:
        """The gallery as this composer compares it: a learned projection, or as it is."""
        return gallery

    def share(self, turn: Turn) -> float | None:
        """The picture's share in one turn of a picture with words; None where a balance changes nothing."""
        return None

    def picture_share(self, query: Query) -> float | None:
        return self.share(query.last) if query.last.both else None

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        same_space(self.fingerprint, gallery.fingerprint)
        composed = self.compose(queries, beside(pictures, gallery))
        return composed @ self.project(gallery).vectors.T

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """The best `top` for each query: a search by vector, which a store knows how to make fast."""
        if self.projects:
            return super().rank(queries, gallery, top=top, **options)
        same_space(self.fingerprint, gallery.fingerprint)
        parts = self.query_contributions(queries, beside(options.get("pictures"), gallery))
        rankings = gallery.search(
            parts.sums(), top=top, filters=options.get("filters"), exclude=options.get("exclude")
        )
        for ranking, wanted in zip(rankings, parts.calibrated(), strict=True):
            ranking.wanted = wanted
        return rankings

    def over(self, wrap: "Callable[[Composer], Method]") -> Method:
        return wrap(self)

    @property
    def explained_by(self) -> "Method | None":
        return self

    def parts(
        self, query: Query, candidates: Gallery, pictures: Pictures
    ) -> "tuple[tuple[Label, ...], Vectors]":
        same_space(self.fingerprint, candidates.fingerprint)
        parts = self.query_contributions([query], pictures)
        return parts.labels, parts.rows @ self.project(candidates).vectors.T


class Scorer(ABC):
    """Scores candidates against a query, one pair at a time: slower than a composer, and finer."""

    @abstractmethod
    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        """For each query one score per candidate, in the candidates' order.

        `pictures` knows the candidates as well as the queries' own pictures.
        """

    def likely(self, scores: Vectors) -> Vectors | None:
        """The probability that candidates of these scores answer their query; None where none was fitted."""
        return None

    def over(self, wrap: Callable[[Composer], Method]) -> "Scorer":
        """The same scorer with every composer in it wrapped."""
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"
