"""What a score stands for: the odds that it was fitted to."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from circlet.core import Vectors


class Odds(NamedTuple):
    """The logarithm of the odds of a score: scale · score + shift.

    >>> round(float(Odds(2.0, -1.0).likely(np.array([0.5]))[0]), 3)
    0.5
    """

    scale: float
    shift: float

    def likely(self, scores: ArrayLike) -> Vectors:
        """The probability that a score stands for."""
        odds = self.scale * np.asarray(scores, np.float64) + self.shift
        return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50, 50))), np.float32)
