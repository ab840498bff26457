"""The fields that the collections of a Milvus store have, and what each holds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Row = dict[str, Any]
# Milvus keeps no longer text in one field.
LONGEST = 65_535
_TEXTS = ("path", "hash", "root", "reason", "written")
_NUMBERS = (
    "key",
    "size",
    "mtime_ns",
    "width",
    "height",
    "taken",
    "moment",
    "turn",
    "edge",
    "people",
    "checksum",
)
_SMALL = ("kind", "shape")
CATALOGUE = (
    "path", "kind", "key", "size", "mtime_ns", "width", "height", "taken", "moment", "hash", "root", "reason",
    "marks", "vector",
)  # fmt: skip
SPACE = (
    "key", "root", "path", "hash", "written", "turn", "moment", "edge", "people", "checksum", "shape",
    "vector",
)  # fmt: skip


def holds(field: str) -> Any:
    """What Milvus calls the kind of values that a field holds."""
    from pymilvus import DataType

    if field in _TEXTS:
        return DataType.VARCHAR
    if field in _NUMBERS:
        return DataType.INT64
    return DataType.INT8 if field in _SMALL else {"marks": DataType.JSON}.get(field, DataType.FLOAT_VECTOR)


def columns(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows as the columns that pymilvus takes, which it packs many times faster than rows."""
    made = {field: [row[field] for row in rows] for field in rows[0]}
    made["vector"] = np.asarray(made["vector"], np.float32).tolist()
    return [{"name": field, "type": holds(field), "values": values} for field, values in made.items()]


def schema(fields: Sequence[str], key: str, dim: int) -> Any:
    """A collection with these fields, of which one is the key."""
    from pymilvus import DataType, MilvusClient

    made = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    sizes: dict[Any, dict[str, int]] = {
        DataType.VARCHAR: {"max_length": LONGEST},
        DataType.FLOAT_VECTOR: {"dim": dim},
    }
    for field in fields:
        kind = holds(field)
        made.add_field(field, kind, is_primary=field == key, **sizes.get(kind, {}))
    return made
