"""The nine pairs of a subset (figures 3, 6 and 7 of CIRR's paper)."""

import random
from collections.abc import Sequence
from typing import TypeVar

from circlet.data.readers.cirr import Pair

T = TypeVar("T")

# Figure 6: six pairs that close a loop, so that they can be read as a dialogue.
# Figure 7: four pairs from the first picture, the loop's first step being one of them.
DRAWN = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (0, 2), (0, 3), (0, 4))


def draw_pairs(members: Sequence[T], seed: int | str = 0) -> list[Pair[T]]:
    """The nine pairs of a subset of six, in an order of the members drawn from the seed.

    The subset procedure lists its members by similarity to the first. Drawn in that order, the
    target of the pair (0, 1) would always be the picture most like its reference, and a method that
    never reads the text would score far above chance; so the members are shuffled first.

    >>> [(pair.reference_rank, pair.target_rank) for pair in draw_pairs("abcdef")][:2]
    [(0, 1), (1, 2)]
    """
    order = list(members)
    random.Random(f"pairs {seed}").shuffle(order)
    return [Pair(order[a], order[b], a, b) for a, b in DRAWN]
