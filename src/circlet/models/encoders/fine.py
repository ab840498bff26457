"""The built-in encoder with a finer eye: its vectors, and beside them what the picture shows where.

What tells two look-alikes apart (a thing moved to the left, three of it instead of two) is mostly
lost in features that are pooled over the whole picture. A coarse grid of the network's middle layer
keeps it, for a composer to learn from; words have no place there.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from circlet.core.vectors import Vectors, unit
from circlet.models.encoders import convnet
from circlet.models.encoders.builtin import DIM, Builtin

RECIPE = "1"  # part of the fingerprint: change it when vectors change
PLACES = convnet.MIDDLE * convnet.GRID**2
# Of a picture's squared length the grid has a tenth, as much as colour has.
_REST, _PLACED = np.sqrt(np.array([0.9, 0.1], np.float32))


class Fine(Builtin):
    """The vectors of `Builtin`, and a 4 × 4 grid of the network's middle layer.

    >>> Fine().dim
    2560
    """

    name = "fine"
    seen = (*Builtin.seen, "grid")

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return DIM + PLACES

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: that of `Builtin`, and what is beside it."""
        return f"fine-{RECIPE}-{Builtin().fingerprint}"

    def join(self, *seen: Vectors) -> Vectors:
        """Unit rows from what the network says of pictures, in the order of `seen`."""
        *whole, grid = seen
        places = unit(grid.reshape(len(grid), PLACES))
        return np.concatenate([super().join(*whole) * _REST, places * _PLACED], axis=1)

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts, which say nothing of the grid."""
        return np.pad(super().texts(words), ((0, 0), (0, PLACES)))

    def cutoffs(self, queries: Vectors) -> Vectors:
        """For each query row the score that a match should reach, less by what the grid takes."""
        return super().cutoffs(queries[:, :DIM]) * _REST
