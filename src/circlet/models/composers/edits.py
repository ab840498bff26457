"""The default composer: it hears what the words ask for before it adds them to the picture.

What is to be removed or replaced is taken away instead of being searched for, and the picture's
share depends on the kind of change: it speaks loudest when something is only added or taken away,
and least when the thing itself is to be another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from circlet.core import Contributions, Pictures, Turn
from circlet.language import Edit, understand
from circlet.models.composers.blends import Sum

# The picture's share for each kind of edit. Those of replace, colour and add are where
# benchmarks/composers.py measures best; the others stand near the kind they resemble, and higher
# where words say little that an encoder can see, as in "zoom in".
SHARES: dict[str, float] = {
    "replace": 0.25,
    "describe": 0.25,
    "colour": 0.2,
    "attribute": 0.25,
    "time": 0.4,
    "background": 0.4,
    "size": 0.5,
    "compare": 0.5,
    "move": 0.6,
    "view": 0.6,
    "count": 0.4,
    "add": 0.4,
    "keep": 0.5,
}


class Edits(Sum):
    """Picture and words, added by weight, with negation heard and the weight set by the edits.

    A turn's own `balance` takes the place of the edits' share.
    """

    balance = 0.3

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        return super().contributions([hear(turn) for turn in turns], pictures)

    def share(self, turn: Turn) -> float | None:
        return super().share(hear(turn))


def hear(turn: Turn, shares: Mapping[str, float] = SHARES) -> Turn:
    """The turn with its text turned into words to look for, things to avoid and a balance.

    >>> hear(Turn(picture="a.jpg", text="a cat instead of the dog"))
    Turn(picture='a.jpg', text='cat', without=('dog',), balance=0.25)

    Words alone that take nothing away are searched as they were said, unless they came in several
    lines: then the later ones have the last word.
    """
    intent = understand(turn.text)
    several = len(turn.text.splitlines()) > 1
    if not (intent.unwanted or (intent.wanted and (turn.picture or several))):
        return turn
    balance = share(intent.edits, shares) if turn.balance is None and turn.picture else turn.balance
    return replace(
        turn, text="\n".join(intent.phrases), without=turn.without + intent.unwanted, balance=balance
    )


def _share(edit: Edit, shares: Mapping[str, float]) -> float:
    return shares.get("circumstance", shares[edit.kind]) if edit.circumstance else shares[edit.kind]


def share(edits: Sequence[Edit], shares: Mapping[str, float] = SHARES) -> float | None:
    """The picture's share for these edits: the mean over those that bring something."""
    brought = [_share(edit, shares) for edit in edits if edit.wanted]
    return round(sum(brought) / len(brought), 3) if brought else None
