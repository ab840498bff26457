"""Whether everything that the catalogue promises is there, in plain lines."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from circlet.index.embedded.spaces import Space, lacking, spaces
from circlet.index.embedded.vectorfile import digest, mapped

# What checking keeps in memory of the catalogue, at most.
_CACHE_KB = 256 * 1024


class Damage(NamedTuple):
    """Rows of a space whose content is lost, and the line that says so."""

    space: Space
    rows: range
    line: str


def problems(db: sqlite3.Connection, folder: Path) -> Iterator[str]:
    """What is wrong, one line each with its remedy; nothing when all is well."""
    # Every entry of every index is looked up: with few pages in memory most would be read again and again.
    db.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    for (complaint,) in db.execute("PRAGMA integrity_check"):
        if complaint != "ok":
            yield f"the catalogue is damaged ({complaint}): move {folder} away and run `circlet index` again"
    for (path,) in db.execute("SELECT path FROM pictures WHERE hash = ''"):
        yield f"{path}: it has no content hash: `circlet forget` it and index it again"
    for space in spaces(db):
        if gone := lacking(folder, space):
            yield f"{space.file}: {gone} of {space.rows} vectors are gone: `circlet index` makes them again"
        yield from _listing(db, space)
        there = space.rows - gone
        yield from (part.line for part in damage(db, folder, space) if part.rows.stop <= there)


def damage(db: sqlite3.Connection, folder: Path, space: Space) -> Iterator[Damage]:
    """The living vectors that are not what was written, batch by batch."""
    there = space.rows - lacking(folder, space)
    vectors = mapped(folder / space.file, there, space.dim)
    batches = db.execute(
        "SELECT start, count, digest FROM batches AS b WHERE space = ? AND EXISTS (SELECT 1 FROM rows "
        "WHERE rows.space = b.space AND row >= start AND row < start + count) ORDER BY start",
        (space.id,),
    )
    for start, count, checksum in batches.fetchall():
        part = vectors[start : start + count]
        if len(part) < count:
            wrong = "are gone"
        elif digest(part) != checksum:
            wrong = "changed on the disk"
        elif not np.isfinite(part).all():
            wrong = "hold values that are no numbers"
        else:
            continue
        remedy = "`circlet verify --repair` drops them, `circlet index` makes them again"
        line = f"{space.file}: vectors {start} to {start + count - 1} {wrong}: {remedy}"
        yield Damage(space, range(start, start + count), line)


def _listing(db: sqlite3.Connection, space: Space) -> Iterator[str]:
    """Every row is listed or dropped, exactly once, and belongs to a picture."""
    live, last, orphans = db.execute(
        "SELECT count(*), coalesce(max(row), -1), coalesce(sum(pictures.id IS NULL), 0) "
        "FROM rows LEFT JOIN pictures ON pictures.id = picture WHERE space = ?",
        (space.id,),
    ).fetchone()
    (dead,) = db.execute("SELECT count(*) FROM graves WHERE space = ?", (space.id,)).fetchone()
    (summed,) = db.execute(
        "SELECT coalesce(sum(count), 0) FROM batches WHERE space = ?", (space.id,)
    ).fetchone()
    remedy = "move the index away and run `circlet index` again"
    if live + dead != space.rows or last >= space.rows:
        yield f"{space.file}: {space.rows} vectors, but {live} listed and {dead} dropped: {remedy}"
    if summed != space.rows:
        yield f"{space.file}: {space.rows} vectors, but its batches hold {summed}: {remedy}"
    if orphans:
        yield f"{space.file}: {orphans} vectors belong to no picture: {remedy}"
