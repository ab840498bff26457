"""What a Milvus store knows: its catalogue, and which collection holds which encoder's vectors."""

import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from circlet.core import MismatchError, StoreError, missing
from circlet.core.marks import Mark
from circlet.index.milvus.expressions import among, both, related, under
from circlet.index.milvus.fields import Row
from circlet.index.milvus.link import Link
from circlet.index.milvus.milvus_space import MilvusSpace
from circlet.index.milvus.soundness import faults
from circlet.index.milvus.tables import (
    BROKEN,
    ENTRY,
    FOLDER,
    PICTURE,
    ROOT,
    SPACE,
    entry_of,
    known_of,
    named,
    partition_of,
)
from circlet.index.values import Broken, Counts, Entry, Known, SpaceCounts, key_of

Made = TypeVar("Made")
_KNOWN = ("path", "size", "mtime_ns", "hash")
WHOLE = (*ENTRY, "kind", "key", "moment", "root", "reason", "marks", "vector")
_MARKED = ("path", "kind", "marks")
# Paths that are walked through at once.
_WALKED = 4_000
# Seconds for which a reader takes roots and spaces to be as they were, and for which anything is remembered.
_AGE, _OLDEST = 2.0, 60.0


class Space(NamedTuple):
    """One encoder's collection."""

    table: str
    dim: int
    searched: bool


class MilvusCatalogue:
    """All that can be asked of a store without writing to it."""

    # Whether nobody else may write meanwhile: then the store's own rows are read once.
    _alone = False

    def __init__(self, link: Link, table: str) -> None:
        self._link, self._table = link, table
        self._kept: dict[Hashable, tuple[float, int, Any]] = {}
        self._sole: dict[int, list[Row]] = {}

    def remembered(self, what: Hashable, age: float, make: Callable[[], Made]) -> Made:
        """What was made a moment ago, unless this process wrote something since."""
        kept = self._kept.get(what)
        if kept is None or time.monotonic() - kept[0] > age or kept[1] != self._link.writes:
            kept = (time.monotonic(), self._link.writes, make())
            # A server is asked by ever new filters: what is old goes, so that they do not add up.
            young = {one: made for one, made in list(self._kept.items()) if kept[0] - made[0] <= _OLDEST}
            self._kept = young | {what: kept}
        return cast("Made", kept[2])

    # What the store knows of itself

    def _own(self, kind: int) -> list[Row]:
        """The rows of the store's own, of one kind; who alone may write them reads them once."""
        if not self._alone:
            return self.remembered(("own", kind), _AGE, lambda: self._own_now(kind))
        if kind not in self._sole:
            self._sole[kind] = self._own_now(kind)
        return self._sole[kind]

    def _own_now(self, kind: int) -> list[Row]:
        if not self._link.has(self._table):
            return []
        fields = ("path", "kind", "size", "width", "hash", "mtime_ns")
        return [
            row for page in self._link.pages(self._table, "path", f"kind == {kind}", fields) for row in page
        ]

    def _spaces(self) -> dict[str, Space]:
        """The encoders' collections, oldest first."""
        rows = sorted(self._own(SPACE), key=lambda row: row["mtime_ns"])
        return {named(row): Space(row["hash"], row["width"], bool(row["size"])) for row in rows}

    def space_of(self, fingerprint: str) -> Space:
        """One encoder's collection; an unknown one is an error that names those that are known."""
        spaces = self._spaces()
        if found := spaces.get(fingerprint):
            return found
        if not spaces:
            raise StoreError(f"the index at {self._link.address} is empty: run `circlet index FOLDER` first")
        raise MismatchError(
            f"the index at {self._link.address} has no vectors of {fingerprint}, it has those of "
            f"{', '.join(spaces)}: pick that encoder, or run `circlet index` with this one"
        )

    def _rows(self, paths: Collection[str], fields: Sequence[str] = WHOLE) -> dict[str, Row]:
        """The catalogue's rows of these pictures and broken files."""
        if not paths or not self._link.has(self._table):
            return {}
        return {row["path"]: row for row in self._link.having(self._table, "path", list(paths), fields)}

    # Reading

    def _pages(
        self, said: str, fields: Sequence[str], kinds: Sequence[int] = (PICTURE, BROKEN)
    ) -> Iterator[list[Row]]:
        if self._link.has(self._table):
            wanted = both(among("kind", kinds), said)
            yield from self._link.pages(self._table, "path", wanted, fields, size=_WALKED)

    def space(self, fingerprint: str) -> MilvusSpace:
        """The pictures that have this encoder's vector, ready to be searched."""
        return MilvusSpace(self, self._link, fingerprint)

    def roots(self) -> list[str]:
        """The folders that were indexed."""
        return sorted(named(row) for row in self._own(ROOT) if row["size"])

    def holding(self, folder: str, space: Space) -> tuple[str, ...]:
        """The partitions of a space that may hold pictures of this folder.

        A picture stays in the partition that it was put in, so every root that there ever was counts.
        """
        there = self.remembered(
            ("partitions", space.table), _AGE, lambda: self._link.partitions(space.table, now=True)
        )
        wanted = {partition_of(root) for root in ("", *related(folder, map(named, self._own(ROOT))))}
        return tuple(sorted(wanted & there))

    def folders(self, root: str) -> list[str]:
        """The folders under a root that hold pictures."""
        bare = root.rstrip("/")
        names = (named(row) for row in self._own(FOLDER))
        return sorted(name for name in names if name == (bare or "/") or name.startswith(f"{bare}/"))

    def known(self, paths: Collection[str], fingerprint: str | None = None) -> dict[str, Known]:
        """What is remembered of these files; with a fingerprint, of those that have its vector."""
        rows = self._rows(paths, (*_KNOWN, "kind"))
        pictures = {path: row for path, row in rows.items() if row["kind"] == PICTURE}
        if fingerprint is not None:
            having = self._having(pictures, fingerprint)
            pictures = {path: row for path, row in pictures.items() if having.get(path) == row["hash"]}
        return {path: known_of(row) for path, row in pictures.items()}

    def _having(self, paths: Collection[str], fingerprint: str) -> dict[str, str]:
        """The hashes of the pictures whose vectors these are, as far as there are any."""
        space = self._spaces().get(fingerprint)
        if space is None or not paths:
            return {}
        rows = self._link.having(space.table, "key", [key_of(path) for path in paths], ("path", "hash"))
        return {row["path"]: row["hash"] for row in rows}

    def having(self, paths: Collection[str], fingerprint: str) -> set[str]:
        """Which of these pictures have this encoder's vector."""
        return set(self._having(paths, fingerprint)) & set(paths)

    def walk(self, root: str, fingerprint: str | None = None) -> Iterator[tuple[str, Known]]:
        """Every picture under a folder in the order of paths; with a fingerprint, those with its vector."""
        for page in self._pages(under(root), _KNOWN, [PICTURE]):
            if fingerprint is None:
                yield from ((row["path"], known_of(row)) for row in page)
                continue
            having = self._having([row["path"] for row in page], fingerprint)
            for row in page:
                if having.get(row["path"]) == row["hash"]:
                    yield row["path"], known_of(row)

    def count(self, root: str, fingerprint: str | None = None) -> int:
        """How many pictures there are under a folder; with a fingerprint, those with its vector."""
        if not self._link.has(self._table):
            return 0
        if fingerprint is None:
            return self._link.count(self._table, both(f"kind == {PICTURE}", under(root)))
        space = self._spaces().get(fingerprint)
        return 0 if space is None else self._link.count(space.table, under(root))

    def broken(self, root: str) -> dict[str, Broken]:
        """The files under a folder that could not be opened, with the reason."""
        pages = self._pages(under(root), ("path", "reason", "size", "mtime_ns"), [BROKEN])
        return {
            row["path"]: Broken(row["reason"], row["size"], row["mtime_ns"]) for page in pages for row in page
        }

    def entries(self, paths: Sequence[str]) -> list[Entry]:
        """What the catalogue knows of these pictures, in their order."""
        rows = self._rows(set(paths), (*ENTRY, "kind"))
        known = {path: entry_of(row) for path, row in rows.items() if row["kind"] == PICTURE}
        try:
            return [known[path] for path in paths]
        except KeyError:
            raise missing(paths, known) from None

    def named(self, keys: Collection[int]) -> Mapping[int, str]:
        """The paths of the pictures that these keys stand for, as far as there are any."""
        if not keys or not self._link.has(self._table):
            return {}
        rows = self._link.having(self._table, "key", list(keys), ("key", "path", "kind"))
        return {row["key"]: row["path"] for row in rows if row["kind"] == PICTURE}

    def fingerprints(self) -> list[str]:
        """The encoders that have vectors here, oldest first."""
        return list(self._spaces())

    def counts(self) -> Counts:
        """How many pictures, broken files, roots and vectors there are, and the bytes that vectors take.

        What else the server keeps, and how often, is its own affair.
        """
        if not self._link.has(self._table):
            return Counts(0, 0, 0, 0, {})
        spaces = {}
        for name, space in self._spaces().items():
            live = self._link.count(space.table)
            spaces[name] = SpaceCounts(live, 0, space.dim, live if space.searched else 0, space.searched)
        return Counts(
            self._link.count(self._table, f"kind == {PICTURE}"),
            self._link.count(self._table, f"kind == {BROKEN}"),
            len(self.roots()),
            sum(4 * space.dim * space.pictures for space in spaces.values()),
            spaces,
        )

    def unmarked(self, root: str, kind: str, by: str) -> Iterator[str]:
        """The pictures under a folder that `by` has not looked at, in the order of paths."""
        for page in self._pages(under(root), _MARKED, [PICTURE]):
            yield from (row["path"] for row in page if row["marks"].get(kind, {}).get("by") != by)

    def marked(self, kind: str) -> int:
        """How many pictures have a mark of this kind."""
        if not self._link.has(self._table):
            return 0
        return self._link.count(self._table, f'kind == {PICTURE} and marks["{kind}"]["number"] > -1')

    def marks_among(self, ids: Sequence[str], kind: str) -> dict[str, Mark]:
        """The marks of one kind of these pictures, as far as there are any."""
        rows = self._rows(ids, _MARKED)
        return {path: Mark(**row["marks"][kind]) for path, row in rows.items() if kind in row["marks"]}

    def verify(self) -> list[str]:
        """What is wrong with the store, one plain line each; none is good."""
        if not self._link.has(self._table):
            return []
        self._link.written()
        return [fault.line for fault in faults(self._link, self._table, self._spaces())]
