"""Galleries at rest: the catalogue, the vectors and the search over them."""

from circlet.index.embedded import Embedded
from circlet.index.home import home
from circlet.index.values import Broken, Counts, Entry, Filters, Known, SpaceCounts

__all__ = ["Broken", "Counts", "Embedded", "Entry", "Filters", "Known", "SpaceCounts", "home"]
