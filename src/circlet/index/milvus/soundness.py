"""Whether a Milvus store is whole: every vector is the one that was written, and belongs to a picture."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from circlet.index.milvus.fields import Row
from circlet.index.milvus.link import Link
from circlet.index.milvus.tables import PICTURE, checksum

if TYPE_CHECKING:
    from circlet.index.milvus.milvus_catalogue import Space

_READ = 1_000
_REMEDY = "`circlet verify --repair` drops it, `circlet index` makes it again"
_FIELDS = ("key", "path", "hash", "checksum", "vector")


class Fault(NamedTuple):
    """A row of a collection that cannot be trusted, and why, with the remedy."""

    table: str
    key: int
    line: str


def faults(link: Link, catalogue: str, spaces: "Mapping[str, Space]") -> Iterator[Fault]:
    """What is wrong, row by row; all vectors are read, some at a time."""
    for fingerprint, space in spaces.items():
        seen = 0
        for rows in link.pages(space.table, "key", "", _FIELDS, size=_READ):
            seen += len(rows)
            paths = [row["path"] for row in rows]
            known = {
                row["path"]: row["hash"]
                for row in link.having(catalogue, "path", paths, ("path", "hash", "kind"))
                if row["kind"] == PICTURE
            }
            for row in rows:
                if wrong := _wrong(row, known):
                    line = f"{row['path']}: its vector of {fingerprint} {wrong}: {_REMEDY}"
                    yield Fault(space.table, row["key"], line)
        counted = link.count(space.table)
        if counted > seen:
            # Rows that share a key come as one: whoever has such a key is written anew.
            yield from _doubled(link, space.table, fingerprint, counted - seen)


def _wrong(row: Row, known: Mapping[str, str]) -> str:
    vector = np.asarray(row["vector"], np.float32)
    if not np.isfinite(vector).all():
        return "holds values that are no numbers"
    if checksum(vector) != row["checksum"]:
        return "changed in the server"
    if row["path"] not in known:
        return "belongs to no picture"
    return "" if known[row["path"]] == row["hash"] else "shows what the picture was before it changed"


def _doubled(link: Link, table: str, fingerprint: str, more: int) -> Iterator[Fault]:
    for rows in link.pages(table, "key", "", ("key", "path")):
        for row in rows:
            if more and (count := link.count(table, f"key == {row['key']}")) > 1:
                more -= count - 1
                line = f"{row['path']}: its vector of {fingerprint} is there {count} times: {_REMEDY}"
                yield Fault(table, row["key"], line)
