"""Whether everything that the catalogue promises is there, in plain lines."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from circlet.index.vectorfile import digest, mapped


def problems(db: sqlite3.Connection, folder: Path) -> Iterator[str]:
    """What is wrong, one line each with its remedy; nothing when all is well."""
    for (said,) in db.execute("PRAGMA integrity_check"):
        if said != "ok":
            yield f"the catalogue is damaged: {said}; move {folder} away and run `circlet index` again"
    spaces = db.execute("SELECT id, fingerprint, dim, file, rows FROM spaces").fetchall()
    for space, fingerprint, dim, file, rows in spaces:
        yield from _space(db, folder / file, space, fingerprint, dim, rows)


def _space(
    db: sqlite3.Connection, path: Path, space: int, fingerprint: str, dim: int, rows: int
) -> Iterator[str]:
    size = path.stat().st_size if path.exists() else 0
    if size < rows * dim * 4:
        yield (
            f"{path.name}: {rows - size // (dim * 4)} of {rows} vectors of {fingerprint} are missing; "
            "`circlet index` makes them again"
        )
        return
    vectors = mapped(path, rows, dim)
    covered = 0
    for start, count, said in db.execute(
        "SELECT start, count, digest FROM batches WHERE space = ? ORDER BY start", (space,)
    ):
        part = vectors[start : start + count]
        if start != covered or digest(part) != said:
            yield f"{path.name}: vectors {start} to {start + count - 1} changed on the disk"
        elif not np.isfinite(part).all():
            yield f"{path.name}: vectors {start} to {start + count - 1} hold values that are no numbers"
        covered = start + count
    if covered != rows:
        yield f"{path.name}: {rows} vectors, but the batches cover {covered}"
    live, last, orphans = db.execute(
        "SELECT count(*), max(row), sum(pictures.id IS NULL) "
        "FROM rows LEFT JOIN pictures ON pictures.id = picture WHERE space = ?",
        (space,),
    ).fetchone()
    (dead,) = db.execute("SELECT count(*) FROM graves WHERE space = ?", (space,)).fetchone()
    if live + dead != rows or (last is not None and last >= rows):
        yield f"{path.name}: {rows} vectors, but {live} are listed and {dead} dropped"
    if orphans:
        yield f"{path.name}: {orphans} vectors belong to no picture"
