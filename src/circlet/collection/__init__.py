"""A collection of pictures: index it, search it, talk about it. Nothing here prints."""

from circlet.collection.collection import Collection
from circlet.collection.options import SearchOptions
from circlet.collection.results import Check, Hit, Results

__all__ = ["Check", "Collection", "Hit", "Results", "SearchOptions"]
