"""What to say next: words that tell the leading candidates apart, and what the chosen ones share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Less than this share of the doubt taken away, in bits, is no help; nor is less ahead of the rest than this.
_LEAST_GAIN, _LEAST_SHARED = 0.35, 0.4


@dataclass(frozen=True)
class Suggestion:
    """Words worth saying: they `split` the leading candidates, or name what the chosen ones `share`.

    `gain` is the expected drop of the belief's entropy in bits, or how much more often the chosen show it.

    >>> print(Suggestion("splits", "in the snow", 0.9))
    in the snow
    """

    kind: Literal["splits", "shared"]
    words: str
    gain: float

    def __str__(self) -> str:
        return self.words


def entropy(belief: Floats) -> Floats:
    """The entropy of each row of probabilities, in bits.

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    sure = np.where(belief > 0, belief, 1.0)
    return -np.sum(belief * np.log2(sure), axis=-1) + 0.0


def expected_gain(belief: Floats, holds: Floats) -> Floats:
    """By how many bits the belief's entropy is expected to drop when it is told whether each phrase holds.

    `holds` is the probability of each phrase in each candidate, (phrases, candidates). A phrase that holds
    in half of what is believed in, and surely, tells one bit; one that holds in all or in none tells nothing.

    >>> even = np.full(4, 0.25)
    >>> expected_gain(even, np.array([[1.0, 1, 0, 0], [1, 1, 1, 1]])).tolist()
    [1.0, 0.0]
    """
    yes, no = holds * belief, (1 - holds) * belief
    left = np.zeros(len(holds))
    for part in (yes, no):
        share = part.sum(axis=1)
        after = part / np.maximum(share, 1e-12)[:, None]
        left += share * entropy(after)
    return entropy(belief[None])[0] - left


def suggest(
    belief: Floats,
    holds: Floats,
    words: Sequence[str],
    *,
    chosen: Floats | None = None,
    said: Collection[str] = (),
) -> list[Suggestion]:
    """At most one phrase that splits the leading candidates best, and one that the chosen share.

    `belief` are the candidates' probabilities, `holds` those of the phrases in them, `chosen` the same in
    the pictures that were picked or liked. Nothing is suggested that was said, or whose margin is small.
    """
    heard = " ".join(said).lower()
    new = np.array(
        [not any(part in heard for part in (text.lower(), text.lower().split()[-1])) for text in words]
    )
    found = []
    if chosen is not None and chosen.shape[1] and new.any():
        more = np.where(new, chosen.mean(axis=1) - holds @ belief, -1.0)
        best = int(more.argmax())
        if more[best] >= _LEAST_SHARED:
            found.append(Suggestion("shared", words[best], float(more[best])))
    if len(belief) > 1 and new.any():
        gains = np.where(new, expected_gain(belief, holds), -1.0)
        for one in found:
            gains[list(words).index(one.words)] = -1.0
        best = int(gains.argmax())
        if gains[best] >= _LEAST_GAIN:
            found.append(Suggestion("splits", words[best], float(gains[best])))
    return found
