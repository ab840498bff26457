"""The right one of a few: a burst, a folder or a video, ordered by what is said of the one that is meant."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

from circlet.collection.checking import told
from circlet.collection.results import Check, Hit, Results
from circlet.core import (
    Gallery,
    Method,
    PictureEncoder,
    PictureError,
    Pictures,
    Query,
    Turn,
    UsageError,
    Vectors,
)
from circlet.images import FoundFile, open_picture, probe, thumbnail, walk
from circlet.images.bursts import bursts, times_of
from circlet.images.duplicates import tiny_copy
from circlet.images.films import moves, open_film
from circlet.images.moments import at, file_of, moment_of
from circlet.models.encoding import Passed, Reading, encode_all
from circlet.models.scorers.clauses import Checks
from circlet.models.scorers.untrained import UntrainedClauses

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection.collection import Collection

# More pictures are no choice among a few: they are searched.
MOST = 4_000
# Larger than this nobody looks at one of a few.
_LARGE = 1280


def pick(
    sources: Sequence[Path], words: str, encoder: PictureEncoder, *, method: Method | None = None
) -> tuple[Results, list[str]]:
    """The pictures of these files, folders and videos, the likeliest first, and why others could not be read.

    A `method` that was trained to tell a few apart puts them in order instead, and says why if it can.

    >>> results, skipped = pick([Path("burst")], "her eyes are open", encoder)    # doctest: +SKIP
    >>> results.hits[0].path                                                      # doctest: +SKIP
    """
    few = Few.read(sources, encoder)
    if method is not None:
        return _by(method, few, words, encoder), few.skipped
    return ordered(few.ids, few.vectors, words, encoder, _small), few.skipped


@runtime_checkable
class Reasoning(Protocol):
    """A method that says which parts of a description hold in each of a few pictures."""

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures, *, in_time: bool = False) -> Checks:
        """Each part in each picture."""
        ...


class _Opened(Gallery):
    """Pictures that can be opened again, from their files and films."""

    def open(self, id: str, side: int | None = None) -> "Image":
        return _small(id, side or _LARGE)


def _by(method: Method, few: "Few", words: str, encoder: PictureEncoder) -> Results:
    """The pictures in a method's order; frames of one film are told to be in the order of time."""
    films = {file_of(id) for id in few.ids if moment_of(id)}
    in_time = len(films) == 1 and all(moment_of(id) for id in few.ids)
    shown = _Opened(few.ids, few.vectors, encoder.fingerprint, in_time=in_time)
    query = Query("pick") + Turn(text=words)
    scores = method.scores([query], shown, pictures=shown)[0]
    checks = told(
        method.check(query, few.ids, shown, in_time=in_time)
        if isinstance(method, Reasoning)
        else UntrainedClauses(encoder).check(query, few.ids, shown)
    )
    return _hits(query, few.ids, scores, checks, _small)


def pick_of_each(
    sources: Sequence[Path], words: str, encoder: PictureEncoder
) -> tuple[list[Results], list[str]]:
    """The same for each burst among these pictures, in the order of time; `images.bursts` says what one is.

    >>> found, skipped = pick_of_each([Path("holidays")], "everybody looks up", encoder)   # doctest: +SKIP
    >>> [results.hits[0].path for results in found]                                        # doctest: +SKIP
    """
    few = Few.read(sources, encoder)
    groups = bursts(few.copies, times_of(few.ids, [_taken(id) for id in few.ids]))
    return [
        ordered([few.ids[row] for row in rows], few.vectors[rows], words, encoder, _small) for rows in groups
    ], few.skipped


def pick_among(collection: "Collection", ids: Sequence[str], words: str) -> Results:
    """Pictures of a collection, the likeliest first, by the vectors that its index holds.

    Without words they stay in the order they came in.
    """
    encoder = collection.encoder
    vectors = collection.store.space(encoder.fingerprint).vectors_of(ids)
    return ordered(ids, vectors, words, encoder, collection.thumbnail)


def ordered(
    ids: Sequence[str],
    vectors: Vectors,
    words: str,
    encoder: PictureEncoder,
    thumbnail: "Callable[[str, int], Image] | None" = None,
) -> Results:
    """These pictures by how each stands out among the others in what the words say of it.

    >>> from circlet.models.encoders.base import complete
    >>> from circlet.testing import ToyEncoder
    >>> toy, seen = complete(ToyEncoder()), ["dog", "dog night", "dog people"]
    >>> ordered(seen, toy.images(seen), "at night", toy).ids[0]
    'dog night'
    """
    from circlet.models.scorers.among import among

    if not words.strip():
        return Results(Query("pick"), tuple(Hit(rank, 0.0, id) for rank, id in enumerate(ids, start=1)))
    query = Query("pick") + Turn(text=words)
    scores = among(query, vectors, encoder)
    checks = told(UntrainedClauses(encoder).check(query, ids, Gallery(ids, vectors, encoder.fingerprint)))
    return _hits(query, ids, scores, checks, thumbnail)


def _hits(
    query: Query,
    ids: Sequence[str],
    scores: Vectors,
    checks: Sequence[tuple[Check, ...]],
    thumbnail: "Callable[[str, int], Image] | None",
) -> Results:
    order = np.lexsort((np.arange(len(ids)), -scores))
    hits = tuple(
        Hit(rank, float(scores[row]), ids[row], checks=checks[row]) for rank, row in enumerate(order, start=1)
    )
    return Results(query, hits, thumbnail=thumbnail)


@dataclass(frozen=True)
class Few:
    """Pictures that were read to be picked from, their tiny copies, and why others could not be read."""

    ids: list[str]
    vectors: Vectors
    copies: Vectors
    skipped: list[str]

    @classmethod
    def read(cls, sources: Sequence[Path], encoder: PictureEncoder) -> "Few":
        """Every picture of these files and folders, each once, and frames of what moves."""
        few = cls([], np.empty((0, 0), np.float32), np.empty((0, 0), np.float32), [])
        vectors: list[Vectors] = []
        copies: list[Vectors] = []

        def read(look: _Look) -> Reading:
            picture = look.frame or open_picture(Path(look.id), side=encoder.size)
            return Reading(tiny_copy(picture), encoder.prepare(picture))

        for batch in encode_all(_looks(sources, encoder.size, few.skipped), read, encoder):
            if isinstance(batch, Passed):
                few.skipped.append(str(batch.outcome))
                continue
            assert batch.vectors is not None
            few.ids.extend(look.id for look in batch.sources)
            copies.extend(reading.about for reading in batch.readings)
            vectors.append(batch.vectors)
            if len(few.ids) > MOST:
                raise UsageError(f"more than {MOST:,} pictures to pick from: index them and search instead")
        if len(few.ids) < 2:
            there = "one picture alone" if few.ids else "no picture"
            raise UsageError(f"{there} that can be read: give two or more to pick from, a folder, or a video")
        return replace(few, vectors=np.concatenate(vectors), copies=np.stack(copies))


class _Look(NamedTuple):
    """A picture to be read; a frame of what moves is there already."""

    id: str
    frame: "Image | None" = None


def _taken(id: str) -> datetime | None:
    """When its camera took a picture; a frame of what moves has no time of its own."""
    if moment_of(id):
        return None
    with suppress(PictureError):
        return probe(Path(id)).taken
    # It was there a moment ago.
    return None


def _small(id: str, side: int) -> "Image":
    return thumbnail(Path(id), side)


def _looks(sources: Sequence[Path], side: int, skipped: list[str]) -> Iterator[_Look]:
    """Every picture there is to read, each once, and frames of what moves."""
    seen: set[Path] = set()
    for source in sources:
        found = [source]
        if source.is_dir():
            found = []
            for item in walk(source, video=True):
                if isinstance(item, FoundFile):
                    found.append(item.path)
                else:
                    skipped.append(f"{item.path}: {item.reason}")
        for path in found:
            if path not in seen:
                seen.add(path)
                yield from _looks_at(path, side, skipped)


def _looks_at(path: Path, side: int, skipped: list[str]) -> Iterator[_Look]:
    if not moves(path):
        yield _Look(str(path))
        return
    try:
        with open_film(path) as film:
            for seconds, picture in film.looks(side):
                yield _Look(at(path, seconds), picture)
    except PictureError as error:
        skipped.append(str(error))
