"""The changes a writer makes to the catalogue; each runs inside one transaction of the store."""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from circlet.core import DataError, Vectors, missing
from circlet.index.embedded.catalogue import among, now
from circlet.index.embedded.marks import drop_marks
from circlet.index.embedded.spaces import Space
from circlet.index.embedded.vectorfile import append
from circlet.index.values import Entry, key_of, seconds

# The largest number that SQLite keeps whole.
_WIDEST = 2**63 - 1


def insert(
    db: sqlite3.Connection, folder: Path, entries: Sequence[Entry], vectors: Vectors, space: Space
) -> None:
    """Append the vectors, then list them: a row that is not listed does not exist."""
    digest = append(folder / space.file, space.rows, vectors)
    tick = now(db)
    paths = [entry.path for entry in entries]
    before = dict(among(db, "SELECT path, hash FROM pictures WHERE path IN (?)", paths))
    put(db, entries, tick)
    ids = dict(among(db, "SELECT path, id FROM pictures WHERE path IN (?)", paths))
    changed = [ids[entry.path] for entry in entries if before.get(entry.path, entry.hash) != entry.hash]
    bury(db, changed)
    bury(db, ids.values(), space=space.id)
    db.executemany(
        "INSERT INTO rows (space, row, picture) VALUES (?, ?, ?)",
        ((space.id, space.rows + at, ids[path]) for at, path in enumerate(paths)),
    )
    db.execute("INSERT INTO batches VALUES (?, ?, ?, ?)", (space.id, space.rows, len(entries), digest))
    db.execute("UPDATE spaces SET rows = rows + ? WHERE id = ?", (len(entries), space.id))


def put(db: sqlite3.Connection, entries: Sequence[Entry], tick: int) -> None:
    """Write entries under their paths, new or not; what could not be opened once now can."""
    folders = {os.path.dirname(entry.path) for entry in entries}  # noqa: PTH120 (ids are text, not Paths)
    db.executemany("INSERT OR IGNORE INTO folders (path) VALUES (?)", ((path,) for path in folders))
    db.executemany(
        "INSERT INTO pictures (path, folder, size, mtime_ns, hash, width, height, taken, moment, changed, "
        "key) VALUES (?, (SELECT id FROM folders WHERE path = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (path) DO UPDATE SET folder = excluded.folder, size = excluded.size, "
        "mtime_ns = excluded.mtime_ns, hash = excluded.hash, width = excluded.width, "
        "height = excluded.height, taken = excluded.taken, moment = excluded.moment, "
        "changed = excluded.changed, key = excluded.key",
        (_values(entry, tick) for entry in entries),
    )
    db.executemany("DELETE FROM broken WHERE path = ?", ((entry.path,) for entry in entries))


def _values(entry: Entry, tick: int) -> tuple[object, ...]:
    return (
        entry.path,
        os.path.dirname(entry.path),  # noqa: PTH120
        entry.size,
        min(max(entry.mtime_ns, -_WIDEST), _WIDEST),
        entry.hash,
        entry.width,
        entry.height,
        None if entry.taken is None else seconds(entry.taken),
        seconds(entry.taken or _on_the_clock(entry.mtime_ns)),
        tick,
        key_of(entry.path),
    )


def _on_the_clock(mtime_ns: int) -> datetime:
    """A file's time where we are; broken disks and copying tools leave some that no calendar has."""
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0)


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
    db.executemany(
        "UPDATE pictures SET path = ? WHERE id = ?", ((entry.path, ids[before]) for before, entry in pairs)
    )
    put(db, [entry for _, entry in pairs], tick)


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
