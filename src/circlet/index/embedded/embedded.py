"""The embedded store: one folder with a SQLite catalogue and append-only vector files."""

import os
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import cast

from circlet.core import Vectors, missing
from circlet.index.embedded import upkeep
from circlet.index.embedded.approximate import LOADING, PAYS_FROM, Approximate, covered, load, newest, refresh
from circlet.index.embedded.catalogue import Catalogue, Connection, among, under
from circlet.index.embedded.exact import Way, exact
from circlet.index.embedded.faults import explained
from circlet.index.embedded.lock import WriterLock
from circlet.index.embedded.marks import Marks
from circlet.index.embedded.schema import by_keys
from circlet.index.embedded.space import EmbeddedSpace
from circlet.index.embedded.spaces import lacking, space_for, spaces
from circlet.index.embedded.vectorfile import mapped
from circlet.index.embedded.verify import damage, problems
from circlet.index.embedded.view import View, follow
from circlet.index.embedded.writing import bury, insert, rename
from circlet.index.values import Broken, Counts, Entry, Known, SpaceCounts, checked_batch, wall_clock

_ENTRY = "path, size, mtime_ns, hash, width, height, taken"
# Pictures that have the vector of this encoder, or all where none is named; the name comes twice.
_HAVING = (
    "(? IS NULL OR EXISTS (SELECT 1 FROM rows WHERE picture = pictures.id AND "
    "space = (SELECT id FROM spaces WHERE fingerprint = ?))) AND"
)
_WALKED = 5_000


def _entry(
    path: str, size: int, mtime_ns: int, hash: str, width: int, height: int, taken: int | None
) -> Entry:
    return Entry(path, size, mtime_ns, hash, width, height, None if taken is None else wall_clock(taken))


class Embedded(Marks):
    """Pictures and their vectors in one folder; many readers beside one writer.

        with Embedded.open(folder, write=True) as store:
            store.add(entries, encoder.images(pictures), encoder.fingerprint)
        with Embedded.open(folder) as store:
            [ranking] = store.space(encoder.fingerprint).search(query_rows, top=20)

    A picture's id is its absolute path. Every `add` is one durable batch: after it returns, neither
    a kill nor a power cut loses it. Readers see each batch as soon as it is finished.
    """

    def __init__(
        self, folder: Path, catalogue: Catalogue, lock: WriterLock | None, approximate_from: int | None
    ) -> None:
        self.folder = folder
        self._catalogue = catalogue
        self._lock = lock
        self._approximate_from = PAYS_FROM if approximate_from is None else approximate_from
        self._approximate: dict[Path, Approximate | None] = {}
        self._loading, self._read = LOADING if approximate_from is None else 0, 0
        self._views: dict[str, View] = {}
        self._guard = threading.Lock()

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], write: bool = False, *, approximate_from: int | None = None
    ) -> "Embedded":
        """The store in this folder; with `write`, made if it is not there, and ours alone to write.

        Above `approximate_from` pictures a search may use an index that is nearly always right. Unless
        that number is given, exact search goes on until it has cost as much as loading the index will.
        """
        folder = Path(folder).absolute()
        lock = catalogue = None
        try:
            if write:
                with explained(folder):
                    folder.mkdir(parents=True, exist_ok=True)
                    lock = WriterLock(folder)
            catalogue = Catalogue(folder, write=write)
            store = cls(folder, catalogue, lock, approximate_from)
            if write:
                store._heal()
            return store
        except BaseException:
            if catalogue:
                catalogue.close()
            if lock:
                lock.release()
            raise

    def __repr__(self) -> str:
        return f"Embedded.open({str(self.folder)!r}, write={self._lock is not None})"

    def __enter__(self) -> "Embedded":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Whoever was interrupted wants to stop, not to wait for upkeep: the next writer sees to it.
        self._release() if kind else self.close()

    def close(self) -> None:
        """Let go of the files, a writer after tidying them; galleries that are in use stay valid."""
        try:
            if self._lock:
                self.tidy()
        finally:
            self._release()

    def _release(self) -> None:
        self._views.clear()
        self._approximate.clear()
        self._catalogue.close()
        if self._lock:
            self._lock.release()
            self._lock = None

    # Upkeep

    def tidy(self) -> None:
        """Reclaim the room of dropped pictures; bring a large store's approximate index up to date."""
        with self._catalogue.reading() as db:
            wasteful = [
                space
                for space in spaces(db)
                # What is damaged stays as it is until somebody was told: a rewrite would bless it.
                if upkeep.wasteful(db, space) and not any(damage(db, self.folder, space))
            ]
        for space in wasteful:
            with self._catalogue.writing() as db:
                upkeep.compact(db, self.folder, space)
        with self._catalogue.reading() as db:
            upkeep.sweep(db, self.folder)
            searched = [space for space in spaces(db) if space.searched]
        for space in searched:
            if space.rows < self._approximate_from:
                continue
            with explained(self.folder):
                refresh(self.folder, space.file, mapped(self.folder / space.file, space.rows, space.dim))

    def _heal(self) -> None:
        """Drop what a lost or shortened vector file no longer holds, so that it is made again."""
        with self._catalogue.reading() as db:
            short = [space for space in spaces(db) if lacking(self.folder, space)]
        for space in short:
            with self._catalogue.writing() as db:
                for part in list(damage(db, self.folder, space)):
                    upkeep.drop_rows(db, space.id, part.rows)
                upkeep.compact(db, self.folder, space)

    def repair(self) -> list[str]:
        """Drop the vectors that `verify` finds damaged, so that the next indexing makes them again."""
        with self._catalogue.writing() as db:
            lost = [part for space in spaces(db) for part in damage(db, self.folder, space)]
            for part in lost:
                upkeep.drop_rows(db, part.space.id, part.rows)
        return [part.line for part in lost]

    # Writing

    def add(
        self, entries: Sequence[Entry], vectors: Vectors, fingerprint: str, *, searched: bool = True
    ) -> None:
        """Keep these pictures with their vectors, as one durable batch; known paths are replaced.

        A picture whose content changed loses its vectors of other encoders: they show what it was.
        Vectors that are only ever looked up (`searched=False`) need no approximate index.
        """
        rows = checked_batch(entries, vectors)
        if entries:
            with self._catalogue.writing() as db:
                insert(db, self.folder, entries, rows, space_for(db, fingerprint, rows.shape[1], searched))

    def moved(self, pairs: Iterable[tuple[str, Entry]]) -> None:
        """Files with the same content under a new path or time: (old path, new entry); vectors stay.

        A power cut may undo it, which costs nothing but to see the same move again.
        """
        pairs = list(pairs)
        with self._catalogue.writing(durable=False) as db:
            rename(db, pairs)

    def forget(self, paths: Collection[str]) -> int:
        """Drop these pictures and their vectors; returns how many the store had."""
        with self._catalogue.writing() as db:
            ids = [id for (id,) in among(db, "SELECT id FROM pictures WHERE path IN (?)", list(paths))]
            bury(db, ids)
            db.executemany("DELETE FROM pictures WHERE id = ?", ((id,) for id in ids))
            db.executemany("DELETE FROM broken WHERE path = ?", ((path,) for path in paths))
        return len(ids)

    def note_broken(self, path: str, reason: str, *, size: int = 0, mtime_ns: int = 0) -> None:
        """Remember that this file could not be opened, and why; it is no longer a picture of the store."""
        with self._catalogue.writing(durable=False) as db:
            ids = [id for (id,) in db.execute("SELECT id FROM pictures WHERE path = ?", (path,))]
            bury(db, ids)
            db.executemany("DELETE FROM pictures WHERE id = ?", ((id,) for id in ids))
            db.execute("INSERT OR REPLACE INTO broken VALUES (?, ?, ?, ?)", (path, reason, size, mtime_ns))

    def add_root(self, folder: str) -> None:
        """Remember a folder that was indexed."""
        with self._catalogue.writing() as db:
            db.execute("INSERT OR IGNORE INTO roots VALUES (?)", (folder,))

    def forget_root(self, folder: str) -> int:
        """Forget a folder with everything under it; returns how many pictures that were."""
        with self._catalogue.reading() as db:
            paths = [path for (path,) in db.execute(*under("SELECT path FROM pictures", folder))]
        gone = self.forget(paths)
        with self._catalogue.writing() as db:
            db.execute(*under("DELETE FROM roots", folder))
            db.execute(*under("DELETE FROM broken", folder))
        return gone

    # Reading

    def roots(self) -> list[str]:
        """The folders that were indexed."""
        with self._catalogue.reading() as db:
            return [path for (path,) in db.execute("SELECT path FROM roots ORDER BY path")]

    def folders(self, root: str) -> list[str]:
        """The folders under a root that hold pictures."""
        with self._catalogue.reading() as db:
            return [path for (path,) in db.execute(*under("SELECT path FROM folders", root))]

    def known(self, paths: Collection[str], fingerprint: str | None = None) -> dict[str, Known]:
        """What is remembered of these files; with a fingerprint, of those that have its vector."""
        query = f"SELECT path, size, mtime_ns, hash FROM pictures WHERE {_HAVING} path IN (?)"
        with self._catalogue.reading() as db:
            rows = among(db, query, list(paths), fingerprint, fingerprint)
            return {path: Known(*rest) for path, *rest in rows}

    def walk(self, root: str, fingerprint: str | None = None) -> Iterator[tuple[str, Known]]:
        """Every picture under a folder in the order of paths; with a fingerprint, those with its vector.

        A few thousand are read at a time, so the caller may write in between.
        """
        where, (bare, start, stop) = under("", root)
        query = (
            f"SELECT path, size, mtime_ns, hash FROM pictures {where} AND {_HAVING} path > ? "
            f"ORDER BY path LIMIT {_WALKED}"
        )
        last = ""
        while True:
            with self._catalogue.reading() as db:
                rows = db.execute(query, (bare, start, stop, fingerprint, fingerprint, last)).fetchall()
            yield from ((path, Known(*rest)) for path, *rest in rows)
            if len(rows) < _WALKED:
                return
            last = rows[-1][0]

    def count(self, root: str, fingerprint: str | None = None) -> int:
        """How many pictures there are under a folder; with a fingerprint, those with its vector."""
        query, values = under("SELECT count(*) FROM pictures", root)
        with self._catalogue.reading() as db:
            row = db.execute(f"{query} AND {_HAVING} 1", (*values, fingerprint, fingerprint)).fetchone()
            return int(row[0])

    def named(self, keys: Collection[int]) -> Mapping[int, str]:
        """The paths of the pictures that these keys stand for, as far as there are any."""
        with self._catalogue.reading() as db:
            return dict(among(db, by_keys(db), list(keys)))

    def having(self, paths: Collection[str], fingerprint: str) -> set[str]:
        """Which of these pictures have this encoder's vector."""
        query = (
            # CROSS JOIN keeps the order: by path first, where SQLite would go through all rows.
            "SELECT path FROM pictures CROSS JOIN rows ON picture = pictures.id "
            "WHERE space = (SELECT id FROM spaces WHERE fingerprint = ?) AND path IN (?)"
        )
        with self._catalogue.reading() as db:
            return {path for (path,) in among(db, query, list(paths), fingerprint)}

    def broken(self, root: str) -> dict[str, Broken]:
        """The files under a folder that could not be opened, with the reason."""
        query, values = under("SELECT path, reason, size, mtime_ns FROM broken", root)
        with self._catalogue.reading() as db:
            return {path: Broken(*rest) for path, *rest in db.execute(query + " ORDER BY path", values)}

    def entries(self, paths: Sequence[str]) -> list[Entry]:
        """What the catalogue knows of these pictures, in their order."""
        with self._catalogue.reading() as db:
            query = f"SELECT {_ENTRY} FROM pictures WHERE path IN (?)"
            known = {row[0]: _entry(*row) for row in among(db, query, list(paths))}
        try:
            return [known[path] for path in paths]
        except KeyError:
            raise missing(paths, known) from None

    def fingerprints(self) -> list[str]:
        """The encoders that have vectors here, oldest first."""
        with self._catalogue.reading() as db:
            return [name for (name,) in db.execute("SELECT fingerprint FROM spaces ORDER BY id")]

    def counts(self) -> Counts:
        """How many pictures, broken files, roots and vectors there are, and the bytes they take."""
        with self._catalogue.reading() as db:
            pictures, broken, roots = db.execute(
                "SELECT (SELECT count(*) FROM pictures), (SELECT count(*) FROM broken), "
                "(SELECT count(*) FROM roots)"
            ).fetchone()
            spaces = {
                fingerprint: SpaceCounts(live, dead, dim, covered(path) if path else 0, searched)
                for fingerprint, live, dead, dim, searched, path in self._spaces(db)
            }
        with explained(self.folder):
            size = sum(file.stat().st_size for file in self.folder.iterdir() if file.is_file())
        return Counts(pictures, broken, roots, size, spaces)

    def _spaces(self, db: sqlite3.Connection) -> Iterator[tuple[str, int, int, int, bool, Path | None]]:
        for fingerprint, live, dead, dim, searched, file in db.execute(
            "SELECT fingerprint, (SELECT count(*) FROM rows WHERE space = id), "
            "(SELECT count(*) FROM graves WHERE space = id), dim, searched, file FROM spaces ORDER BY id"
        ):
            yield fingerprint, live, dead, dim, bool(searched), newest(self.folder, file)

    def space(self, fingerprint: str) -> EmbeddedSpace:
        """The pictures that have this encoder's vector, ready to be searched."""
        return EmbeddedSpace(self, fingerprint)

    def reading(self) -> AbstractContextManager[Connection]:
        """The catalogue as of one moment, for everything that this thread reads in the context."""
        return self._catalogue.reading()

    def way(self, view: View) -> Way:
        """Exact search, or the approximate index of a large store if it has one."""
        if view.live < self._approximate_from:
            return exact
        path = newest(self.folder, view.file)
        if path is None:
            return exact
        loaded = self._approximate
        if path not in loaded:
            # Who searches a small store once or twice is done before the library is loaded.
            self._read += view.vectors.size
            if not loaded and self._read < self._loading:
                return exact
            loaded = self._approximate = {path: load(path, view.vectors.shape[1])}
        approximate = loaded[path]
        return approximate.search if approximate and approximate.rows <= len(view.vectors) else exact

    def view(self, db: Connection, fingerprint: str) -> View:
        """One encoder's rows as this connection sees them; the last view brought up to date.

        A connection that goes on reading one moment keeps its view, whatever others do to the files.
        """
        if db.held is not None and fingerprint in db.held:
            return cast("View", db.held[fingerprint])
        with self._guard:
            view = follow(db, self.folder, fingerprint, self._views.get(fingerprint))
            last = self._views.get(fingerprint)
            if last is None or view.clock >= last.clock:
                self._views[fingerprint] = view
        if db.held is not None:
            db.held[fingerprint] = view
        return view

    def verify(self) -> list[str]:
        """What is wrong with the store, one plain line each; none is good."""
        with self._catalogue.reading() as db:
            return list(problems(db, self.folder))
