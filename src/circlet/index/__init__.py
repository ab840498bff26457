"""Galleries at rest: stores of pictures and vectors, and the search over them."""

from circlet.core.filters import Filters
from circlet.index.opening import open_store
from circlet.index.store import Marking, Store, StoredSpace, marking
from circlet.index.values import Broken, Counts, Entry, Known, SpaceCounts, Tally, key_of

__all__ = [
    "Broken",
    "Counts",
    "Entry",
    "Filters",
    "Known",
    "Marking",
    "SpaceCounts",
    "Store",
    "StoredSpace",
    "Tally",
    "key_of",
    "marking",
    "open_store",
]
