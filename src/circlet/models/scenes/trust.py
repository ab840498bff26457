"""How far each kind of evidence is to be trusted: what is read badly in pictures says little of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from circlet.core import Vectors
from circlet.models.scenes.holding import EVIDENCE


class Trust(NamedTuple):
    """What each of `EVIDENCE` counts, and a shift: the logarithm of the odds that a picture answers.

    >>> believing = Trust.of({"asked": 2.0, "count": 1.0}, 0.5)
    >>> rows = np.zeros((len(EVIDENCE), 1), np.float32)
    >>> rows[EVIDENCE.index("asked")] = -1
    >>> believing(rows).tolist()
    [-1.5]
    """

    weights: Sequence[float]
    shift: float

    def __call__(self, rows: Vectors) -> Vectors:
        return np.asarray(np.asarray(self.weights, np.float32) @ rows + self.shift, np.float32)

    @classmethod
    def of(cls, weights: Mapping[str, float], shift: float) -> "Trust":
        """The same by name; what is not named counts nothing."""
        return cls([weights.get(name, 0.0) for name in EVIDENCE], shift)

    @property
    def named(self) -> dict[str, float]:
        """The weights by name."""
        return dict(zip(EVIDENCE, map(float, self.weights), strict=True))
