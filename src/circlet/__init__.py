"""circlet finds pictures by a picture and words: "like this, but at night".

>>> import circlet
>>> pictures = circlet.open("~/Pictures")                    # doctest: +SKIP
>>> pictures.index()                                         # doctest: +SKIP
>>> for hit in pictures.search("beach.jpg", "at night"):     # doctest: +SKIP
...     print(hit.rank, hit.score, hit.path)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from circlet.app.bars import bar
    from circlet.collection import Collection, Hit, Results, SearchOptions
    from circlet.core import CircletError, Query, Turn
    from circlet.dialogue import Session

__version__ = "0.1.0"

# What the door shows, and the room it lives in: loaded when it is asked for.
_DOOR = {
    "CircletError": "circlet.core",
    "Collection": "circlet.collection",
    "Hit": "circlet.collection",
    "Query": "circlet.core",
    "Results": "circlet.collection",
    "SearchOptions": "circlet.collection",
    "Session": "circlet.dialogue",
    "Turn": "circlet.core",
    "bar": "circlet.app.bars",
}

__all__ = [
    "CircletError",
    "Collection",
    "Hit",
    "Query",
    "Results",
    "SearchOptions",
    "Session",
    "Turn",
    "bar",
    "open",
]


def open(folder: Any = None, **options: Any) -> "Collection":
    """The collection of a folder, or of everything indexed; options are those of `Collection.open`.

    >>> circlet.open("~/Pictures", encoder="clip")           # doctest: +SKIP
    """
    from circlet.collection import Collection

    return Collection.open(folder, **options)


def __getattr__(name: str) -> Any:
    if name not in _DOOR:
        raise AttributeError(f"module 'circlet' has no attribute {name!r}")
    return getattr(import_module(_DOOR[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
