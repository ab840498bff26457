"""What a store asks, in Milvus's language of expressions."""

import json
import os
from collections.abc import Iterable

from circlet.core import Filters
from circlet.index.values import seconds

SHAPES = {"landscape": 1, "portrait": -1, "square": 0}


def quoted(text: str) -> str:
    """A text as it stands in an expression.

    >>> print(quoted('a "b"'))
    "a \\"b\\""
    """
    return json.dumps(text, ensure_ascii=False)


def among(field: str, values: Iterable[str] | Iterable[int]) -> str:
    """That a field is one of these.

    >>> among("key", [1, 2])
    'key in [1,2]'
    """
    said = ",".join(quoted(value) if isinstance(value, str) else str(value) for value in values)
    return f"{field} in [{said}]"


def inside(folder: str) -> str:
    """That a path lies in this folder, however deep.

    >>> print(inside("/p"))
    (path >= "/p/" and path < "/p0")
    """
    bare = folder.rstrip(os.sep)
    return f"(path >= {quoted(bare + os.sep)} and path < {quoted(bare + chr(ord(os.sep) + 1))})"


def under(folder: str) -> str:
    """That a path is this one or lies in it.

    >>> print(under("/p"))
    (path == "/p" or (path >= "/p/" and path < "/p0"))
    """
    return f"(path == {quoted(folder.rstrip(os.sep) or os.sep)} or {inside(folder)})"


def both(*parts: str) -> str:
    """That all of these hold; those that ask nothing are left out.

    >>> both("a > 1", "", "b > 2")
    'a > 1 and b > 2'
    """
    return " and ".join(part for part in parts if part)


def passing(filters: Filters | None) -> str:
    """That a picture of a space passes the filters, what was written in it apart.

    >>> passing(Filters(min_size=400, orientation="portrait"))
    'edge >= 400 and shape == -1'
    """
    if not filters:
        return ""
    parts = []
    if filters.folder is not None:
        parts.append(inside(filters.folder))
    if filters.after is not None:
        parts.append(f"moment >= {seconds(filters.after)}")
    if filters.before is not None:
        parts.append(f"moment < {seconds(filters.before)}")
    if filters.min_size is not None:
        parts.append(f"edge >= {filters.min_size}")
    if filters.max_size is not None:
        parts.append(f"edge <= {filters.max_size}")
    if filters.orientation is not None:
        parts.append(f"shape == {SHAPES[filters.orientation]}")
    if filters.people is not None:
        least, most = filters.people
        parts.append(f"people >= {max(least, 0)} and people <= {most}")
    return both(*parts)


def related(folder: str, roots: Iterable[str]) -> list[str]:
    """The roots that hold this folder or lie in it.

    >>> related("/p/a", ["/p", "/q", "/p/a/b"])
    ['/p', '/p/a/b']
    """
    bare = folder.rstrip(os.sep) + os.sep
    rooted = {root: root.rstrip(os.sep) + os.sep for root in roots}
    return [root for root, text in rooted.items() if text.startswith(bare) or bare.startswith(text)]
