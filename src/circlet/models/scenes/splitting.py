"""A text as clauses: of all ways to cut it where it may be cut, the one whose parts are most like clauses.

A part is judged by its words at both ends, by what it names (things, a colour, a side, …), and by what stands
between it and its neighbours; nothing else is known of how people join their wishes.
"""

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

import torch
from torch import Tensor, nn

from circlet.language.lexicon import listed
from circlet.models.scenes.scene_words import THING, VALUES, Token, shared

# A text may be cut after these marks, and before these words.
MARKS = frozenset(",;.:!?-–—")
_WORDS = listed("and but plus while then yet also whereas as with without only except")
# Features are told apart by so many numbers; the last is none.
FEATURES = 8192
# What is longer is heard to here, and no clause goes over more joints.
_MOST_JOINTS, _LONGEST = 24, 6


class Splitting(nn.Module):
    """How much each part of a text is like a clause, by features as `parts` has them."""

    def __init__(self) -> None:
        super().__init__()
        self.worth = nn.EmbeddingBag(FEATURES + 1, 1, mode="sum", padding_idx=FEATURES)
        nn.init.zeros_(self.worth.weight)

    def forward(self, features: Tensor) -> Tensor:
        """(parts, features) as one number each."""
        worth: Tensor = self.worth(features)
        return worth[:, 0]


def joints(said: Sequence[Token]) -> list[int]:
    """Where a text may be cut: tokens that may begin a clause, and where what is heard ends."""
    found = [0]
    for at in range(1, len(said)):
        before, here = said[at - 1].symbol, said[at].symbol
        if here not in MARKS and (before in MARKS or here in _WORDS):
            found.append(at)
    return [*found, len(said)][: _MOST_JOINTS + 1]


def spans(cuts: Sequence[int]) -> list[tuple[int, int]]:
    """All parts that may be clauses, from one joint to another, by the numbers of the joints."""
    return [
        (start, end)
        for start in range(len(cuts) - 1)
        for end in range(start + 1, min(start + 1 + _LONGEST, len(cuts)))
    ]


def features(said: Sequence[Token], start: int, end: int) -> list[int]:
    """What tells whether these tokens of a text are a clause, as numbers."""
    whole = [shared(one.symbol) for one in said[start:end]]
    words = [word for word in whole if word not in MARKS]
    things = list(dict.fromkeys(one.value for one in said[start:end] if one.symbol == THING))
    named = "".join(str(min(words.count(value), 2)) for value in VALUES)
    shape = f"{min(len(things), 3)} {named}"
    first, last = [*words, "", "", ""][:3], ["", "", *words][-2:]
    before = said[start - 1].symbol if start else "^"
    after = said[end].symbol if end < len(said) else "$"
    mark = whole[-1] if whole and whole[-1] in MARKS else ""
    inner = [word for word in whole[:-1] if word in MARKS]
    found = [
        "bias", f"shape {shape}", f"things {len(things)}", f"named {named}", f"length {min(len(words), 12)}",
        f"before {before}", f"after {mark} {after}", f"inner {''.join(sorted(set(inner)))} {len(inner)}",
        f"first {first[0]}", f"first {' '.join(first[:2])}", f"first {' '.join(first)}",
        f"last {last[1]}", f"last {' '.join(last)}", f"first {first[0]} {shape}",
        f"before {before} {first[0]}",
        f"things {len(things)} {mark} {after}", f"few {len(words) < 2} {shape}",
    ]  # fmt: skip
    found += [f"has {word}" for word in set(words)]
    found += [f"pair {one} {two}" for one, two in pairwise(whole)]
    return [crc32(feature.encode()) % FEATURES for feature in found]


def parts(said: Sequence[Token]) -> tuple[list[tuple[int, int]], Tensor]:
    """All parts of a text that may be clauses, and their features, (parts, most), filled up with none."""
    cuts = joints(said)
    pairs = spans(cuts)
    rows = [features(said, cuts[start], cuts[end]) for start, end in pairs]
    most = max(map(len, rows))
    return pairs, torch.tensor([row + [FEATURES] * (most - len(row)) for row in rows])


def ways(said: Sequence[Token], splitting: Splitting, most: int) -> list[tuple[float, list[Sequence[Token]]]]:
    """The best ways to cut a text into clauses, the best first, each with its worth."""
    if not said:
        return []
    cuts = joints(said)
    pairs, rows = parts(said)
    with torch.inference_mode():
        worth = splitting(rows).tolist()
    # Of each joint the best ways to come to it, as the joints on the way.
    best: list[list[tuple[float, tuple[int, ...]]]] = [[] for _ in cuts]
    best[0] = [(0.0, (0,))]
    for (start, end), value in sorted(zip(pairs, worth, strict=True), key=lambda one: one[0]):
        best[end] += [(total + value, (*way, end)) for total, way in best[start]]
        best[end] = sorted(best[end], reverse=True)[:most]
    return [(total, [said[cuts[one] : cuts[two]] for one, two in pairwise(way)]) for total, way in best[-1]]
