"""Scores in deviations: how far a candidate stands above the rest of its gallery, whatever the query."""

import numpy as np

from circlet.core import Pictures, Vectors

# Fewer pictures than this say nothing about a gallery.
FEWEST = 8
_LEAST = 1e-6


class Standards:
    """What scores are like over a gallery, by a sample of its vectors.

    >>> sample = np.array([[0, 1], [0, -1], [0, 1], [0, -1]], np.float32)
    >>> Standards(sample).scores(np.array([[0, 0.5]], np.float32), np.array([[0, 2]], np.float32)).tolist()
    [[2.0]]
    """

    def __init__(self, sample: Vectors) -> None:
        self.sample = np.asarray(sample, np.float32)

    def deviations(self, rows: Vectors) -> Vectors:
        """By how much the scores of each query row differ from picture to picture."""
        return np.maximum((rows @ self.sample.T).std(axis=1), _LEAST)

    def scores(self, rows: Vectors, vectors: Vectors) -> Vectors:
        """One row per query row, one column per vector: deviations above the mean over the gallery."""
        usual = rows @ self.sample.T
        spread = np.maximum(usual.std(axis=1, keepdims=True), _LEAST)
        return (rows @ vectors.T - usual.mean(axis=1, keepdims=True)) / spread


def standards_of(pictures: Pictures) -> Standards | None:
    """The standards of what is searched; None where that is not known, or too little."""
    some = getattr(pictures, "some_vectors", None)
    if some is None:
        return None
    sample = some()
    return Standards(sample) if len(sample) >= FEWEST else None
