"""What is indexed as a table: a CSV or JSON file with a row a picture."""

import csv
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circlet.core import UsageError
from circlet.core.files import replacing

if TYPE_CHECKING:
    from circlet.collection.collection import Collection

COLUMNS = ("path", "folder", "width", "height", "taken", "bytes", "hash")
# So many pictures are asked for at once: an index is never read whole.
_AT_ONCE = 500


def write_catalogue(collection: "Collection", out: Path) -> int:
    """Write every picture of the collection, and say how many; the ending says which form: .csv or .json.

    write_catalogue(circlet.open("~/Pictures"), Path("pictures.csv"))
    """
    if out.suffix not in (".csv", ".json"):
        raise UsageError(f"{out}: a catalogue is a .csv or a .json file; name it so")
    count = 0
    with replacing(out) as half, half.open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS) if out.suffix == ".csv" else None
        if rows is not None:
            rows.writeheader()
        else:
            file.write("[")
        for count, row in enumerate(_rows(collection), start=1):
            if rows is not None:
                rows.writerow(row)
            else:
                file.write(("" if count == 1 else ",") + "\n" + json.dumps(row, ensure_ascii=False))
        if rows is None:
            file.write("\n]\n")
    return count


def _rows(collection: "Collection") -> Iterator[dict[str, Any]]:
    """A row a picture, folder by folder."""
    roots = [collection.root] if collection.root else collection.roots()
    for root in roots:
        lists = collection.lists
        known = lists.known(root, collection.store) if root in lists else collection.store.walk(root)
        walk = (path for path, _ in known)
        while some := list(islice(walk, _AT_ONCE)):
            for entry in collection.store.entries(some):
                yield {
                    "path": entry.path,
                    "folder": root,
                    "width": entry.width,
                    "height": entry.height,
                    "taken": entry.taken.isoformat() if entry.taken else "",
                    "bytes": entry.size,
                    "hash": entry.hash,
                }
