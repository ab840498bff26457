"""The changes a writer makes to the catalogue; each runs inside one transaction of the store."""

import os
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from circlet.core import MismatchError, Vectors, missing
from circlet.index.catalogue import among, now
from circlet.index.values import Entry, seconds
from circlet.index.vectorfile import append


class Space(NamedTuple):
    """One encoder's vector file and how many of its rows are committed."""

    id: int
    dim: int
    file: str
    rows: int


def space_for(db: sqlite3.Connection, fingerprint: str, dim: int) -> Space:
    """The encoder's space, made on first use; its width never changes."""
    query = "SELECT id, dim, file, rows FROM spaces WHERE fingerprint = ?"
    found = db.execute(query, (fingerprint,)).fetchone()
    if found is None:
        db.execute(
            "INSERT INTO spaces (fingerprint, dim, file, rows) VALUES (?, ?, ?, 0)",
            (fingerprint, dim, new_file()),
        )
        found = db.execute(query, (fingerprint,)).fetchone()
    space = Space(*found)
    if space.dim != dim:
        raise MismatchError(
            f"{fingerprint} gave vectors of {dim} numbers, the index holds {space.dim}: "
            "an encoder that changed needs a fingerprint of its own"
        )
    return space


def new_file() -> str:
    """A name that no vector file ever had, so that whatever is cached beside it cannot be mistaken."""
    return f"vectors-{secrets.token_hex(8)}.f32"


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
        "INSERT INTO pictures (path, folder, size, mtime_ns, hash, width, height, taken, moment, changed) "
        "VALUES (?, (SELECT id FROM folders WHERE path = ?), ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (path) DO UPDATE SET folder = excluded.folder, size = excluded.size, "
        "mtime_ns = excluded.mtime_ns, hash = excluded.hash, width = excluded.width, "
        "height = excluded.height, taken = excluded.taken, moment = excluded.moment, "
        "changed = excluded.changed",
        (_values(entry, tick) for entry in entries),
    )
    db.executemany("DELETE FROM broken WHERE path = ?", ((entry.path,) for entry in entries))


def _values(entry: Entry, tick: int) -> tuple[object, ...]:
    moment = entry.taken or datetime.fromtimestamp(entry.mtime_ns / 1e9)
    return (
        entry.path,
        os.path.dirname(entry.path),  # noqa: PTH120
        entry.size,
        entry.mtime_ns,
        entry.hash,
        entry.width,
        entry.height,
        None if entry.taken is None else seconds(entry.taken),
        seconds(moment),
        tick,
    )


def rename(db: sqlite3.Connection, pairs: Sequence[tuple[str, Entry]]) -> None:
    """Give pictures new entries and keep their rows; whatever had the new path before is gone."""
    tick = now(db)
    old = [before for before, _ in pairs]
    ids = dict(among(db, "SELECT path, id FROM pictures WHERE path IN (?)", old))
    if len(ids) < len(set(old)):
        raise missing(old, ids)
    # Two files may have swapped their names: all names are let go before any is taken.
    db.executemany("UPDATE pictures SET path = ? WHERE id = ?", ((f"\0{id}", id) for id in ids.values()))
    new = [entry.path for _, entry in pairs]
    taken = [id for (id,) in among(db, "SELECT id FROM pictures WHERE path IN (?)", new)]
    bury(db, taken)
    db.executemany("DELETE FROM pictures WHERE id = ?", ((id,) for id in taken))
    db.executemany(
        "UPDATE pictures SET path = ? WHERE id = ?", ((entry.path, ids[before]) for before, entry in pairs)
    )
    put(db, [entry for _, entry in pairs], tick)


def bury(db: sqlite3.Connection, pictures: Iterable[int], space: int | None = None) -> None:
    """Take the pictures' rows out of the count, in one space or in all."""
    which = "picture = ?" if space is None else f"picture = ? AND space = {int(space)}"
    tick = now(db)
    pictures = list(pictures)
    db.executemany(
        f"INSERT INTO graves SELECT space, row, ? FROM rows WHERE {which}", ((tick, id) for id in pictures)
    )
    db.executemany(f"DELETE FROM rows WHERE {which}", ((id,) for id in pictures))
