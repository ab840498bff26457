"""Methods and galleries small enough to follow by hand."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from circlet.core import (
    Composer,
    Filters,
    Flags,
    Gallery,
    Method,
    Pictures,
    Query,
    Ranking,
    Scorer,
    Turn,
    Vectors,
)
from circlet.testing import ToyEncoder


def ask(picture: str) -> list[Query]:
    return [Query("q", (Turn(picture=picture),))]


class Same(Composer):
    """The query is its last turn's picture."""

    def __init__(self, fingerprint: str = "toy:1") -> None:
        self.fingerprint = fingerprint

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return pictures.vectors_of([turn.picture or "" for turn in turns])


class Said(Composer):
    """The query is its last turn's words."""

    fingerprint = ToyEncoder.fingerprint

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return ToyEncoder().texts([turn.text for turn in turns])


class Given(Method):
    """Scores as they are written down, `Given(a=3, b=1)`; what is not named is no candidate."""

    def __init__(self, **scores: float) -> None:
        self.given = scores

    def __repr__(self) -> str:
        return f"Given({', '.join(f'{id}={score}' for id, score in self.given.items())})"

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        row = [self.given.get(id, -np.inf) for id in gallery.ids]
        return np.array([row] * len(queries), np.float32)


class Longest(Scorer):
    """The longest name first; keeps what it was asked to score."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        self.seen += [list(ids) for ids in candidates]
        return [np.array([len(id) for id in ids], np.float32) for ids in candidates]


class Watched(Gallery):
    """A gallery that keeps what it was asked for."""

    def __init__(self, gallery: Gallery) -> None:
        super().__init__(gallery.ids, gallery.vectors, gallery.fingerprint)
        self.searched_for: list[int] = []
        self.walked = 0

    def search(self, vectors: Vectors, *, top: int = 50, **options: Any) -> list[Ranking]:
        self.searched_for.append(top)
        return super().search(vectors, top=top, **options)

    def pieces(self, filters: Filters | None = None) -> Iterator[tuple[Gallery, Flags | None]]:
        self.walked += 1
        yield from super().pieces(filters)


class Shelves(Gallery):
    """A gallery that comes in pieces of two; a folder is what the names of its pictures begin with."""

    def __init__(self, gallery: Gallery) -> None:
        super().__init__(gallery.ids, gallery.vectors, gallery.fingerprint)

    def pieces(self, filters: Filters | None = None) -> Iterator[tuple[Gallery, Flags | None]]:
        folder = filters.folder if filters else None
        for start in range(0, len(self), 2):
            piece = self.subset(self.ids[start : start + 2])
            yield piece, np.array([id.startswith(folder) for id in piece.ids]) if folder else None
