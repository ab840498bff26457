"""Picture and words in equal coin: each by how far it lifts a candidate above the rest of the gallery.

Raw cosines are of unlike spread. Words may tell the pictures of a gallery apart by 0.3, a picture by
0.02, so that a fixed share of each is the words' alone: "this dog, in the snow" finds a ski. Here both
are counted in deviations of their scores over the gallery. That is still one vector, and one search.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from circlet.core import Contributions, Label, Pictures, Turn
from circlet.models.composers.edits import Edits, hear
from circlet.models.encoders.base import subject_of
from circlet.models.standards import Standards, standards_of

# The picture's share for each kind of edit, where both halves are counted in deviations: chosen with
# benchmarks/subject.py and benchmarks/composers.py.
SHARES: dict[str, float] = {
    "replace": 0.25,
    "describe": 0.25,
    "circumstance": 0.5,
    "colour": 0.5,
    "attribute": 0.5,
    "time": 0.5,
    "background": 0.5,
    "size": 0.6,
    "compare": 0.6,
    "move": 0.65,
    "view": 0.65,
    "count": 0.55,
    "add": 0.5,
    "keep": 0.6,
}
# What is to be away counts by so many deviations for each that the picture and the words have together.
_AWAY = 0.5


class Balanced(Edits):
    """A picture with what the words want, by their deviations over the gallery.

    One half alone, or a picture from which something is only taken away, is as `Edits` has it. A turn's
    own `balance` is the picture's share of the deviations, or its share against what is taken away.
    """

    balance = 0.5

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        heard = [hear(turn, SHARES) for turn in turns]
        both = [bool(turn.picture and turn.text.strip()) for turn in heard]
        here = standards_of(pictures) if any(both) else None
        if here is None:
            return self._taken_away(heard, turns, pictures)
        composed = self._deviating(heard, pictures, here)
        if all(both):
            return composed
        two = np.array(both)
        as_said = self._taken_away(heard, turns, pictures)
        return as_said.only(~two[as_said.owners]).join(composed.only(two[composed.owners]))

    def share(self, turn: Turn) -> float | None:
        return weighed_share(hear(turn, SHARES), self.balance)

    def _taken_away(self, heard: Sequence[Turn], turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        """As `Edits` has it; a picture from which something is only taken away weighed by its balance."""
        parts = super().contributions(turns, pictures)
        weighed = [bool(t.both and not t.text.strip() and t.balance is not None) for t in heard]
        if not any(weighed):
            return parts
        usual = weighed_share(Turn())
        shares = [t.balance if weigh else usual for t, weigh in zip(heard, weighed, strict=True)]
        share = np.array(shares, np.float32)[parts.owners]
        away = np.array([label.away for label in parts.labels], bool)
        factors = np.where(away, (1 - share) / (1 - usual), share / usual)
        return replace(parts, rows=parts.rows * factors.astype(np.float32)[:, None]).unit()

    def _deviating(self, turns: Sequence[Turn], pictures: Pictures, here: Standards) -> Contributions:
        """The subject, the words and what is unwanted, each in deviations."""
        count = len(turns)
        # All that is said at once: an encoder remembers, and a batch costs little more than one.
        self.encoder.texts([phrase for t in turns for phrase in (*t.text.splitlines(), *t.without) if phrase])
        shares = np.array([weighed_share(turn, self.balance) for turn in turns], np.float32)
        seen, said = self._seen(turns, pictures), self._said(turns)
        away = [(row, Label("without", thing)) for row, turn in enumerate(turns) for thing in turn.without]
        unwanted = Contributions.of(count, away, self._texts([label.what for _, label in away]))
        rows = subject_of(self.encoder, seen.rows)
        seen = Contributions(count, seen.owners, seen.labels, rows)
        counted = (
            _counted(seen, here).scaled(shares),
            _counted(said, here).scaled(1 - shares),
            _counted(unwanted, here).scaled(np.full(count, -_AWAY, np.float32)),
        )
        return counted[0].join(*counted[1:]).unit()


def weighed_share(heard: Turn, usual: float = Balanced.balance) -> float:
    """The picture's share in a turn as it was heard: its own, or what its words' kind of change means.

    >>> weighed_share(hear(Turn(picture="dog.jpg", text="without grass"), SHARES))
    0.667
    """
    if heard.balance is not None:
        return heard.balance
    return usual if heard.text.strip() else round(1 / (1 + _AWAY), 3)


def _counted(parts: Contributions, here: Standards) -> Contributions:
    """The parts, divided by how much the sum they belong to tells pictures apart."""
    return parts.scaled(1 / here.deviations(parts.sums())) if len(parts) else parts
