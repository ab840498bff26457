"""What the collections of a Milvus store look like: a catalogue, and one for each encoder's vectors."""

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import numpy as np

from circlet.core import StoreError, Vectors
from circlet.core.marks import PEOPLE, TEXT, Mark
from circlet.index.milvus.fields import CATALOGUE, LONGEST, Row, schema
from circlet.index.milvus.fields import SPACE as SPACE_FIELDS
from circlet.index.values import Entry, Known, key_of, on_the_clock, seconds, wall_clock

# The format of these collections; a store of a newer one is refused.
FORMAT = 1
# What a row of the catalogue is.
PICTURE, BROKEN, ROOT, SPACE, FOLDER, WRITER, ABOUT = range(7)
# Before the names of rows that are no pictures: no path begins so.
OWN = "\x01"
_WIDEST = 2**63 - 1
_NEVER = -_WIDEST
ENTRY = ("path", "size", "mtime_ns", "hash", "width", "height", "taken")
# Vectors that are searched are kept in lists, so many in each of the parts into which Milvus cuts a
# collection (fewer in a small one). What a search of those that are only looked up would need is not built.
LISTS = 1024
SEARCHED: Mapping[str, Any] = {"index_type": "IVF_FLAT", "params": {"nlist": LISTS}}
LOOKED_UP: Mapping[str, Any] = {"index_type": "FLAT", "params": {}}
# How many of its lists a search reads: those are measured to hold 99 in a hundred of the ten best.
PROBES = 256
# Twice as many for every so many results.
_DEEPER = 1_000


def probes(limit: int, share: float) -> int:
    """How many lists are read for so many results, of which this share of all pictures can be one.

    The fewer pass, the further away is the nearest that does, and the less it costs to read a list.

    >>> probes(10, 1.0), probes(10, 0.5), probes(10, 0.01), probes(2_000, 1.0)
    (258, 517, 1024, 768)
    """
    return min(LISTS, int(PROBES * (1 + limit / _DEEPER) / max(share, PROBES / LISTS)))


def catalogue_schema() -> Any:
    """A row a picture, by its path; beside them what the store knows of itself."""
    # Milvus has no collection without vectors: these are of two numbers, and say nothing.
    return schema(CATALOGUE, "path", 2)


def space_schema(dim: int) -> Any:
    """A row a vector, by the picture's key, with all that filters ask."""
    return schema(SPACE_FIELDS, "key", dim)


def table_of(store: str, fingerprint: str, dim: int) -> str:
    """The collection of one encoder's vectors.

    >>> table_of("pictures", "toy:1", 8)
    'pictures_6a309c58a298_8'
    """
    return f"{store}_{hashlib.blake2b(fingerprint.encode(), digest_size=6).hexdigest()}_{dim}"


def partition_of(root: str) -> str:
    """The partition of a root's pictures. Not chosen by a partition key: where rows are replaced, Milvus 2.3
    spreads those over all partitions, and looks for them in one.

    >>> partition_of("/home/me/Pictures"), partition_of("")
    ('r_94e03457ab17', '_default')
    """
    return f"r_{hashlib.blake2b(root.encode(), digest_size=6).hexdigest()}" if root else "_default"


def own_row(kind: int, name: str, **values: Any) -> Row:
    """A row of the catalogue that is no picture: a root, a space, a folder, a writer."""
    bare = dict.fromkeys(("key", "size", "mtime_ns", "width", "height", "taken", "moment"), 0)
    texts = {"hash": "", "root": "", "reason": "", "marks": {}}
    return {"path": f"{OWN}{kind}:{name}", "kind": kind, **bare, **texts, "vector": [0.0, 0.0], **values}


def named(row: Row) -> str:
    """What a row of the store's own is about."""
    return str(row["path"]).partition(":")[2]


def picture_row(entry: Entry, root: str, marks: Mapping[str, Any]) -> Row:
    """A picture's row of the catalogue."""
    row = own_row(PICTURE, "")
    row |= {
        "path": entry.path,
        "key": key_of(entry.path),
        "size": entry.size,
        "mtime_ns": min(max(entry.mtime_ns, -_WIDEST), _WIDEST),
        "hash": entry.hash,
        "width": entry.width,
        "height": entry.height,
        "taken": _NEVER if entry.taken is None else seconds(entry.taken),
        "moment": seconds(entry.taken or on_the_clock(entry.mtime_ns)),
        "root": root,
        "marks": dict(marks),
    }
    return row


def broken_row(path: str, reason: str, size: int, mtime_ns: int) -> Row:
    """The row of a file that could not be opened."""
    row = own_row(BROKEN, "", size=size, mtime_ns=mtime_ns, reason=reason)
    return row | {"path": path, "key": key_of(path)}


def entry_of(row: Row) -> Entry:
    """A picture as it was written."""
    taken: datetime | None = None if row["taken"] == _NEVER else wall_clock(row["taken"])
    return Entry(row["path"], row["size"], row["mtime_ns"], row["hash"], row["width"], row["height"], taken)


def known_of(row: Row) -> Known:
    """What tells whether a file must be read again."""
    return Known(row["size"], row["mtime_ns"], row["hash"])


def vector_row(picture: Row, vector: Any, turn: int) -> Row:
    """A vector's row of a space, from its picture's row of the catalogue."""
    marks, wider = picture["marks"], picture["width"] - picture["height"]
    return {
        "key": picture["key"],
        "root": picture["root"],
        "path": picture["path"],
        "hash": picture["hash"],
        "written": letters(marks[TEXT]["words"]) if TEXT in marks else "",
        "turn": turn,
        "moment": picture["moment"],
        "edge": max(picture["width"], picture["height"]),
        "people": int(marks[PEOPLE]["number"]) if PEOPLE in marks else -1,
        "checksum": checksum(vector),
        "shape": (wider > 0) - (wider < 0),
        "vector": vector,
    }


def letters(words: str) -> str:
    """What was read, without its spaces: as it is looked up."""
    return words.replace(" ", "")[: LONGEST // 4]


def checksum(vector: Any) -> int:
    """What tells that a vector is the one that was written.

    >>> import numpy as np
    >>> checksum(np.zeros(2, np.float32))
    1696784233
    """
    return zlib.crc32(np.ascontiguousarray(vector, np.float32).tobytes())


def mark_row(mark: Mark) -> dict[str, Any]:
    """A mark as it is kept with its picture."""
    kept = asdict(mark)
    if len(json.dumps(kept).encode()) > LONGEST // 4:
        raise StoreError("too much was seen in one picture for Milvus to keep: keep the index in a folder")
    return kept


def longest(roots: Iterable[str], path: str) -> str:
    """The root that a picture belongs to: the deepest folder that holds it, or none.

    >>> longest(["/p", "/p/a", "/q"], "/p/a/x.jpg"), longest(["/q"], "/p/x.jpg")
    ('/p/a', '')
    """
    holding = (root for root in roots if path.startswith(root.rstrip(os.sep) + os.sep))
    return max(holding, key=len, default="")


def stacked(rows: Iterable[Row], dim: int) -> Vectors:
    """The vectors of these rows."""
    vectors = [np.asarray(row["vector"], np.float32) for row in rows]
    return np.stack(vectors) if vectors else np.zeros((0, dim), np.float32)
