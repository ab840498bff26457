"""Arithmetic on rows of float32: unit length, the best k, how many score higher; what fits together."""

from collections.abc import Sequence, Sized

import numpy as np
from numpy.typing import NDArray

from circlet.core.errors import DataError, MismatchError

Vectors = NDArray[np.float32]

# One block of scores stays near 64 MB whatever the gallery's size.
_BLOCK_SCORES = 16_000_000


def unit(rows: NDArray[np.floating] | Sequence[Sequence[float]]) -> Vectors:
    """Rows scaled to length one; a row of zeros stays zero instead of turning into NaN.

    >>> unit([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    rows = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def best(scores: Vectors, k: int) -> NDArray[np.intp]:
    """Positions of the k highest scores, best first, equal scores in gallery order.

    Positions whose score is minus infinity are no candidates and are left out.

    >>> best(np.array([0.1, 0.9, -np.inf, 0.9], np.float32), 3).tolist()
    [1, 3, 0]
    """
    k = min(k, len(scores))
    if len(scores) and np.isnan(scores.max()):
        # What has no number for a score is no candidate.
        scores = np.where(np.isnan(scores), np.float32(-np.inf), scores)
    if k <= 0:
        return np.empty(0, dtype=np.intp)
    if k < len(scores):
        # Everything above the k-th score is in; equals of it fill up in gallery order.
        edge = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = np.flatnonzero(scores > edge)
        chosen = np.concatenate([above, np.flatnonzero(scores == edge)[: k - len(above)]])
    else:
        chosen = np.arange(len(scores))
    chosen = chosen[scores[chosen] > -np.inf]
    return chosen[np.lexsort((chosen, -scores[chosen]))]


def ranks(scores: Vectors, targets: NDArray[np.intp]) -> NDArray[np.int64]:
    """The rank of one target per row, counted: one plus how many others score at least as high.

    Ties are pessimistic: a candidate with the target's score counts as ahead of it. A target that
    is no candidate (minus infinity) or has no number for a score ranks behind the whole row.

    >>> ranks(np.array([[0.2, 0.9, 0.9]], np.float32), np.array([1])).tolist()
    [2]
    """
    own = scores[np.arange(len(scores)), targets][:, None]
    ahead = np.count_nonzero(scores >= own, axis=1)
    lost = ~(own[:, 0] > -np.inf)
    return np.where(lost, scores.shape[1], ahead).astype(np.int64)


def blocks(rows: int, width: int) -> list[slice]:
    """Slices that cut `rows` rows of `width` scores into pieces of bounded memory.

    >>> blocks(5, 8_000_000)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, _BLOCK_SCORES // max(1, width))
    return [slice(start, min(start + step, rows)) for start in range(0, rows, step)]


def same_space(mine: str, theirs: str) -> None:
    """Refuse to compare vectors of two encoders."""
    if mine != theirs:
        raise MismatchError(
            f"the gallery holds vectors of {theirs}, the method speaks {mine}: "
            "index it again with that encoder, or pick the encoder that made it"
        )


def checked_queries(vectors: Vectors, dim: int, exclude: Sized | None) -> Vectors:
    """Query rows that can be searched by: numbers of the right length, with a list of exclusions each."""
    queries = np.atleast_2d(np.asarray(vectors, np.float32))
    if not np.isfinite(queries).all():
        raise DataError("a query's vector is not all numbers: the method that composed it is at fault")
    if queries.shape[1] != dim:
        raise DataError(f"a query of {queries.shape[1]} numbers met vectors of {dim}")
    if exclude is not None:
        one_list_each(queries, exclude)
    return queries


def one_list_each(queries: Sized, exclude: Sized) -> None:
    """Refuse exclusions that are not one list for each query."""
    if len(exclude) != len(queries):
        raise DataError(f"one list of exclusions per query: {len(queries)} queries, {len(exclude)} lists")
