"""The file of answers: SQLite, so that an answer is on the disk before the next item is shown."""

import sqlite3
from pathlib import Path

from circlet.core import DataError, StoreError

FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS people (
    id TEXT PRIMARY KEY, made REAL NOT NULL, barred INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS practised (
    person TEXT NOT NULL, task TEXT NOT NULL, PRIMARY KEY (person, task)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, shown TEXT NOT NULL,
    truth TEXT NOT NULL, wanted INTEGER NOT NULL, split TEXT NOT NULL, known INTEGER NOT NULL,
    author TEXT NOT NULL, parent INTEGER, live INTEGER NOT NULL DEFAULT 1, have INTEGER NOT NULL DEFAULT 0);
-- How far each task is, kept as items change: a page cannot count them all each time.
CREATE TABLE IF NOT EXISTS totals (
    task TEXT PRIMARY KEY, wanted INTEGER NOT NULL, have INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS items_added AFTER INSERT ON items WHEN NEW.live AND NOT NEW.known BEGIN
    INSERT INTO totals VALUES (NEW.task, NEW.wanted, min(NEW.have, NEW.wanted)) ON CONFLICT (task)
    DO UPDATE SET wanted = wanted + excluded.wanted, have = have + excluded.have;
END;
CREATE TRIGGER IF NOT EXISTS items_changed AFTER UPDATE OF live, have ON items WHEN NOT NEW.known BEGIN
    UPDATE totals SET wanted = wanted + NEW.live * NEW.wanted - OLD.live * OLD.wanted,
    have = have + NEW.live * min(NEW.have, NEW.wanted) - OLD.live * min(OLD.have, OLD.wanted)
    WHERE task = NEW.task;
END;
CREATE INDEX IF NOT EXISTS items_by_task ON items (task, live, known, number);
CREATE INDEX IF NOT EXISTS items_open ON items (task, number) WHERE live AND NOT known AND have < wanted;
CREATE INDEX IF NOT EXISTS items_by_parent ON items (parent);
CREATE TABLE IF NOT EXISTS given (
    item INTEGER NOT NULL, person TEXT NOT NULL, began REAL NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (item, person)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS given_by_person ON given (person);
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL, person TEXT NOT NULL,
    answer TEXT NOT NULL, at REAL NOT NULL, seconds REAL NOT NULL, revision INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL DEFAULT 'kept', UNIQUE (item, person));
CREATE INDEX IF NOT EXISTS answers_by_person ON answers (person, at);
CREATE TABLE IF NOT EXISTS history (
    item INTEGER NOT NULL, person TEXT NOT NULL, revision INTEGER NOT NULL, answer TEXT NOT NULL,
    at REAL NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reviews (
    answer INTEGER PRIMARY KEY, verdict TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS steps (
    item INTEGER NOT NULL, person TEXT NOT NULL, at REAL NOT NULL, session TEXT NOT NULL,
    told TEXT NOT NULL);
"""


def connect(path: Path) -> sqlite3.Connection:
    """The file of answers, made if it is not there; shut to everybody else on this machine."""
    if not path.parent.is_dir():
        raise DataError(f"{path.parent}: no such folder; the project's answers are to be kept there")
    if not path.exists():
        path.touch(mode=0o600)
    try:
        opened = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        opened.execute("PRAGMA journal_mode = WAL")
        opened.executescript(f"BEGIN IMMEDIATE;{_TABLES}COMMIT;")
        opened.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (str(FORMAT),))
        (kept,) = opened.execute("SELECT value FROM about WHERE name = 'format'").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: cannot be used for answers ({error}); name another store") from None
    if kept != str(FORMAT):
        raise StoreError(f"{path}: written by another version of the studio (format {kept}); use that one")
    return opened
