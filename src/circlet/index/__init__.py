"""Galleries at rest: stores of pictures and vectors, and the search over them."""

from circlet.core.filters import Filters
from circlet.index.opening import is_engine, open_store, public_address, store_at
from circlet.index.store import Marking, Store, StoredSpace, marking
from circlet.index.transfer import Copied, transfer
from circlet.index.values import Broken, Counts, Entry, Known, SpaceCounts, Tally, key_of

__all__ = [
    "Broken",
    "Copied",
    "Counts",
    "Entry",
    "Filters",
    "Known",
    "Marking",
    "SpaceCounts",
    "Store",
    "StoredSpace",
    "Tally",
    "is_engine",
    "key_of",
    "marking",
    "open_store",
    "public_address",
    "store_at",
    "transfer",
]
