"""Who encodes, who composes, who ranks; and the three operators `%`, `>>` and `+`."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from circlet.core.contributions import Contributions, Label
from circlet.core.errors import UsageError
from circlet.core.gallery import Gallery, Lookup, same_space
from circlet.core.ranking import Ranking
from circlet.core.turns import Query, Turn
from circlet.core.vectors import Vectors, best, blocks


@runtime_checkable
class Encoder(Protocol):
    """Pictures or words to unit-length float32 rows of one space, named by its fingerprint."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def images(self, pictures: Sequence[Any]) -> Vectors:
        """One row per picture (Pillow images)."""
        ...

    def texts(self, words: Sequence[str]) -> Vectors:
        """One row per text."""
        ...


class Method(ABC):
    """Ranks a gallery for queries. `method % 100` cuts, `>> scorer` reranks, `a + b` fuses."""

    @abstractmethod
    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Lookup | None = None
    ) -> Vectors:
        """One row per query, one column per gallery id; minus infinity where it is no candidate.

        `pictures` finds the vectors of the queries' own pictures; by default the gallery does.
        """

    def rank(
        self,
        queries: Sequence[Query],
        gallery: Gallery,
        *,
        top: int = 50,
        pictures: Lookup | None = None,
        exclude: Sequence[Collection[str]] | None = None,
    ) -> list[Ranking]:
        """The best `top` of the gallery for each query, less the ids that query excludes."""
        rankings = []
        for part in blocks(len(queries), len(gallery)):
            scores = self.scores(queries[part], gallery, pictures=pictures)
            for offset, row in enumerate(scores, start=part.start):
                gone = [id for id in exclude[offset] if id in gallery] if exclude else []
                row[gallery.rows_of(gone)] = -np.inf
                chosen = best(row, top)
                rankings.append(Ranking([gallery.ids[i] for i in chosen], row[chosen]))
        return rankings

    def __mod__(self, keep: int) -> "Cut":
        return Cut(self, keep)

    def __rshift__(self, scorer: "Scorer") -> "Rerank":
        return Rerank(self, scorer)

    def __add__(self, other: "Method") -> "Fuse":
        return Fuse(self, other)


class Composer(Method):
    """Queries to vectors in the gallery's space; ranking is then one matrix product.

    A composer says what one turn means (`turns`); how the turns of a history join is another
    composer's business (see `circlet.dialogue`), and by itself the last turn speaks.
    """

    fingerprint: str
    # Whether a turn's picture may be any vector of the space, as what a session has reached is.
    joins_vectors = False

    @abstractmethod
    def turns(self, turns: Sequence[Turn], pictures: Lookup) -> Vectors:
        """One unit row per turn."""

    def compose(self, queries: Sequence[Query], pictures: Lookup) -> Vectors:
        """One unit row per query."""
        return self.turns([query.last for query in queries], pictures)

    def contributions(self, turns: Sequence[Turn], pictures: Lookup) -> Contributions:
        """What each turn's vector is made of; a composer that cannot tell names the whole turn."""
        labels = [(row, Label("turn", turn.text)) for row, turn in enumerate(turns)]
        return Contributions.of(len(turns), labels, self.turns(turns, pictures))

    def query_contributions(self, queries: Sequence[Query], pictures: Lookup) -> Contributions:
        """What each query's vector is made of: its sums are what `compose` gives."""
        parts = self.contributions([query.last for query in queries], pictures)
        numbers = [len(query.turns) for query in queries]
        return parts.regroup(len(queries), np.arange(len(queries)), numbers)

    def project(self, gallery: Gallery) -> Gallery:
        """The gallery as this composer compares it: a learned projection, or as it is."""
        return gallery

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Lookup | None = None
    ) -> Vectors:
        same_space(self.fingerprint, gallery.fingerprint)
        composed = self.compose(queries, pictures or gallery)
        return composed @ self.project(gallery).vectors.T


class Scorer(ABC):
    """Scores candidates against a query, one pair at a time: slower than a composer, and finer."""

    @abstractmethod
    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Lookup
    ) -> list[Vectors]:
        """For each query one score per candidate, in the candidates' order."""


class Cut(Method):
    """`method % keep`: only the best `keep` stay candidates."""

    def __init__(self, method: Method, keep: int) -> None:
        if keep < 1:
            raise UsageError(f"a cut keeps at least one candidate, not {keep}")
        self.method = method
        self.keep = keep

    def __repr__(self) -> str:
        return f"{self.method!r} % {self.keep}"

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Lookup | None = None
    ) -> Vectors:
        scores = self.method.scores(queries, gallery, pictures=pictures)
        kept = np.full_like(scores, -np.inf)
        for row, out in zip(scores, kept, strict=True):
            chosen = best(row, self.keep)
            out[chosen] = row[chosen]
        return kept


class Rerank(Method):
    """`method >> scorer`: the scorer's word counts for whatever the method left as candidates."""

    def __init__(self, method: Method, scorer: Scorer) -> None:
        self.method = method
        self.scorer = scorer

    def __repr__(self) -> str:
        return f"{self.method!r} >> {self.scorer!r}"

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Lookup | None = None
    ) -> Vectors:
        scores = self.method.scores(queries, gallery, pictures=pictures)
        rows = [np.flatnonzero(row > -np.inf) for row in scores]
        candidates = [[gallery.ids[i] for i in chosen] for chosen in rows]
        for row, chosen, new in zip(
            scores, rows, self.scorer.score(queries, candidates, pictures or gallery), strict=True
        ):
            row[chosen] = new
        return scores


class Fuse(Method):
    """`a + b`: each method's scores, standardised over its candidates, are added.

    A candidate that only one of them kept gets the other's worst standard score.
    """

    def __init__(self, *methods: Method) -> None:
        self.methods = methods

    def __repr__(self) -> str:
        return " + ".join(map(repr, self.methods))

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Lookup | None = None
    ) -> Vectors:
        parts = [method.scores(queries, gallery, pictures=pictures) for method in self.methods]
        known = np.any([part > -np.inf for part in parts], axis=0)
        fused = np.sum([_standard(part) for part in parts], axis=0, dtype=np.float32)
        return np.where(known, fused, np.float32(-np.inf))


def _standard(scores: Vectors) -> Vectors:
    """Scores with mean 0 and deviation 1 in each row; what is no candidate gets the row's worst."""
    known = np.isfinite(scores)
    masked = np.ma.masked_array(scores, ~known)
    deviation = np.maximum(masked.std(axis=1, keepdims=True), 1e-9)
    standard = (masked - masked.mean(axis=1, keepdims=True)) / deviation
    return np.asarray(
        standard.filled(0) + np.where(known, 0, standard.min(axis=1, keepdims=True).filled(0)), np.float32
    )
