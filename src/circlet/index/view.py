"""One encoder's vectors as a reader sees them at one moment: rows, which of them count, filters."""

import os
import sqlite3
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from circlet.core import MismatchError, StoreError, Vectors
from circlet.index.catalogue import now
from circlet.index.values import Filters
from circlet.index.vectorfile import mapped

Mask = NDArray[np.bool_]

# What filters ask about a picture, one number each, in this order.
_COLUMNS = "folder, moment, max(width, height), width - height"
_FROM = "FROM rows JOIN pictures ON pictures.id = picture WHERE space = ?"


@dataclass(frozen=True, kw_only=True)
class View:
    """The rows of one vector file at one tick of the catalogue's clock. Never changed, only followed.

    Rows that no longer count stay in `vectors`; `alive` tells them apart.
    """

    space: int
    fingerprint: str
    file: str
    clock: int
    vectors: Vectors = field(repr=False)
    alive: Mask = field(repr=False)
    columns: NDArray[np.int64] | None = field(default=None, repr=False)
    masks: dict[Filters, Mask] = field(default_factory=dict, repr=False)

    @property
    def live(self) -> int:
        """How many rows count."""
        return int(np.count_nonzero(self.alive))

    def mask(self, db: sqlite3.Connection, filters: Filters | None) -> Mask:
        """The rows that count and pass the filters."""
        if not filters:
            return self.alive
        if filters not in self.masks:
            self.masks[filters] = self.alive & _passing(db, self._numbers(db), filters)
        return self.masks[filters]

    def _numbers(self, db: sqlite3.Connection) -> NDArray[np.int64]:
        if self.columns is None:
            columns = np.zeros((len(self.vectors), 4), np.int64)
            _fill(columns, db.execute(f"SELECT row, {_COLUMNS} {_FROM}", (self.space,)))
            object.__setattr__(self, "columns", columns)
        assert self.columns is not None
        return self.columns


def follow(db: sqlite3.Connection, folder: Path, fingerprint: str, last: View | None) -> View:
    """The view of this moment: the last one if nothing changed, else the last one brought up to date."""
    clock = now(db)
    if last and last.clock == clock:
        return last
    found = db.execute(
        "SELECT id, file, rows, dim FROM spaces WHERE fingerprint = ?", (fingerprint,)
    ).fetchone()
    if not found:
        raise _unknown(db, folder, fingerprint)
    space, file, rows, dim = found
    if last and last.file == file and last.clock < clock:
        return _advance(db, folder, last, clock, rows, dim)
    alive = np.ones(rows, np.bool_)
    alive[[row for (row,) in db.execute("SELECT row FROM graves WHERE space = ?", (space,))]] = False
    return View(
        space=space,
        fingerprint=fingerprint,
        file=file,
        clock=clock,
        vectors=mapped(folder / file, rows, dim),
        alive=alive,
    )


def _advance(db: sqlite3.Connection, folder: Path, last: View, clock: int, rows: int, dim: int) -> View:
    before = len(last.vectors)
    alive = np.concatenate([last.alive, np.ones(rows - before, np.bool_)])
    died = db.execute("SELECT row FROM graves WHERE space = ? AND died > ?", (last.space, last.clock))
    alive[[row for (row,) in died]] = False
    columns = last.columns
    if columns is not None:
        columns = np.concatenate([columns, np.zeros((rows - before, 4), np.int64)])
        _fill(
            columns,
            db.execute(f"SELECT row, {_COLUMNS} {_FROM} AND changed > ?", (last.space, last.clock)),
        )
    vectors = last.vectors if rows == before else mapped(folder / last.file, rows, dim)
    return replace(last, clock=clock, vectors=vectors, alive=alive, columns=columns, masks={})


def _fill(columns: NDArray[np.int64], numbers: sqlite3.Cursor) -> None:
    if found := numbers.fetchall():
        table = np.array(found, np.int64)
        columns[table[:, 0]] = table[:, 1:]


def _passing(db: sqlite3.Connection, numbers: NDArray[np.int64], filters: Filters) -> Mask:
    folder, moment, edge, wider = numbers.T
    mask = np.ones(len(numbers), np.bool_)
    if filters.folder is not None:
        inside = [id for (id,) in db.execute(*under("SELECT id FROM folders", "path", filters.folder))]
        mask &= np.isin(folder, inside)
    if filters.after is not None:
        mask &= moment >= seconds(filters.after)
    if filters.before is not None:
        mask &= moment < seconds(filters.before)
    if filters.min_size is not None:
        mask &= edge >= filters.min_size
    if filters.max_size is not None:
        mask &= edge <= filters.max_size
    if filters.orientation is not None:
        mask &= np.sign(wider) == {"landscape": 1, "portrait": -1, "square": 0}[filters.orientation]
    return mask


def under(query: str, column: str, folder: str | os.PathLike[str]) -> tuple[str, tuple[str, ...]]:
    """The query limited to a folder and everything in it, as a range that an index answers.

    >>> under("SELECT id FROM folders", "path", "/p")[1] == ("/p", "/p" + os.sep, "/p" + chr(ord(os.sep) + 1))
    True
    """
    whole = os.fspath(folder)
    bare = whole.rstrip(os.sep)
    return (
        f"{query} WHERE ({column} = ? OR {column} >= ? AND {column} < ?)",
        (whole, bare + os.sep, bare + chr(ord(os.sep) + 1)),
    )


def seconds(moment: datetime) -> int:
    """A moment on the wall clock as a number: cameras say no time zone, so none is looked at."""
    local = moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
    return round(local.replace(tzinfo=UTC).timestamp())


def wall_clock(number: int) -> datetime:
    """The moment that `seconds` made a number of."""
    return datetime.fromtimestamp(number, UTC).replace(tzinfo=None)


def _unknown(db: sqlite3.Connection, folder: Path, fingerprint: str) -> StoreError | MismatchError:
    others = [name for (name,) in db.execute("SELECT fingerprint FROM spaces ORDER BY id")]
    if not others:
        return StoreError(f"the index at {folder} is empty: run `circlet index FOLDER` first")
    return MismatchError(
        f"the index at {folder} has no vectors of {fingerprint}, it has those of {', '.join(others)}: "
        "pick that encoder, or run `circlet index` with this one"
    )
