"""The Milvus store: what is written, and in which order."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from circlet.core import DataError, MismatchError, StoreError, Vectors, missing
from circlet.core.closing import Closing
from circlet.core.marks import Mark
from circlet.index.milvus.address import Address
from circlet.index.milvus.expressions import under
from circlet.index.milvus.fields import Row
from circlet.index.milvus.lease import Lease
from circlet.index.milvus.link import Link
from circlet.index.milvus.milvus_catalogue import WHOLE, MilvusCatalogue, Space
from circlet.index.milvus.soundness import faults
from circlet.index.milvus.tables import (
    ABOUT,
    FOLDER,
    FORMAT,
    LOOKED_UP,
    OWN,
    PICTURE,
    ROOT,
    SEARCHED,
    SPACE,
    broken_row,
    catalogue_schema,
    longest,
    mark_row,
    own_row,
    partition_of,
    picture_row,
    space_schema,
    table_of,
    vector_row,
)
from circlet.index.values import Entry, checked_batch, key_of

# Rows with vectors that are read at once, and keys that a writer remembers.
_VECTORS, _TOUCHED = 1_000, 100_000


def open_milvus(location: str, *, write: bool = False) -> "MilvusStore":
    """The store at `milvus://host:19530/name`; with `write`, made if it is not there, and ours to write."""
    return MilvusStore(Address.of(location), write=write)


class MilvusStore(MilvusCatalogue, Closing):
    """Pictures and their vectors in a Milvus server; readers anywhere beside one writer.

        with open_store("milvus://localhost:19530/pictures", write=True) as store:
            store.add(entries, encoder.images(pictures), encoder.fingerprint)

    A picture is there when the catalogue has its row, and is searched by the vectors that spaces have of
    it. What is written goes vectors-that-no-longer-count first, catalogue second, vectors last: a writer
    killed anywhere in between leaves pictures without a vector, which the next indexing makes again.
    """

    def __init__(self, address: Address, *, write: bool) -> None:
        super().__init__(Link(address, write=write), address.name)
        self._lease: Lease | None = None
        self._folders: set[str] = set()
        # The rows of the last batch; the keys of what was added since the catalogue was read, or anything.
        self._last: dict[str, Row] = {}
        self._touched: set[int] | None = None
        # The pictures that came with the last batch, each with the collections that have its vector.
        self._born: dict[str, set[str]] = {}
        self._turn = 0
        try:
            if write:
                self._link.make(self._table, catalogue_schema(), LOOKED_UP, ["key"])
            self._check_format(write)
            if write:
                self._lease = Lease(self._link, self._table)
                self._alone = True
        except BaseException:
            self._link.close()
            raise

    def __repr__(self) -> str:
        return f"open_store({str(self._link.address)!r}, write={self._lease is not None})"

    def _check_format(self, write: bool) -> None:
        rows = self._own(ABOUT)
        newest = max((row["size"] for row in rows), default=0)
        if newest > FORMAT:
            raise StoreError(
                f"the index at {self._link.address} was made by a newer circlet (format {newest}, this one "
                f"reads {FORMAT}): upgrade circlet"
            )
        if write and not rows:
            self._put_own(own_row(ABOUT, "format", size=FORMAT))

    def close(self) -> None:
        """Let go of the server, a writer after saying so."""
        lease, self._lease = self._lease, None
        if lease:
            lease.release()
        self._link.close()

    def _writing(self) -> None:
        if self._lease is not None and self._lease.lost is not None:
            raise self._lease.lost
        if self._lease is None:
            raise StoreError(
                f"the index at {self._link.address} was opened for reading: open it with write=True"
            )

    def _put_own(self, *rows: Row) -> None:
        """Write rows of the store's own."""
        self._link.upsert(self._table, rows)
        for row in rows:
            self._sole.pop(row["kind"], None)

    def _made_space(self, fingerprint: str, dim: int, searched: bool) -> Space:
        found = self._spaces().get(fingerprint)
        if found is None:
            found = Space(table_of(self._table, fingerprint, dim), dim, searched)
            kind = SEARCHED if searched else LOOKED_UP
            self._link.make(found.table, space_schema(dim), kind, ["moment"])
            row = own_row(
                SPACE, fingerprint, hash=found.table, width=dim, size=int(searched), mtime_ns=self._next(1)
            )
            self._put_own(row)
        if found.dim != dim:
            raise MismatchError(
                f"{fingerprint} gave vectors of {dim} numbers, the index holds {found.dim}: "
                "an encoder that changed needs a fingerprint of its own"
            )
        return found

    def _next(self, count: int) -> int:
        """The first of so many numbers, each larger than all before: the order of adding."""
        first = max(self._turn + 1, time.time_ns())
        self._turn = first + count - 1
        return first

    # Writing

    def _changing(self) -> None:
        """Something else than adding is about to be written: what is remembered of the catalogue is void."""
        self._writing()
        self._last, self._touched, self._born = {}, None, {}

    def add(
        self, entries: Sequence[Entry], vectors: Vectors, fingerprint: str, *, searched: bool = True
    ) -> None:
        """Keep these pictures with their vectors, as one durable batch; known paths are replaced."""
        rows = checked_batch(entries, vectors)
        self._writing()
        if not entries:
            return
        space = self._made_space(fingerprint, rows.shape[1], searched)
        before = self._before_adding([entry.path for entry in entries])
        after = self._new_rows(entries, before)
        self._put(after, before)
        self._last = {row["path"]: row for row in after}
        first = self._next(len(rows))
        placed = zip(after, rows, range(first, first + len(rows)), strict=True)
        self._put_vectors(space, [vector_row(row, vector, turn) for row, vector, turn in placed])

    def _put_vectors(self, space: Space, rows: Iterable[Row]) -> None:
        """Write vectors, each into the partition of its picture's root, which never changes."""
        apart: dict[tuple[str, bool], list[Row]] = {}
        for row in rows:
            # A picture that was not there before this batch has no vector that could be in the way.
            new = space.table not in self._born.get(row["path"], {space.table})
            apart.setdefault((partition_of(row["root"]), new), []).append(row)
        # Before they are written: what was cut off in the middle may be there, and is written over next time.
        for having in self._born.values():
            having.add(space.table)
        for (partition, new), some in apart.items():
            self._link.upsert(space.table, some, partition, new=new)

    def _new_rows(self, entries: Sequence[Entry], before: Mapping[str, Row]) -> list[Row]:
        """The catalogue's rows of these pictures as they will be; each stays in its partition."""
        roots: list[str] | None = None
        rows = []
        for entry in entries:
            old = before.get(entry.path)
            same = old is not None and old["kind"] == PICTURE and old["hash"] == entry.hash
            if old is not None and old["kind"] == PICTURE:
                root = old["root"]
            else:
                roots = self.roots() if roots is None else roots
                root = longest(roots, entry.path)
            rows.append(picture_row(entry, root, old["marks"] if old is not None and same else {}))
        return rows

    def _before(self, paths: Sequence[str], *, fresh: bool = True) -> dict[str, Row]:
        """The catalogue's rows of these paths as they are. No two pictures may stand under one key,
        however unlikely it is that they would.
        """
        keys: dict[int, str] = {}
        for path in paths:
            if (other := keys.setdefault(key_of(path), path)) != path:
                raise _same_key(path, other)
        rows = self._link.having(self._table, "key", list(keys), WHOLE, fresh=fresh)
        for row in rows:
            if row["path"] != keys[row["key"]] and not row["path"].startswith(OWN):
                raise _same_key(keys[row["key"]], row["path"])
        return {row["path"]: row for row in rows}

    def _before_adding(self, paths: Sequence[str]) -> dict[str, Row]:
        """The same, for one who alone writes and remembers: what was not touched since the catalogue was
        read is as it was, and the last batch, of which another encoder's vectors come, is known.
        """
        last, self._last = self._last, {}
        if last.keys() >= set(paths):
            return last
        self._born = {}
        fresh = (
            self._touched is None
            or len(self._touched) > _TOUCHED
            or not self._touched.isdisjoint(map(key_of, paths))
        )
        before = self._before(paths, fresh=fresh)
        if self._touched is None or fresh:
            self._touched = set()
        self._touched.update(map(key_of, paths))
        self._born = {path: set() for path in paths if path not in before}
        return before

    def _put(self, rows: Sequence[Row], before: Mapping[str, Row]) -> None:
        """Write catalogue rows; vectors of what they replace go first, what filters ask follows."""
        changed, altered, new = [], [], []
        for row in rows:
            old = before.get(row["path"])
            if old is None or old["kind"] != PICTURE:
                new.append(row)
            elif old["hash"] != row["hash"]:
                changed.append(row)
            elif any(old[name] != row[name] for name in row if name != "vector"):
                altered.append(row)
        self._drop_vectors([row["key"] for row in changed])
        self._note_folders(row["path"] for row in new)
        self._link.upsert(self._table, [row for row in new if row["path"] not in before], new=True)
        known = [row for row in new if row["path"] in before]
        self._link.upsert(self._table, [*known, *changed, *altered])
        self._follow(altered)

    def _follow(self, pictures: Sequence[Row]) -> None:
        """Bring what spaces say of these pictures up to date; their vectors stay."""
        by_key = {row["key"]: row for row in pictures}
        for space in self._spaces().values() if pictures else ():
            for rows in self._vectors(space, list(by_key)):
                self._put_vectors(
                    space, [vector_row(by_key[row["key"]], row["vector"], row["turn"]) for row in rows]
                )

    def _vectors(self, space: Space, keys: Sequence[int]) -> Iterator[list[Row]]:
        for start in range(0, len(keys), _VECTORS):
            yield self._link.having(
                space.table, "key", keys[start : start + _VECTORS], ("key", "turn", "vector")
            )

    def _drop_vectors(self, keys: Sequence[int]) -> None:
        for space in self._spaces().values() if keys else ():
            self._link.delete(space.table, "key", keys)

    def _note_folders(self, paths: Iterable[str]) -> None:
        fresh = {path.rpartition("/")[0] or "/" for path in paths} - self._folders
        self._put_own(*(own_row(FOLDER, folder) for folder in sorted(fresh)))
        self._folders |= fresh

    def moved(self, pairs: Iterable[tuple[str, Entry]]) -> None:
        """Files with the same content under a new path or time: (old path, new entry); vectors stay."""
        self._changing()
        pairs = list(pairs)
        old, new = [before for before, _ in pairs], [entry.path for _, entry in pairs]
        if len(set(old)) < len(old) or len(set(new)) < len(new):
            raise DataError("a picture moves twice at once: give each old and each new path once")
        rows = self._rows(old) | self._before(new)
        there = {path for path in old if path in rows and rows[path]["kind"] == PICTURE}
        if len(there) < len(old):
            raise missing(old, there)
        stay = [entry for before, entry in pairs if before == entry.path]
        self._put(self._new_rows(stay, rows), rows)
        self._rename([(rows[before], entry) for before, entry in pairs if before != entry.path], rows)

    def _rename(self, pairs: Sequence[tuple[Row, Entry]], rows: Mapping[str, Row]) -> None:
        """New rows first, then the old ones go: a kill in between leaves both, of which one is no file."""
        if not pairs:
            return
        kept = {old["key"]: old for old, _ in pairs}
        vectors = {
            space: [row for some in self._vectors(space, list(kept)) for row in some]
            for space in self._spaces().values()
        }
        fresh = self._new_rows([entry for _, entry in pairs], {})
        for row, (old, entry) in zip(fresh, pairs, strict=True):
            row["marks"] = old["marks"] if entry.hash == old["hash"] else {}
        names = {old["path"]: row for (old, _), row in zip(pairs, fresh, strict=True)}
        taken = [rows[row["path"]]["key"] for row in fresh if row["path"] in rows]
        self._drop_vectors(taken)
        self._note_folders(row["path"] for row in fresh)
        self._link.upsert(self._table, fresh)
        for space, found in vectors.items():
            moved = [vector_row(names[kept[row["key"]]["path"]], row["vector"], row["turn"]) for row in found]
            self._put_vectors(space, moved)
        arrived = {row["path"] for row in fresh}
        left = [old for old, _ in pairs if old["path"] not in arrived]
        self._drop_vectors([old["key"] for old in left])
        self._link.delete(self._table, "path", [old["path"] for old in left])

    def forget(self, paths: Collection[str]) -> int:
        """Drop these pictures and their vectors; returns how many the store had."""
        self._changing()
        rows = self._rows(set(paths), ("path", "kind", "key"))
        self._drop_vectors([row["key"] for row in rows.values()])
        self._link.delete(self._table, "path", list(rows))
        return sum(row["kind"] == PICTURE for row in rows.values())

    def note_broken(self, path: str, reason: str, *, size: int = 0, mtime_ns: int = 0) -> None:
        """Remember that this file could not be opened, and why; it is no longer a picture of the store."""
        self._changing()
        self._drop_vectors([row["key"] for row in self._rows([path], ("path", "key")).values()])
        self._link.upsert(self._table, [broken_row(path, reason, size, mtime_ns)])

    def add_root(self, folder: str) -> None:
        """Remember a folder that was indexed."""
        self._writing()
        self._put_own(own_row(ROOT, folder, size=1))

    def forget_root(self, folder: str) -> int:
        """Forget a folder with everything under it; returns how many pictures that were."""
        self._changing()
        gone = 0
        for page in self._pages(under(folder), ("path",)):
            gone += self.forget([row["path"] for row in page])
        bare = folder.rstrip("/")
        # Its partition may hold pictures of a folder above it: only its name goes from the list.
        under_it = [root for root in self.roots() if root == folder or root.startswith(f"{bare}/")]
        self._put_own(*(own_row(ROOT, root, size=0) for root in under_it))
        return gone

    def mark(self, kind: str, seen: Mapping[str, Mark]) -> None:
        """Keep what was seen in these pictures, as one durable batch; those that are gone are passed by."""
        self._changing()
        rows = [row for row in self._rows(seen).values() if row["kind"] == PICTURE]
        for row in rows:
            row["marks"] = {**row["marks"], kind: mark_row(seen[row["path"]])}
        # Spaces first: a kill in between leaves pictures that are looked at again.
        self._follow(rows)
        self._link.upsert(self._table, rows)

    def repair(self) -> list[str]:
        """Drop what `verify` finds damaged, so that the next indexing makes it again."""
        self._changing()
        lines = []
        for fault in list(faults(self._link, self._table, self._spaces())):
            self._link.delete(fault.table, "key", [fault.key])
            lines.append(fault.line)
        return lines


def _same_key(path: str, other: str) -> DataError:
    return DataError(f"{path} has the same key as {other}, so Milvus cannot keep both: rename one of them")
