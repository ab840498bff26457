"""One encoder's vectors in a Milvus store, as something that can be searched."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from circlet.core import BusyError, DataError, Filters, Gallery, Ranking, UsageError, Vectors, missing
from circlet.core.gallery import SOME, Exclude, Flags, Rows
from circlet.core.marks import Mark
from circlet.core.vectors import checked_queries
from circlet.images import open_picture
from circlet.index.milvus.expressions import SHAPES, among, both, passing
from circlet.index.milvus.fields import Row
from circlet.index.milvus.link import MOST, Link
from circlet.index.milvus.newest import latest
from circlet.index.milvus.tables import LISTS, letters, probes, stacked
from circlet.index.values import Tally, key_of

if TYPE_CHECKING:
    from circlet.index.milvus.milvus_catalogue import MilvusCatalogue, Space

# Rows of one piece, with their vectors.
PIECE = 4_096
# Pictures of equal scores beyond the last that is asked for: among them, the first that was added wins.
_TIES = 16
# Seconds that a sample of vectors, the tally of a large space, or what share of it passes is good for.
_AGE = 60.0


# What holds of no row.
_NOTHING = "edge < 0"


class MilvusSpace:
    """The pictures that have this encoder's vector. Every call sees the store as it is at that moment;
    rows that `pieces` listed keep their places within `snapshot`.
    """

    def __init__(
        self, store: "MilvusCatalogue", link: Link, fingerprint: str, *, still: bool = False
    ) -> None:
        self._store, self._link = store, link
        self.fingerprint = fingerprint
        self._still = still
        self._listed: NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        return f"{self._store!r}.space({self.fingerprint!r})"

    @property
    def _space(self) -> "Space":
        return self._store.space_of(self.fingerprint)

    @contextmanager
    def snapshot(self) -> Iterator["MilvusSpace"]:
        """The same space, whose rows are listed once for as long as the context is open."""
        yield self if self._still else MilvusSpace(self._store, self._link, self.fingerprint, still=True)

    def _passing(self, filters: Filters | None) -> str:
        """The filters in the server's language."""
        if not filters:
            return ""
        said = passing(filters)
        return both(said, self._reading(filters.written, said)) if filters.written is not None else said

    def _reading(self, written: str, said: str) -> str:
        """The pictures in which something was read; Milvus finds no letters within a text, so we do."""
        needle, keys = letters(written), []
        for rows in self._link.pages(self._space.table, "key", both('written != ""', said), ["written"]):
            keys += [row["key"] for row in rows if needle in row["written"]]
            if len(keys) > MOST:
                raise UsageError(
                    f"{written!r} is written in more than {MOST:,} pictures, too many for Milvus to be told: "
                    "ask for more letters"
                )
        return among("key", keys) if keys else _NOTHING

    # Looking up

    def __len__(self) -> int:
        return self._link.count(self._space.table) if self._listed is None else len(self._listed)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(self._store.having([id], self.fingerprint))

    def _found(self, ids: Collection[str], fields: Sequence[str]) -> dict[str, Row]:
        """The rows of those of these pictures that are here."""
        table, keys = self._space.table, [key_of(id) for id in ids]
        rows = self._link.having(table, "key", keys, ["path", *fields]) if keys else []
        return {row["path"]: row for row in rows}

    def vectors_of(self, ids: Sequence[str]) -> Vectors:
        """The vectors of these pictures, in their order."""
        rows = self._found(dict.fromkeys(ids), ["vector"])
        try:
            return stacked((rows[id] for id in ids), self._space.dim)
        except KeyError:
            raise missing(ids, rows) from None

    def marks_of(self, ids: Sequence[str], kind: str) -> Mapping[str, Mark]:
        """What was seen in these pictures, as far as anybody looked."""
        return self._store.marks_among(ids, kind)

    def marked(self, kind: str) -> int:
        """How many pictures of the store have a mark of this kind."""
        return self._store.marked(kind)

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        """Spatial tokens, which a store does not keep."""
        raise DataError("an index keeps no spatial tokens: ask the collection, whose encoder makes them")

    def open(self, id: str, side: int | None = None) -> Any:
        """The picture itself, from its file."""
        return open_picture(Path(id), side=side)

    # Searching

    def search(
        self, vectors: Vectors, *, top: int = 50, filters: Filters | None = None, exclude: Exclude = None
    ) -> list[Ranking]:
        """The `top` best pictures for each query row, by inner product.

        `exclude` names, for each query, the pictures that it does not want to see.
        """
        space = self._space
        queries = checked_queries(vectors, space.dim, exclude)
        if top > MOST:
            raise UsageError(f"{top:,} results at once: Milvus gives {MOST:,} at most, so ask for fewer")
        if not top or not len(queries):
            return [Ranking([], np.zeros(0, np.float32)) for _ in queries]
        said = self._passing(filters)
        partitions = self._store.holding(filters.folder, space) if filters and filters.folder else ()
        limit = min(top + _TIES, MOST)
        read = probes(limit, self._share(said))
        # Queries that leave the same out are asked together.
        alike: dict[frozenset[str], list[int]] = {}
        for at, gone in enumerate(exclude or [()] * len(queries)):
            alike.setdefault(frozenset(gone), []).append(at)
        found: list[Ranking | None] = [None] * len(queries)
        for gone, places in alike.items():
            without = f"key not in [{','.join(str(key_of(id)) for id in sorted(gone))}]" if gone else ""
            asked = partial(
                self._link.search,
                space.table,
                queries[places],
                limit,
                both(said, without),
                ("path", "turn"),
                partitions=partitions,
            )
            answers = asked(probes=read)
            if read < LISTS and any(len(hits) < top for hits in answers):
                # The lists that were read hold too few: there may be no more, or they are in the others.
                answers = asked(probes=LISTS)
            for at, hits in zip(places, answers, strict=True):
                hits.sort(key=lambda hit: (-hit["score"], hit["turn"]))
                scores = np.array([hit["score"] for hit in hits[:top]], np.float32)
                found[at] = Ranking([hit["path"] for hit in hits[:top]], scores)
        return [one for one in found if one is not None]

    def _share(self, said: str) -> float:
        """Which share of all pictures passes, counted once in a while."""
        if not said:
            return 1.0

        def count() -> float:
            return self._link.count(self._space.table, said) / max(1, len(self))

        return self._store.remembered(("share", self.fingerprint, said), _AGE, count)

    def pieces(self, filters: Filters | None = None) -> Iterator[tuple[Gallery, Flags | None]]:
        """Every row, a bounded number at a time, with the flags of those that count.

        Only methods that are no composers ask for it: it brings all vectors over the wire.
        """
        space, keys = self._space, []
        said = self._passing(filters)
        for rows in self._link.pages(space.table, "key", "", ["path", "turn", "vector"], size=PIECE):
            rows.sort(key=lambda row: row["turn"])
            here = [row["key"] for row in rows]
            keys += here
            counts = None
            if said:
                range_ = f"key >= {min(here)} and key <= {max(here)}"
                kept = {row["key"] for row in self._link.query(space.table, both(range_, said), ["key"])}
                counts = np.array([key in kept for key in here], np.bool_)
            paths = [row["path"] for row in rows]
            yield Gallery(paths, stacked(rows, space.dim), self.fingerprint), counts
        if self._still:
            self._listed = np.array(keys, np.int64)
        if not keys:
            yield Gallery([], np.zeros((0, space.dim), np.float32), self.fingerprint), None

    def _keys(self) -> NDArray[np.int64]:
        """The key of every row, 8 bytes each, in the order of `pieces`."""
        if self._listed is not None:
            return self._listed
        keys: list[int] = []
        for rows in self._link.pages(self._space.table, "key", "", ["turn"], size=PIECE):
            rows.sort(key=lambda row: row["turn"])
            keys += [row["key"] for row in rows]
        listed = np.array(keys, np.int64)
        if self._still:
            self._listed = listed
        return listed

    def ids_at(self, rows: Rows) -> list[str]:
        """The paths at these rows."""
        keys = self._keys()[rows].tolist()
        paths = {
            row["key"]: row["path"]
            for row in self._link.having(self._space.table, "key", list(set(keys)), ["key", "path"])
        }
        if len(paths) < len(set(keys)):
            raise BusyError("the index was changed in the middle of a search: search again")
        return [paths[key] for key in keys]

    def rows_among(self, ids: Collection[str]) -> Rows:
        """The rows of those of these pictures that are here, in their order."""
        places = {key: row for row, key in enumerate(self._keys().tolist())} if ids else {}
        return np.array([places[key] for id in ids if (key := key_of(id)) in places], np.intp)

    def some_vectors(self, most: int = SOME) -> Vectors:
        """Vectors of pictures that have nothing in common, `most` at most; the same for a minute."""
        return self._store.remembered(
            ("vectors", self.fingerprint, most),
            _AGE,
            lambda: stacked(
                self._link.query(self._space.table, "", ["vector"], limit=min(most, MOST)), self._space.dim
            ),
        )

    # Looking through

    def count(self, filters: Filters | None = None) -> int:
        """How many pictures pass the filters."""
        return self._link.count(self._space.table, self._passing(filters))

    def sample(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures to look through, spread over all that pass: each once, the same on every call.

        They come by their keys, which have nothing to do with folders or times.
        """
        return self._link.stretch(self._space.table, self._passing(filters), "path", start, top)

    def newest(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures that pass, by when they were taken (or their file's time), the latest first."""
        return latest(self._link, self._space.table, self._passing(filters), start, top)

    def tally(self, filters: Filters | None = None) -> Tally:
        """How many of those that pass are in each folder, of each month and of each shape.

        Milvus counts nothing by groups, so all that pass are gone through, and that of many is kept a while.
        """
        said = self._passing(filters)
        if self._link.count(self._space.table, said) <= MOST:
            return self._tallied(said)
        return self._store.remembered(("tally", self.fingerprint, said), _AGE, lambda: self._tallied(said))

    def _tallied(self, said: str) -> Tally:
        folders: Counter[str] = Counter()
        months: Counter[str] = Counter()
        shapes: Counter[str] = Counter()
        names = {number: shape for shape, number in SHAPES.items()}
        for rows in self._link.pages(self._space.table, "key", said, ["path", "moment", "shape"]):
            folders.update(row["path"].rpartition("/")[0] or "/" for row in rows)
            moments = np.array([row["moment"] for row in rows], np.int64)
            months.update(moments.astype("datetime64[s]").astype("datetime64[M]").astype(str).tolist())
            shapes.update(names[row["shape"]] for row in rows)
        return Tally(folders, months, shapes)
