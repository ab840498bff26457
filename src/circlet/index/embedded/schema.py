"""The catalogue's tables, their version, and how an older one becomes this one."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from circlet.core import StoreError
from circlet.index.values import key_of

VERSION = 5
# Older formats that are read as they are; the next writer brings them up to date.
READABLE = (2, 3, 4, VERSION)
# Written into the file's header ("circ"), so that another program's database is not taken for ours.
APPLICATION = 0x63697263

# Keys have no order, so an index of them all is written to everywhere by each batch. One that begins with
# the block of pictures in which a key came is written to at its end; who looks for a key asks each block.
_BLOCK = "id >> 16"
_BY_KEY = f"CREATE INDEX pictures_by_key ON pictures ({_BLOCK}, key)"

# A vector row is never rewritten: a picture's row is listed in `rows` while it counts, and moves to
# `graves` when it no longer does. `clock` counts commits, so that readers ask for what is new only.
TABLES = f"""
CREATE TABLE clock (now INTEGER NOT NULL);
INSERT INTO clock VALUES (0);
CREATE TABLE roots (path TEXT PRIMARY KEY);
CREATE TABLE folders (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, folder INTEGER NOT NULL REFERENCES folders,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, hash TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, taken INTEGER, moment INTEGER NOT NULL,
    changed INTEGER NOT NULL, key INTEGER
);
{_BY_KEY};
CREATE INDEX pictures_by_change ON pictures (changed);
CREATE TABLE broken (
    path TEXT PRIMARY KEY, reason TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL
);
CREATE TABLE spaces (
    id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dim INTEGER NOT NULL,
    file TEXT NOT NULL, rows INTEGER NOT NULL, searched INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE rows (
    space INTEGER NOT NULL REFERENCES spaces, row INTEGER NOT NULL,
    picture INTEGER NOT NULL REFERENCES pictures, PRIMARY KEY (space, row)
) WITHOUT ROWID;
CREATE UNIQUE INDEX rows_by_picture ON rows (picture, space);
CREATE TABLE graves (
    space INTEGER NOT NULL REFERENCES spaces, row INTEGER NOT NULL, died INTEGER NOT NULL,
    PRIMARY KEY (space, row)
) WITHOUT ROWID;
CREATE INDEX graves_by_time ON graves (space, died);
CREATE TABLE batches (
    space INTEGER NOT NULL REFERENCES spaces, start INTEGER NOT NULL, count INTEGER NOT NULL,
    digest TEXT NOT NULL, PRIMARY KEY (space, start)
) WITHOUT ROWID;
"""
# What was seen in the pictures, one row for each kind of thing that was looked for.
MARKS = """
CREATE TABLE marks (
    picture INTEGER NOT NULL REFERENCES pictures, kind TEXT NOT NULL, by TEXT NOT NULL,
    number INTEGER NOT NULL, words TEXT NOT NULL, detail TEXT NOT NULL, PRIMARY KEY (picture, kind)
) WITHOUT ROWID;
CREATE INDEX marks_by_kind ON marks (kind);
"""


def _with_searched(db: sqlite3.Connection) -> None:
    """Format 2 tells vectors that are searched from those that are only looked up."""
    db.execute("ALTER TABLE spaces ADD COLUMN searched INTEGER NOT NULL DEFAULT 1")


def _with_keys(db: sqlite3.Connection) -> None:
    """Format 3 finds a picture by its key without going through all of them."""
    db.execute("ALTER TABLE pictures ADD COLUMN key INTEGER")
    db.create_function("picture_key", 1, key_of, deterministic=True)
    db.execute("UPDATE pictures SET key = picture_key(path)")
    db.execute("CREATE INDEX pictures_by_key ON pictures (key)")


def _with_marks(db: sqlite3.Connection) -> None:
    """Format 4 keeps what was seen in the pictures."""
    _run(db, MARKS)


def _with_blocks(db: sqlite3.Connection) -> None:
    """Format 5 has keys in the order in which their pictures came, and no index of contents."""
    db.execute("DROP INDEX IF EXISTS pictures_by_hash")
    db.execute("DROP INDEX IF EXISTS pictures_by_key")
    db.execute(_BY_KEY)


# From a version to the next: what changes the tables in place.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: _with_searched,
    2: _with_keys,
    3: _with_marks,
    4: _with_blocks,
}


def by_keys(db: sqlite3.Connection) -> str:
    """The query for keys with their paths, which ends in `IN (?)`, as the tables of its format answer it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == 2:
        db.create_function("picture_key", 1, key_of, deterministic=True)
        return "SELECT picture_key(path), path FROM pictures WHERE picture_key(path) IN (?)"
    if version < 5:
        return "SELECT key, path FROM pictures WHERE key IN (?)"
    (last,) = db.execute(f"SELECT coalesce(max({_BLOCK}), 0) FROM pictures").fetchone()
    blocks = ",".join(map(str, range(last + 1)))
    return f"SELECT key, path FROM pictures WHERE {_BLOCK} IN ({blocks}) AND key IN (?)"


def check(db: sqlite3.Connection, folder: Path, *, write: bool) -> None:
    """Make sure that this catalogue is one that this circlet reads; a writer creates or migrates it."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION or (version in READABLE and not write):
        return
    if version > VERSION:
        raise StoreError(
            f"the index at {folder} was written by a newer circlet (format {version}, this one reads "
            f"{VERSION}): update circlet, or keep another index by setting CIRCLET_HOME"
        )
    if not write:
        if version == 0:
            raise nothing(folder)
        raise StoreError(f"the index at {folder} has an older format: run `circlet index` once to update it")
    db.execute("BEGIN IMMEDIATE")
    try:
        if version == 0:
            _create(db, folder)
        for old in range(version or VERSION, VERSION):
            if old not in MIGRATIONS:
                raise StoreError(
                    f"the index at {folder} is too old for this circlet (format {old}, this one writes "
                    f"{VERSION}): move that folder away and run `circlet index` again"
                )
            MIGRATIONS[old](db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def nothing(folder: Path) -> StoreError:
    """The error for a folder in which nothing has been indexed."""
    return StoreError(f"there is no index at {folder}: run `circlet index FOLDER` first")


def _create(db: sqlite3.Connection, folder: Path) -> None:
    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StoreError(f"{folder} holds a database that is not circlet's: name another folder")
    _run(db, TABLES + MARKS)
    db.execute(f"PRAGMA application_id = {APPLICATION}")


def _run(db: sqlite3.Connection, statements: str) -> None:
    """One after the other: `executescript` would commit what is under way."""
    for statement in statements.split(";"):
        db.execute(statement)
