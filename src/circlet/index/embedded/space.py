"""One encoder's vectors in an embedded store, as something that can be searched."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from circlet.core import BusyError, DataError, Filters, Gallery, Ranking, Vectors, missing
from circlet.core.gallery import SOME, Exclude, Flags, Rows, spaced
from circlet.core.marks import Mark
from circlet.core.vectors import checked_queries
from circlet.images import open_picture
from circlet.index.embedded.catalogue import Connection, among
from circlet.index.embedded.marks import marks_among
from circlet.index.embedded.stored_gallery import StoredGallery
from circlet.index.embedded.view import SHAPES, View
from circlet.index.values import Tally

if TYPE_CHECKING:
    from circlet.index.embedded.embedded import Embedded

# Rows of one piece: few enough that its names and scores take a few MB.
PIECE = 65_536
# By path first, where SQLite would go through all rows.
_BY_PATH = (
    "SELECT path, row FROM pictures CROSS JOIN rows ON picture = pictures.id WHERE space = ? AND path IN (?)"
)
_BY_ROW = "SELECT row, path FROM rows JOIN pictures ON pictures.id = picture WHERE space = ?"


class EmbeddedSpace:
    """The pictures that have this encoder's vector. Every call sees the store as it is at that moment;
    within `snapshot` all of them see the same one.
    """

    def __init__(self, store: "Embedded", fingerprint: str) -> None:
        self._store = store
        self.fingerprint = fingerprint

    def __repr__(self) -> str:
        return f"{self._store!r}.space({self.fingerprint!r})"

    @contextmanager
    def snapshot(self) -> Iterator["EmbeddedSpace"]:
        """The same space, in which nothing changes for this thread while the context is open."""
        with self._store.reading():
            yield self

    @contextmanager
    def _now(self) -> Iterator[tuple[Connection, View]]:
        with self._store.reading() as db:
            yield db, self._store.view(db, self.fingerprint)

    def __len__(self) -> int:
        with self._now() as (_, view):
            return len(view.vectors)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(self._store.having([id], self.fingerprint))

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The vectors of these pictures, in their order, without loading the others' names."""
        with self._now() as (db, view):
            rows = dict(among(db, _BY_PATH, list(ids), view.space))
            try:
                return view.vectors[[rows[id] for id in ids]]
            except KeyError:
                raise missing(ids, rows) from None

    def marks_of(self, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
        """What was seen in these pictures, as far as anybody looked."""
        with self._store.reading() as db:
            return marks_among(db, ids, kind)

    def marked(self, kind: str) -> int:
        """How many pictures of the store have a mark of this kind."""
        return self._store.marked(kind)

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """Spatial tokens, which a store does not keep."""
        raise DataError("an index keeps no spatial tokens: ask the collection, whose encoder makes them")

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself, from its file."""
        return open_picture(Path(id), side=side)

    def search(
        self, vectors: Vectors, *, top: int = 50, filters: Filters | None = None, exclude: Exclude = None
    ) -> list[Ranking]:
        """The `top` best pictures for each query row, by inner product.

        `exclude` names, for each query, the pictures that it does not want to see.
        """
        with self._now() as (db, view):
            queries = checked_queries(vectors, view.vectors.shape[1], exclude)
            listed = exclude or [()] * len(queries)
            rows = dict(among(db, _BY_PATH, list({id for ids in listed for id in ids}), view.space))
            gone = [np.array([rows[id] for id in ids if id in rows], np.intp) for ids in listed]
            way = self._store.way(view)
            best = way(view.vectors, queries, top=top, mask=view.mask(db, filters), exclude=gone)
            # A set and not np.unique, whose first call loads numpy.ma: a tenth of a one-shot search.
            names = self._names(db, view, {row for chosen, _ in best for row in chosen.tolist()})
            return [Ranking([names[row] for row in chosen.tolist()], scores) for chosen, scores in best]

    def pieces(self, filters: Filters | None = None) -> Iterator[tuple[Gallery, Flags | None]]:
        """Every row in order, a bounded number at a time, with the flags of those that count."""
        with self._now() as (db, view):
            mask = view.mask(db, filters)
            pieces = view.pieces or self._cut(view)
        for number, piece in enumerate(pieces):
            counts = mask[number * PIECE : (number + 1) * PIECE]
            yield piece, None if counts.all() else counts

    def _cut(self, view: View) -> Sequence[Gallery]:
        """The view's rows as galleries; kept with it, so that what is learned of one is learned once."""
        pieces = [
            StoredGallery(
                view.vectors[start : start + PIECE], self.fingerprint, partial(self._named, view, start)
            )
            for start in range(0, max(1, len(view.vectors)), PIECE)
        ]
        # All at once: threads share a view, and another may be cutting it too.
        view.pieces[:] = pieces
        return pieces

    def _named(self, view: View, start: int) -> list[str]:
        with self._now() as (db, now):
            if now.file != view.file:
                raise BusyError("the index was rewritten in the middle of a search: search again")
            stop = min(start + PIECE, len(view.vectors))
            names = [""] * (stop - start)
            query = f"{_BY_ROW} AND row >= ? AND row < ?"
            for row, path in db.execute(query, (view.space, start, stop)):
                names[row - start] = path
            return names

    def ids_at(self, rows: Rows) -> list[str]:
        """The paths at these rows."""
        with self._now() as (db, view):
            names = self._names(db, view, set(rows.tolist()))
            return [names[row] for row in rows.tolist()]

    def some_vectors(self, most: int = SOME) -> Vectors:
        """Vectors spread evenly over the rows, `most` at most."""
        with self._now() as (_, view):
            return spaced(view.vectors, most)

    def rows_among(self, ids: Collection[str]) -> Rows:
        """The rows of those of these pictures that are here, in their order."""
        with self._now() as (db, view):
            rows = dict(among(db, _BY_PATH, list(ids), view.space))
            return np.array([rows[id] for id in ids if id in rows], np.intp)

    def count(self, filters: Filters | None = None) -> int:
        """How many pictures pass the filters."""
        with self._now() as (db, view):
            return view.live if not filters else int(np.count_nonzero(view.mask(db, filters)))

    def sample(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures to look through, spread over all that pass: each once, the same on every call."""
        with self._now() as (db, view):
            rows = np.flatnonzero(view.mask(db, filters))
            count = len(rows)
            # Steps of about 0.618 of the whole never fall close together, and each picture comes once.
            step = next((step for step in range(int(count * 0.618), count) if gcd(step, count) == 1), 1)
            chosen = [int(rows[at * step % count]) for at in range(start, min(start + top, count))]
            names = self._names(db, view, set(chosen))
            return [names[row] for row in chosen]

    def newest(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures that pass, by when they were taken (or their file's time), the latest first."""
        with self._now() as (db, view):
            rows = np.flatnonzero(view.mask(db, filters))
            latest = rows[np.argsort(-view.column(db, "moment")[rows], kind="stable")][start : start + top]
            names = self._names(db, view, set(latest.tolist()))
            return [names[row] for row in latest.tolist()]

    def tally(self, filters: Filters | None = None) -> Tally:
        """How many of those that pass are in each folder, of each month and of each shape."""
        with self._now() as (db, view):
            mask = view.mask(db, filters)
            folders, moments, wider = (view.column(db, name)[mask] for name in ("folder", "moment", "wider"))
            named = dict(db.execute("SELECT id, path FROM folders"))
        months = moments.astype("datetime64[s]").astype("datetime64[M]").astype(str)
        shapes = {sign: shape for shape, sign in SHAPES.items()}
        return Tally(
            {named[id]: count for id, count in Counter(folders.tolist()).items()},
            Counter(months.tolist()),
            Counter(shapes[sign] for sign in np.sign(wider).tolist()),
        )

    def _names(self, db: sqlite3.Connection, view: View, rows: set[int]) -> dict[int, str]:
        return dict(among(db, f"{_BY_ROW} AND row IN (?)", sorted(rows), view.space))
