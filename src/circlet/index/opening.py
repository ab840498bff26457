"""One call for every store: a folder is the embedded one, `scheme://…` an engine of its own."""

import os
from collections.abc import Callable
from importlib import import_module

from circlet.core import UsageError
from circlet.index.store import Store

# scheme: "module:function" that opens it; loaded on first use.
ENGINES: dict[str, str] = {}


def open_store(location: str | os.PathLike[str], *, write: bool = False) -> Store:
    """The store at this place: `open_store("~/.circlet/index", write=True)`.

    With `write` it is made if it is not there, and ours alone to write where the engine needs that.

    >>> open_store("nowhere://host/name")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: nowhere://host/name: no store is reached by nowhere://; name a folder
    """
    text = os.fspath(location)
    scheme, mark, _ = text.partition("://")
    if not mark:
        from circlet.index.embedded.embedded import Embedded

        return Embedded.open(text, write=write)
    if scheme not in ENGINES:
        known = " or ".join(["a folder", *(f"{name}://…" for name in ENGINES)])
        raise UsageError(f"{text}: no store is reached by {scheme}://; name {known}")
    module, _, name = ENGINES[scheme].partition(":")
    opened: Callable[..., Store] = getattr(import_module(module), name)
    return opened(text, write=write)
