"""Spatial tokens at a common resolution, so that caches stay small and models agree."""

import math

import numpy as np

from circlet.core import UsageError, Vectors

# The side that training and search use: 16 tokens tell left from right and near from far.
SIDE = 4


def regrid(tokens: Vectors, side: int = SIDE) -> Vectors:
    """Tokens of a square averaged over the cells of a coarser one; a finer square is left alone.

    >>> regrid(np.arange(16, dtype=np.float32).reshape(1, 16, 1), 2).ravel().tolist()
    [2.5, 4.5, 10.5, 12.5]
    """
    grid = math.isqrt(tokens.shape[1])
    if grid * grid != tokens.shape[1] or not grid:
        raise UsageError(f"spatial tokens must form a square; this encoder gives {tokens.shape[1]}")
    if grid <= side:
        return tokens
    # Cell i reaches from i·grid/side, rounded down, to (i+1)·grid/side, rounded up.
    cells = np.zeros((side, grid), np.float32)
    for row, cell in enumerate(cells):
        cell[row * grid // side : -(-(row + 1) * grid // side)] = 1
    cells /= cells.sum(axis=1, keepdims=True)
    square = tokens.reshape(len(tokens), grid, grid, -1)
    pooled = np.einsum("ig,jh,nghc->nijc", cells, cells, square, optimize=True)
    return np.ascontiguousarray(pooled.reshape(len(tokens), side * side, -1), np.float32)
