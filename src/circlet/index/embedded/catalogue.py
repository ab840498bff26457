"""The SQLite side of a store: connections that threads share, reads on one snapshot, durable writes."""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from circlet.core import StoreError
from circlet.index.embedded.faults import explained
from circlet.index.embedded.schema import check, nothing

FILE = "catalogue.sqlite"
# Values in one IN (…): SQLite allows 32,766 since 3.32, older builds 999.
_MOST = 900
# What a writer keeps in memory of the catalogue, and how long its log grows before it is folded in.
_CACHE_KB = 64 * 1024
_LOG_PAGES = 16 * 1024


class Connection(sqlite3.Connection):
    """A connection that knows whether it reads the file as it lies, blind to what writers do.

    While it reads, `held` is for what was learned of the moment that it sees.
    """

    frozen = False
    held: dict[str, Any] | None = None


class Catalogue:
    """Connections to a folder's catalogue; `reading` and `writing` are its two doors."""

    def __init__(self, folder: Path, *, write: bool) -> None:
        self.folder = folder
        self.write = write
        # What this thread uses now, and what nobody does: a server's threads come and go, but there
        # are never more connections than were needed at once.
        self._mine = threading.local()
        self._idle: list[Connection] = []
        self._all: list[Connection] = []
        self._writing = threading.RLock()
        with explained(folder), self._connection():
            pass

    def close(self) -> None:
        """Close every connection; the last writer's close folds the log into the file."""
        self._idle.clear()
        while self._all:
            self._all.pop().close()
        self._mine = threading.local()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one moment of the catalogue, whatever a writer does meanwhile."""
        with explained(self.folder), self._connection() as db:
            if db.in_transaction:
                yield db
                return
            db.execute("BEGIN")
            db.held = {}
            try:
                yield db
            finally:
                db.held = None
                db.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """A transaction that is kept whole or not at all; `durable` outlives a power cut."""
        if not self.write:
            raise StoreError(f"the index at {self.folder} was opened for reading: open it with write=True")
        with self._writing, explained(self.folder), self._connection() as db:
            db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            db.execute("BEGIN IMMEDIATE")
            try:
                db.execute("UPDATE clock SET now = now + 1")
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """A connection that no other thread uses meanwhile; within itself, always the same one."""
        if (mine := getattr(self._mine, "db", None)) is not None:
            yield mine
            return
        db = self._mine.db = self._taken()
        try:
            yield db
        finally:
            # Unless the catalogue was closed in between.
            if self._mine.__dict__.pop("db", None) is db:
                self._idle.append(db)

    def _taken(self) -> Connection:
        try:
            db = self._idle.pop()
        except IndexError:
            db = self._connect()
            self._all.append(db)
            return db
        if db.frozen and self._log_holds_something():
            # Somebody who may write has begun to: meet them as usual.
            self._all.remove(db)
            db.close()
            return self._taken()
        return db

    def _connect(self) -> Connection:
        path = self.folder / FILE
        if not self.write and not path.exists():
            raise nothing(self.folder)
        db = self._open("rwc" if self.write else "ro")
        try:
            if self.write:
                db.execute("PRAGMA journal_mode = WAL")
                # A batch touches pages all over the indices of a large catalogue: each is then read and
                # folded into the file once in many batches. What is committed is in the log either way.
                db.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
                db.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
            else:
                db = self._readable(db)
            check(db, self.folder, write=self.write)
        except BaseException:
            db.close()
            raise
        return db

    def _readable(self, db: Connection) -> Connection:
        """The connection, or one that needs no shared-memory file where none can be made.

        On a read-only disk SQLite cannot set up the file by which readers and writers meet. When
        no log is left behind, nobody is writing, and the catalogue can be read as it lies.
        """
        try:
            db.execute("PRAGMA user_version").fetchone()
        except sqlite3.OperationalError:
            if self._log_holds_something():
                raise
            db.close()
            db = self._open("ro&immutable=1")
            db.frozen = True
        return db

    def _log_holds_something(self) -> bool:
        log = self.folder / f"{FILE}-wal"
        return log.exists() and log.stat().st_size > 0

    def _open(self, mode: str) -> Connection:
        address = f"{(self.folder / FILE).absolute().as_uri()}?mode={mode}"
        # One thread at a time uses a connection, and not always the same one.
        return sqlite3.connect(
            address,
            uri=True,
            timeout=10,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
        )


def now(db: sqlite3.Connection) -> int:
    """The catalogue's clock: how many changes were ever committed."""
    return int(db.execute("SELECT now FROM clock").fetchone()[0])


def among(db: sqlite3.Connection, query: str, wanted: Sequence[Any], *before: Any) -> Iterator[Any]:
    """The rows of a query with `IN (?)`, asked in pieces that every SQLite accepts."""
    for start in range(0, len(wanted), _MOST):
        part = wanted[start : start + _MOST]
        yield from db.execute(query.replace("(?)", f"({','.join('?' * len(part))})"), (*before, *part))


def under(query: str, folder: str | os.PathLike[str]) -> tuple[str, tuple[str, ...]]:
    """The query limited to a folder and every path in it, as a range that an index answers.

    >>> under("SELECT id FROM folders", "/p")[1] == ("/p", "/p" + os.sep, "/p" + chr(ord(os.sep) + 1))
    True
    """
    bare = os.fspath(folder).rstrip(os.sep)
    return (
        f"{query} WHERE (path = ? OR path >= ? AND path < ?)",
        (bare or os.sep, bare + os.sep, bare + chr(ord(os.sep) + 1)),
    )
