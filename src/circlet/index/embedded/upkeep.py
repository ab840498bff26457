"""What a writer does for the files: reclaim dead rows, drop lost ones, sweep what nobody names."""

import os
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from circlet.index.embedded.spaces import Space, new_file, spaces
from circlet.index.embedded.vectorfile import append, mapped
from circlet.index.embedded.writing import bury

# Dead rows cost a search as much as living ones: beyond this share they are worth a rewrite.
_DEAD_SHARE = 0.1
# One batch of a rewritten file: its checksum covers this many rows.
_BATCH = 4096
# How long a reader may take from learning a file's name to opening it.
GRACE_SECONDS = 600
# The approximate indices of earlier versions, which nobody reads any more.
_OUTDATED = ".ann"


def wasteful(db: sqlite3.Connection, space: Space) -> bool:
    """Whether so many rows are dead that rewriting the file pays."""
    (dead,) = db.execute("SELECT count(*) FROM graves WHERE space = ?", (space.id,)).fetchone()
    return bool(dead > _DEAD_SHARE * space.rows)


def compact(db: sqlite3.Connection, folder: Path, space: Space) -> None:
    """Write the living rows into a new file and number them anew.

    The catalogue names the new file in the same transaction that renumbers, so a reader has either
    the old file with the old numbers or the new with the new. The old file stays for those who
    have just learned its name, and is swept later. The caller has made sure that the living rows
    are sound, for they get new checksums here.
    """
    listed = db.execute("SELECT row, picture FROM rows WHERE space = ? ORDER BY row", (space.id,)).fetchall()
    living = np.array([row for row, _ in listed], np.intp)
    file = new_file()
    db.execute("DELETE FROM batches WHERE space = ?", (space.id,))
    if len(living):
        vectors = mapped(folder / space.file, int(living[-1]) + 1, space.dim)
        for start in range(0, len(living), _BATCH):
            part = vectors[living[start : start + _BATCH]]
            digest = append(folder / file, start, part)
            db.execute("INSERT INTO batches VALUES (?, ?, ?, ?)", (space.id, start, len(part), digest))
    db.execute("DELETE FROM rows WHERE space = ?", (space.id,))
    db.execute("DELETE FROM graves WHERE space = ?", (space.id,))
    db.executemany(
        "INSERT INTO rows VALUES (?, ?, ?)",
        ((space.id, row, picture) for row, (_, picture) in enumerate(listed)),
    )
    db.execute("UPDATE spaces SET file = ?, rows = ? WHERE id = ?", (file, len(living), space.id))
    if (folder / space.file).exists():
        os.utime(folder / space.file)


def drop_rows(db: sqlite3.Connection, space: int, rows: Iterable[int] | NDArray[np.intp]) -> None:
    """Take rows out of the count whose content is lost; their pictures will be encoded again."""
    for row in rows:
        owners = db.execute("SELECT picture FROM rows WHERE space = ? AND row = ?", (space, int(row)))
        bury(db, [picture for (picture,) in owners.fetchall()], space=space)


def sweep(db: sqlite3.Connection, folder: Path) -> None:
    """Remove vector files and what was derived from them that the catalogue does not name."""
    named = {Path(space.file).stem for space in spaces(db)}
    for path in folder.glob("vectors-*"):
        stem = "-".join(path.stem.split("-")[:2])
        if (
            stem not in named or path.suffix in (".part", _OUTDATED)
        ) and time.time() - path.stat().st_mtime > GRACE_SECONDS:
            path.unlink(missing_ok=True)
