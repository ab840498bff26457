"""One call for every store: a folder is the embedded one, `scheme://…` an engine of its own."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from circlet.core import UsageError
from circlet.index.store import Store

# scheme: "module:function" that opens it; loaded on first use.
ENGINES: dict[str, str] = dict.fromkeys(
    ("milvus", "milvus+tls"), "circlet.index.milvus.milvus_store:open_milvus"
)


def is_engine(location: str | os.PathLike[str]) -> bool:
    """Whether this is an engine's address, and no folder.

    >>> is_engine("milvus://localhost:19530/pictures"), is_engine("/srv/index")
    (True, False)
    """
    return "://" in os.fspath(location)


def store_at(location: str | os.PathLike[str]) -> str:
    """A store's place in full, from wherever it is asked for later: an address, or an absolute folder.

    >>> store_at("milvus://localhost:19530/pictures"), store_at("/srv/index")
    ('milvus://localhost:19530/pictures', '/srv/index')
    """
    return os.fspath(location) if is_engine(location) else str(Path(location).expanduser().absolute())


def public_address(location: str | os.PathLike[str]) -> str:
    """A store's place as it may be shown: without the word that opens it.

    >>> public_address("milvus://root:secret@localhost:19530/pictures")
    'milvus://localhost:19530/pictures'
    """
    scheme, mark, rest = os.fspath(location).partition("://")
    return scheme + mark + rest.rpartition("@")[2] if mark else scheme


def open_store(location: str | os.PathLike[str], *, write: bool = False) -> Store:
    """The store at this place: `open_store("~/.circlet/index", write=True)`.

    With `write` it is made if it is not there, and ours alone to write where the engine needs that.

    >>> open_store("nowhere://host/x")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: nowhere://host/x: no store is reached by nowhere://; name a folder or ...
    """
    text = os.fspath(location)
    scheme, mark, _ = text.partition("://")
    if not mark:
        from circlet.index.embedded.embedded import Embedded

        return Embedded.open(text, write=write)
    if scheme not in ENGINES:
        known = " or ".join(["a folder", *(f"{name}://…" for name in ENGINES)])
        raise UsageError(f"{public_address(text)}: no store is reached by {scheme}://; name {known}")
    module, _, name = ENGINES[scheme].partition(":")
    opened: Callable[..., Store] = getattr(import_module(module), name)
    return opened(text, write=write)
