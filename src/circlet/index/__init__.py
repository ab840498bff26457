"""Galleries at rest: the catalogue, the vectors and the search over them."""

from circlet.core.home import home
from circlet.index.embedded.embedded import Embedded
from circlet.index.values import Broken, Counts, Entry, Filters, Known, SpaceCounts

__all__ = ["Broken", "Counts", "Embedded", "Entry", "Filters", "Known", "SpaceCounts", "home"]
