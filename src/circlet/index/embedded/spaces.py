"""The vector files that a catalogue names: one for each encoder."""

import secrets
import sqlite3
from pathlib import Path
from typing import NamedTuple

from circlet.core import MismatchError

_COLUMNS = "id, dim, file, rows, searched"


class Space(NamedTuple):
    """One encoder's vector file, how many of its rows are committed, and whether they are searched."""

    id: int
    dim: int
    file: str
    rows: int
    searched: int


def spaces(db: sqlite3.Connection) -> list[Space]:
    """Every encoder's space."""
    return [Space(*row) for row in db.execute(f"SELECT {_COLUMNS} FROM spaces ORDER BY id")]


def space_for(db: sqlite3.Connection, fingerprint: str, dim: int, searched: bool) -> Space:
    """The encoder's space, made on first use; its width never changes."""
    query = f"SELECT {_COLUMNS} FROM spaces WHERE fingerprint = ?"
    row = db.execute(query, (fingerprint,)).fetchone()
    if row is None:
        db.execute(
            "INSERT INTO spaces (fingerprint, dim, file, rows, searched) VALUES (?, ?, ?, 0, ?)",
            (fingerprint, dim, new_file(), searched),
        )
        row = db.execute(query, (fingerprint,)).fetchone()
    space = Space(*row)
    if space.dim != dim:
        raise MismatchError(
            f"{fingerprint} gave vectors of {dim} numbers, the index holds {space.dim}: "
            "an encoder that changed needs a fingerprint of its own"
        )
    return space


def new_file() -> str:
    """A name that no vector file ever had, so that whatever is cached beside it cannot be mistaken."""
    return f"vectors-{secrets.token_hex(8)}.f32"


def lacking(folder: Path, space: Space) -> int:
    """How many committed rows the vector file no longer has: none, unless somebody cut or lost it."""
    path = folder / space.file
    size = path.stat().st_size if path.exists() else 0
    return max(0, space.rows - size // (space.dim * 4))
