"""The right one of a few: a burst, a folder or a video, ordered by what is said of the one that is meant."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from circlet.collection.checking import told
from circlet.collection.results import Hit, Results
from circlet.core import Gallery, PictureEncoder, PictureError, Prepared, Query, Turn, UsageError
from circlet.images import FoundFile, open_picture, thumbnail, walk
from circlet.images.films import moves, open_film
from circlet.images.moments import at

if TYPE_CHECKING:
    from PIL.Image import Image

# More pictures are no choice among a few: they are searched.
MOST = 4_000


def pick(sources: Sequence[Path], words: str, encoder: PictureEncoder) -> tuple[Results, list[str]]:
    """The pictures of these files, folders and videos, the likeliest first, and why others could not be read.

    >>> results, skipped = pick([Path("burst")], "her eyes are open", encoder)    # doctest: +SKIP
    >>> results.hits[0].path                                                      # doctest: +SKIP
    """
    from circlet.models.scorers.among import among
    from circlet.models.scorers.untrained import UntrainedClauses

    skipped: list[str] = []
    ids: list[str] = []
    ready: list[Prepared] = []
    for id, picture in _opened(sources, encoder.size, skipped):
        ids.append(id)
        ready.append(encoder.prepare(picture))
        if len(ids) > MOST:
            raise UsageError(f"more than {MOST:,} pictures to pick from: index them and search instead")
    if len(ids) < 2:
        there = "one picture alone" if ids else "no picture"
        raise UsageError(f"{there} that can be read: give two or more to pick from, a folder, or a video")
    vectors = np.concatenate(
        [encoder.encode_prepared(np.stack(ready[start : start + 32])) for start in range(0, len(ready), 32)]
    )
    query = Query("pick") + Turn(text=words)
    scores = among(query, vectors, encoder)
    checks = told(UntrainedClauses(encoder).check(query, ids, Gallery(ids, vectors, encoder.fingerprint)))
    order = np.lexsort((np.arange(len(ids)), -scores))
    hits = tuple(
        Hit(rank, float(scores[row]), ids[row], checks=checks[row]) for rank, row in enumerate(order, start=1)
    )
    return Results(query, hits, thumbnail=lambda id, side: thumbnail(Path(id), side)), skipped


def _opened(sources: Sequence[Path], side: int, skipped: list[str]) -> "Iterator[tuple[str, Image]]":
    """Every picture that can be opened, each once, and frames of what moves."""
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
            if path in seen:
                continue
            seen.add(path)
            try:
                yield from _pictures(path, side)
            except PictureError as error:
                skipped.append(str(error))


def _pictures(path: Path, side: int) -> "Iterator[tuple[str, Image]]":
    if not moves(path):
        yield str(path), open_picture(path, side=side)
        return
    with open_film(path) as film:
        for seconds, picture in film.looks(side):
            yield at(path, seconds), picture
