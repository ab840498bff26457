"""What was seen in the pictures of an embedded store, kept beside its vectors in the catalogue."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from circlet.core.marks import Mark
from circlet.index.embedded.catalogue import Catalogue, among, now, under

# The first format that keeps marks; an older catalogue that is only read has none.
SINCE = 4
_LISTED = 1_000
_MARK = "by, number, words, detail"


def keeps_marks(db: sqlite3.Connection) -> bool:
    """Whether this catalogue has a place for marks."""
    return bool(db.execute("PRAGMA user_version").fetchone()[0] >= SINCE)


def marks_among(db: sqlite3.Connection, ids: Sequence[str], kind: str) -> dict[str, Mark]:
    """The marks of one kind of these pictures, as far as there are any."""
    if not keeps_marks(db):
        return {}
    query = (
        f"SELECT path, {_MARK} FROM pictures JOIN marks ON picture = pictures.id "
        "WHERE kind = ? AND path IN (?)"
    )
    return {path: Mark(*rest) for path, *rest in among(db, query, list(ids), kind)}


def drop_marks(db: sqlite3.Connection, pictures: Sequence[int]) -> None:
    """Forget what was seen in pictures that are gone, or show something else now."""
    db.executemany("DELETE FROM marks WHERE picture = ?", ((id,) for id in pictures))


class Marks:
    """The part of an embedded store that keeps marks (`index.Marking`)."""

    _catalogue: Catalogue

    def mark(self, kind: str, seen: Mapping[str, Mark]) -> None:
        """Keep what was seen in these pictures, as one durable batch; those that are gone are passed by."""
        with self._catalogue.writing() as db:
            query = "SELECT path, id FROM pictures WHERE path IN (?)"
            ids: dict[str, int] = dict(among(db, query, list(seen)))
            db.executemany(
                f"INSERT OR REPLACE INTO marks (picture, kind, {_MARK}) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (id, kind, seen[path].by, seen[path].number, seen[path].words, seen[path].detail)
                    for path, id in ids.items()
                ),
            )
            tick = now(db)
            db.executemany(
                "UPDATE pictures SET changed = ? WHERE id = ?", ((tick, id) for id in ids.values())
            )

    def unmarked(self, root: str, kind: str, by: str) -> Iterator[str]:
        """The pictures under a folder that `by` has not looked at, in the order of paths.

        Some are read at a time, so the caller may write in between.
        """
        where, limits = under("", root)
        query = (
            f"SELECT path FROM pictures {where} AND path > ? AND NOT EXISTS (SELECT 1 FROM marks "
            f"WHERE picture = pictures.id AND kind = ? AND by = ?) ORDER BY path LIMIT {_LISTED}"
        )
        last = ""
        while True:
            with self._catalogue.reading() as db:
                paths = [path for (path,) in db.execute(query, (*limits, last, kind, by))]
            yield from paths
            if len(paths) < _LISTED:
                return
            last = paths[-1]

    def marked(self, kind: str) -> int:
        """How many pictures have a mark of this kind."""
        with self._catalogue.reading() as db:
            if not keeps_marks(db):
                return 0
            return int(db.execute("SELECT count(*) FROM marks WHERE kind = ?", (kind,)).fetchone()[0])
