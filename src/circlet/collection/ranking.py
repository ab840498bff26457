"""The best of a ranking, near-identical pictures gathered, and whether the best of it is a match."""

from collections.abc import Callable, Sequence

import numpy as np

from circlet.collection.results import RELEVANT, Hit
from circlet.core import PictureEncoder, Ranking, Vectors
from circlet.images.bursts import times_of
from circlet.images.duplicates import NUMBERS, SPACE, fold
from circlet.index import Store

# Asks for so many of the best.
Best = Callable[[int], Ranking]


def hits(
    best: Best, store: Store, encoder: PictureEncoder, *, need: int, folded: bool
) -> tuple[list[Hit], float | None]:
    """The best `need` hits, each standing for those near-identical to it, and the score of a match."""
    # Most collections have few copies: half as many again usually suffices, else ask for more.
    fetch = need + need // 2 if folded else need
    while True:
        ranking = best(fetch)
        groups = [[at] for at in range(len(ranking))]
        if folded:
            entries = store.entries(ranking.ids)
            times = times_of(ranking.ids, [entry.taken for entry in entries])
            hashes = [entry.hash for entry in entries]
            groups = fold(tiny_copies(store, ranking.ids), hashes, groups=need, times=times)
        if len(groups) >= need or len(ranking) < fetch:
            break
        fetch *= 4
    cutoff = cutoff_of(ranking, encoder)
    return [_hit(rank, ranking, group, cutoff) for rank, group in enumerate(groups, start=1)], cutoff


def _hit(rank: int, ranking: Ranking, group: Sequence[int], cutoff: float | None) -> Hit:
    first, *others = group
    score = float(ranking.scores[first])
    likely = None if ranking.relevance is None else float(ranking.relevance[first])
    below = cutoff is not None and score < cutoff if likely is None else likely < RELEVANT
    alike = tuple(ranking.ids[at] for at in others)
    return Hit(rank, score, ranking.ids[first], alike, below, relevance=likely)


def cutoff_of(ranking: Ranking, encoder: PictureEncoder) -> float | None:
    """The score that a match should reach, where scores are cosines that the encoder was measured for."""
    if ranking.wanted is None:
        return None
    cutoffs = encoder.cutoffs(ranking.wanted[None])
    return None if cutoffs is None else float(cutoffs[0])


def tiny_copies(store: Store, ids: Sequence[str]) -> Vectors:
    """The tiny copies of these pictures; NaN, which is near nothing, where the index has none."""
    there = store.having(ids, SPACE)
    rows = np.full((len(ids), NUMBERS), np.nan, np.float32)
    if there:
        places = [place for place, id in enumerate(ids) if id in there]
        rows[places] = store.space(SPACE).vectors_of([ids[place] for place in places])
    return rows
