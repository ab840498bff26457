"""What a method may ask of pictures, the same for a collection, a benchmark and an upload."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, runtime_checkable

import numpy as np

from circlet.core.errors import DataError
from circlet.core.marks import Mark, marks_of
from circlet.core.vectors import Vectors, same_space


@runtime_checkable
class Pictures(Protocol):
    """Pictures by id: their vectors, their spatial tokens, and the pictures themselves.

    What cannot be had (tokens of a gallery that is nothing but vectors) is an error that says so.
    """

    @property
    def fingerprint(self) -> str: ...

    def __contains__(self, id: object) -> bool: ...

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """One unit row per id, in their order."""
        ...

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """Spatial tokens, (ids, places, channels): what the encoder saw where."""
        ...

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself, upright and RGB; with `side`, no larger than needed for it."""
        ...


class Beside:
    """Several sources of pictures as one: the first that has a picture answers for it.

    >>> from circlet.core import Gallery
    >>> upload = Gallery(["new"], np.ones((1, 3), np.float32), "toy:1")
    >>> both = Beside(upload, Gallery(["a"], np.zeros((1, 3), np.float32), "toy:1"))
    >>> both.vectors_of(["a", "new"]).tolist()
    [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    """

    def __init__(self, *sources: Pictures) -> None:
        self.sources = sources
        self.fingerprint = sources[0].fingerprint
        for source in sources[1:]:
            same_space(self.fingerprint, source.fingerprint)

    def __contains__(self, id: object) -> bool:
        return any(id in source for source in self.sources)

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """One row per id, from the first source that has it."""
        return self._gathered(ids, "vectors_of")

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """The spatial tokens, from the first source that has the picture."""
        return self._gathered(ids, "tokens_of")

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself, from the first source that has it."""
        return self._source(id).open(id, side)

    def some_vectors(self, most: int = 1024) -> Vectors:
        """Vectors of the last source, which is what is searched; none where it does not say."""
        some = getattr(self.sources[-1], "some_vectors", None)
        return np.zeros((0, 0), np.float32) if some is None else np.asarray(some(most))

    def marks_of(self, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
        """What was seen in pictures of the last source, which is what is searched."""
        return marks_of(self.sources[-1], ids, kind)

    def _source(self, id: str) -> Pictures:
        return next((source for source in self.sources[:-1] if id in source), self.sources[-1])

    def _gathered(self, ids: Sequence[str], ask: str) -> Vectors:
        # Mostly the first has them all, and asking once is cheaper than asking about each.
        with suppress(DataError):
            return np.asarray(getattr(self.sources[0], ask)(ids))
        homes = [self._source(id) for id in ids]
        if all(home is homes[0] for home in homes):
            return np.asarray(getattr(homes[0] if homes else self.sources[0], ask)(ids))
        return np.concatenate([getattr(home, ask)([id]) for id, home in zip(ids, homes, strict=True)])


def beside(pictures: Pictures | None, gallery: Pictures) -> Pictures:
    """A query's own pictures with those that are searched, which answer for what the others lack."""
    return gallery if pictures is None or pictures is gallery else Beside(pictures, gallery)


def missing(wanted: Sequence[str], known: Collection[str]) -> DataError:
    """The error that names the first of the wanted ids that are not known."""
    gone = [id for id in dict.fromkeys(wanted) if id not in known]
    more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""
    return DataError(f"not in the gallery: {', '.join(gone[:5])}{more}")
