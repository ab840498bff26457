"""The changes a writer makes to the catalogue; each runs inside one transaction of the store."""

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count, repeat
from pathlib import Path
from typing import Any

from circlet.core import DataError, Vectors, missing
from circlet.index.embedded.catalogue import among, now
from circlet.index.embedded.marks import drop_marks
from circlet.index.embedded.spaces import Space
from circlet.index.embedded.vectorfile import append
from circlet.index.values import Entry, key_of, on_the_clock, seconds

# The largest number that SQLite keeps whole.
_WIDEST = 2**63 - 1
_COLUMNS = "path, folder, size, mtime_ns, hash, width, height, taken, moment, changed, key"
_INSERT = f"INSERT INTO pictures ({_COLUMNS}, id) VALUES ({', '.join('?' * 12)})"
_UPDATE = f"UPDATE pictures SET {_COLUMNS.replace(',', ' = ?,')} = ? WHERE id = ?"


def insert(
    db: sqlite3.Connection, folder: Path, entries: Sequence[Entry], vectors: Vectors, space: Space
) -> None:
    """Append the vectors and list them; they are on the disk before the list can be committed.

    A row that is not listed does not exist, so the catalogue is written while the disk takes the vectors.
    """
    with ThreadPoolExecutor(1) as beside:
        appended = beside.submit(append, folder / space.file, space.rows, vectors)
        ids = _listed(db, entries, space)
        digest = appended.result()
    db.executemany(
        "INSERT INTO rows (space, row, picture) VALUES (?, ?, ?)",
        zip(repeat(space.id), count(space.rows), ids),
    )
    db.execute("INSERT INTO batches VALUES (?, ?, ?, ?)", (space.id, space.rows, len(entries), digest))
    db.execute("UPDATE spaces SET rows = rows + ? WHERE id = ?", (len(entries), space.id))


def _listed(db: sqlite3.Connection, entries: Sequence[Entry], space: Space) -> list[int]:
    """Put the entries into the catalogue; whatever vectors they no longer answer for are buried."""
    query = "SELECT path, id, hash FROM pictures WHERE path IN (?)"
    known = {path: (id, hash) for path, id, hash in among(db, query, [entry.path for entry in entries])}
    ids = put(db, entries, {path: id for path, (id, _) in known.items()}, now(db))
    if known:
        both = [(known[entry.path], entry) for entry in entries if entry.path in known]
        bury(db, [id for (id, hash), entry in both if hash != entry.hash])
        bury(db, [id for (id, _), _ in both], space=space.id)
    return ids


def put(db: sqlite3.Connection, entries: Sequence[Entry], known: Mapping[str, int], tick: int) -> list[int]:
    """Write entries, over those that are known by their path; what could not be opened once now can.

    Returns the pictures' numbers, in the order of the entries.
    """
    folders = _folders(db, [os.path.dirname(entry.path) for entry in entries])  # noqa: PTH120 (ids are text)
    (last,) = db.execute("SELECT coalesce(max(id), 0) FROM pictures").fetchone()
    fresh = count(last + 1)
    ids = [known[entry.path] if entry.path in known else next(fresh) for entry in entries]
    values = [
        _values(entry, folder, tick, id) for entry, folder, id in zip(entries, folders, ids, strict=True)
    ]
    # Pictures that are new, as nearly all are, need neither be looked for nor compared.
    db.executemany(_INSERT, (row for row in values if row[-1] > last))
    db.executemany(_UPDATE, (row for row in values if row[-1] <= last))
    if db.execute("SELECT EXISTS (SELECT 1 FROM broken)").fetchone()[0]:
        db.executemany("DELETE FROM broken WHERE path = ?", ((entry.path,) for entry in entries))
    return ids


def _folders(db: sqlite3.Connection, paths: Sequence[str]) -> list[int]:
    """The folders' numbers in the catalogue, in this order; it gets those that it lacks."""
    each = list(dict.fromkeys(paths))
    db.executemany("INSERT OR IGNORE INTO folders (path) VALUES (?)", zip(each))
    ids: dict[str, int] = dict(among(db, "SELECT path, id FROM folders WHERE path IN (?)", each))
    return [ids[path] for path in paths]


def _values(entry: Entry, folder: int, tick: int, id: int) -> tuple[Any, ...]:
    taken = None if entry.taken is None else seconds(entry.taken)
    return (
        entry.path,
        folder,
        entry.size,
        min(max(entry.mtime_ns, -_WIDEST), _WIDEST),
        entry.hash,
        entry.width,
        entry.height,
        taken,
        seconds(on_the_clock(entry.mtime_ns)) if taken is None else taken,
        tick,
        key_of(entry.path),
        id,
    )


def rename(db: sqlite3.Connection, pairs: Sequence[tuple[str, Entry]]) -> None:
    """Give pictures new entries and keep their rows; whatever had the new path before is gone."""
    tick = now(db)
    old = [before for before, _ in pairs]
    new = [entry.path for _, entry in pairs]
    if len(set(old)) < len(old) or len(set(new)) < len(new):
        raise DataError("a picture moves twice at once: give each old and each new path once")
    ids = dict(among(db, "SELECT path, id FROM pictures WHERE path IN (?)", old))
    if len(ids) < len(old):
        raise missing(old, ids)
    # Two files may have swapped their names: all names are let go before any is taken.
    db.executemany("UPDATE pictures SET path = ? WHERE id = ?", ((f"\0{id}", id) for id in ids.values()))
    taken = [id for (id,) in among(db, "SELECT id FROM pictures WHERE path IN (?)", new)]
    bury(db, taken)
    db.executemany("DELETE FROM pictures WHERE id = ?", ((id,) for id in taken))
    put(db, [entry for _, entry in pairs], {entry.path: ids[before] for before, entry in pairs}, tick)


def bury(db: sqlite3.Connection, pictures: Iterable[int], space: int | None = None) -> None:
    """Take the pictures' rows out of the count, in one space, or in all with what was seen in them."""
    which = "picture = ?" if space is None else f"picture = ? AND space = {int(space)}"
    tick = now(db)
    pictures = list(pictures)
    db.executemany(
        f"INSERT INTO graves SELECT space, row, ? FROM rows WHERE {which}", ((tick, id) for id in pictures)
    )
    db.executemany(f"DELETE FROM rows WHERE {which}", ((id,) for id in pictures))
    if space is None:
        drop_marks(db, pictures)
