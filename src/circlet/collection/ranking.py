"""One query against the index: as many of the best as are needed, near-identical ones gathered."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from circlet.core import Composer, Contributions, Gallery, Lookup, Method, Query, Ranking, same_space
from circlet.images.duplicates import fold, looks_of
from circlet.index import Embedded, Filters

# A group: the best picture's id, its score, and the ids that are near-identical to it.
Group = tuple[str, float, tuple[str, ...]]


@dataclass(frozen=True)
class Ranked:
    """A query with all it needs to be ranked: the index, a method, its pictures, filters, exclusions."""

    store: Embedded
    method: Method
    query: Query
    pictures: Lookup
    filters: Filters | None
    gone: Collection[str]

    @property
    def in_the_encoders_space(self) -> bool:
        """Whether scores are cosines with the encoder's own vectors, which its cut-off was measured on."""
        probe = Gallery((), self.pictures.vectors_of(()), self.pictures.fingerprint)
        return isinstance(self.method, Composer) and self.method.project(probe) is probe

    @cached_property
    def _parts(self) -> Contributions:
        assert isinstance(self.method, Composer)
        return self.method.query_contributions([self.query], self.pictures)

    def cutoff(self, encoder: Any) -> float | None:
        """The score that a match for this query should reach, where the encoder was measured for it."""
        if not self.in_the_encoders_space:
            return None
        if any(label.kind in ("disliked", "passed over") for label in self._parts.labels):
            # Turning down a picture lowers the scores of all that resemble it, right ones too.
            return None
        # Ruling something out lowers every score alike: what is wanted sets the height to reach.
        wanted = self._parts.wanted()
        cutoffs = encoder.cutoffs(wanted) if hasattr(encoder, "cutoffs") else None
        return getattr(encoder, "cutoff", None) if cutoffs is None else float(cutoffs[0])

    def best(self, top: int) -> Ranking:
        """The best `top` ids.

        A composer that compares the gallery as it stands asks the index, which knows when an
        approximate search pays; everything else ranks the gallery itself.
        """
        space = self.pictures.fingerprint
        if isinstance(self.method, Composer) and self.in_the_encoders_space:
            same_space(self.method.fingerprint, space)
            return self.store.search(
                self._parts.sums(), space, top=top, filters=self.filters, exclude=[self.gone]
            )[0]
        gallery = self.store.gallery(space, self.filters)
        return self.method.rank([self.query], gallery, top=top, pictures=self.pictures, exclude=[self.gone])[
            0
        ]

    def groups(self, need: int, *, folded: bool) -> list[Group]:
        """The best `need` groups of near-identical pictures, or the best pictures one by one."""
        # Most collections have few copies: half as many again usually suffices, else ask for more.
        fetch = need + need // 2 if folded else need
        while True:
            ranking = self.best(fetch)
            if not folded:
                return [(id, score, ()) for id, score in ranking]
            hashes = [entry.hash for entry in self.store.entries(ranking.ids)]
            rows = fold(looks_of(self.store, ranking.ids), hashes, groups=need)
            if len(rows) >= need or len(ranking) < fetch:
                return [
                    (
                        ranking.ids[row[0]],
                        float(ranking.scores[row[0]]),
                        tuple(ranking.ids[i] for i in row[1:]),
                    )
                    for row in rows
                ]
            fetch *= 4
