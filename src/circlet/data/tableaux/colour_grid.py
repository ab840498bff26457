"""What a picture looks like, in whole numbers: the encoder of last resort, the same on every machine."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from circlet.core import Progress, Vectors, unit
from circlet.images import open_picture

_GRID = 16


class ColourGrid:
    """Colours on a coarse grid, less the grid's mean, as a unit vector.

    It knows no words. The tableaux world builds its subsets with it when no encoder is passed in,
    because no weights and no arithmetic of a processor's own can then change which subsets there are.

    >>> ColourGrid().images([Image.new("RGB", (64, 64), "red")]).shape
    (1, 768)
    """

    fingerprint = f"looks:{_GRID}"
    dim = _GRID * _GRID * 3

    def __call__(self, paths: Sequence[Path], progress: Progress | None = None) -> Vectors:
        """One row per picture file."""
        rows = []
        for done, path in enumerate(paths, start=1):
            rows.append(self.images([open_picture(path)]))
            if progress:
                progress(done, len(paths))
        return np.concatenate(rows)

    def images(self, pictures: Sequence[Image.Image]) -> Vectors:
        """One row per picture."""
        small = [
            np.asarray(picture.convert("RGB").resize((_GRID, _GRID), Image.Resampling.BOX), dtype=np.int32)
            for picture in pictures
        ]
        rows = np.stack(small).reshape(len(small), -1) if small else np.zeros((0, self.dim), np.int32)
        centred = rows * self.dim - rows.sum(axis=1, keepdims=True)
        return unit(centred.astype(np.float32))
