"""Builders of composed-retrieval datasets: subsets of look-alikes, and pairs drawn from them."""

from circlet.build.cirr_files import Built, read_subsets, write_cirr, write_subsets
from circlet.build.pairs import DRAWN, draw_pairs
from circlet.build.subsets import SubsetRule, Subsets, find_subsets

__all__ = [
    "DRAWN",
    "Built",
    "SubsetRule",
    "Subsets",
    "draw_pairs",
    "find_subsets",
    "read_subsets",
    "write_cirr",
    "write_subsets",
]
