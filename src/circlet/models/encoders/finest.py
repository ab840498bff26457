"""The built-in encoder with the finest eye: what the network sees, and which colours, in 49 places.

Too long to search by, it is what an encoder is trained on (`circlet train encoder`): a count, or the
colour of one of several things, is lost in anything that is pooled over the whole picture.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from circlet.core import Prepared
from circlet.core.vectors import Vectors, unit
from circlet.models.encoders import colours, convnet
from circlet.models.encoders.builtin import DIM, Builtin, placed

RECIPE = "1"  # part of the fingerprint: change it when vectors change
SIDE = convnet.SIZE // 32
# What each place holds: the network's middle layer, and the colours that were measured there.
CHANNELS = convnet.MIDDLE + colours.SHADES
_SHARES = np.sqrt(np.array([0.8, 0.1, 0.1], np.float32))


class Finest(Builtin):
    """The vectors of `Builtin`, and for 7 × 7 places the network's middle layer and the colours.

    >>> Finest().dim, Finest().places
    (8020, (49, 148))
    """

    name = "finest"
    seen = (*Builtin.seen, "middle")
    # The last numbers of a vector are so many places with so many numbers each.
    places = (SIDE * SIDE, CHANNELS)

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return DIM + SIDE * SIDE * CHANNELS

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: that of `Builtin`, and what is beside it."""
        return f"finest-{RECIPE}-{Builtin().fingerprint}"

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        return self._placed(pictures, self._network.run(self.seen, {"pixels": pictures}))

    def both_prepared(self, pictures: Prepared) -> tuple[Vectors, Vectors]:
        """Unit rows and the last map from one run of the network."""
        *seen, last = self._network.run([*self.seen, "map"], {"pixels": pictures})
        return self._placed(pictures, seen), placed(last)

    def _placed(self, pictures: Prepared, seen: Sequence[Vectors]) -> Vectors:
        *whole, middle = seen
        count = len(middle)
        network = unit(middle.reshape(count, -1)).reshape(*middle.shape[:2], -1).transpose(0, 2, 1)
        measured = colours.by_place(pictures, SIDE)
        measured = unit(measured.reshape(count, -1)).reshape(measured.shape)
        places = np.concatenate([network * _SHARES[1], measured * _SHARES[2]], axis=2)
        return np.concatenate([self.join(*whole) * _SHARES[0], places.reshape(count, -1)], axis=1)

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts, which say nothing of places."""
        return np.pad(super().texts(words), ((0, 0), (0, self.dim - DIM)))

    def cutoffs(self, queries: Vectors) -> Vectors:
        """For each query row the score that a match should reach, less by what the places take."""
        return super().cutoffs(queries[:, :DIM]) * _SHARES[0]
