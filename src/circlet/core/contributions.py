"""A query's vector as the sum of named parts: what each picture and each phrase brought to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from circlet.core.vectors import Vectors

# Where a contribution comes from; "turn" where a composer cannot tell the parts of one.
LabelKind = Literal["picture", "words", "without", "liked", "disliked", "passed over", "turn"]


@dataclass(frozen=True)
class Label:
    """Where a part comes from: its kind, the picture's id or the phrase, and the turn from one."""

    kind: LabelKind
    what: str = ""
    turn: int = 1

    @property
    def away(self) -> bool:
        """Whether the part leads away from something: unwanted, disliked or passed over."""
        return self.kind == "without" or self.turned_down

    @property
    def turned_down(self) -> bool:
        """Whether it leads away from a picture, which lowers the score of all that resemble it."""
        return self.kind in ("disliked", "passed over")

    @property
    def of_picture(self) -> bool:
        """Whether `what` is a picture's id; else it is a phrase."""
        return self.kind in ("picture", "liked", "disliked", "passed over")


@dataclass(frozen=True)
class Contributions:
    """Rows that add up to vectors: row `i` belongs to vector `owners[i]` and is named `labels[i]`.

    >>> terms = [(0, Label("picture", "a")), (0, Label("words", "night")), (1, Label("words", "day"))]
    >>> parts = Contributions.of(2, terms, np.array([[2, 0], [2, 4], [0, 2]]))
    >>> parts.sums().tolist(), parts.unit().sums()[1].tolist()
    ([[4.0, 4.0], [0.0, 2.0]], [0.0, 1.0])
    """

    count: int
    owners: NDArray[np.intp]
    labels: tuple[Label, ...]
    rows: Vectors

    @classmethod
    def of(cls, count: int, terms: Sequence[tuple[int, Label]], rows: Vectors) -> "Contributions":
        """Contributions from (owner, label) pairs with their rows beside them."""
        owners = np.array([owner for owner, _ in terms], dtype=np.intp)
        return cls(count, owners, tuple(label for _, label in terms), np.asarray(rows, dtype=np.float32))

    def __len__(self) -> int:
        return len(self.labels)

    def sums(self) -> Vectors:
        """One row per vector: all its parts together (zero where it has none)."""
        total = np.zeros((self.count, self.rows.shape[1]), dtype=np.float32)
        np.add.at(total, self.owners, self.rows)
        return total

    def scaled(self, factors: NDArray[np.floating]) -> "Contributions":
        """The same parts, each multiplied by its own vector's factor."""
        return replace(self, rows=self.rows * np.asarray(factors, np.float32)[self.owners, None])

    def unit(self) -> "Contributions":
        """Contributions scaled so that every sum has length one (or is zero)."""
        lengths = np.linalg.norm(self.sums(), axis=1)
        return self.scaled(np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 1e-12))

    def join(self, *others: "Contributions") -> "Contributions":
        """These parts and more of the same vectors."""
        every = (self, *others)
        return Contributions(
            self.count,
            np.concatenate([parts.owners for parts in every]),
            tuple(label for parts in every for label in parts.labels),
            np.concatenate([parts.rows for parts in every]),
        )

    def wanted(self) -> Vectors:
        """One row per vector: what is left of its sum without the parts that lead away."""
        return self.only(np.array([not label.away for label in self.labels], bool)).sums()

    def calibrated(self) -> list[Vectors | None]:
        """For each vector what it wants, for a cut-off to be measured by; None where that means nothing.

        Ruling a thing out lowers every score alike, so what is wanted sets the height to reach. Turning
        down a picture lowers the scores of all that resemble it, right ones too: no height is known.
        """
        out = {owner for owner, label in zip(self.owners, self.labels, strict=True) if label.turned_down}
        return [None if row in out else wanted for row, wanted in enumerate(self.wanted())]

    def only(self, kept: NDArray[np.bool_]) -> "Contributions":
        """The parts that the flags keep."""
        labels = tuple(label for label, keep in zip(self.labels, kept, strict=True) if keep)
        return Contributions(self.count, self.owners[kept], labels, self.rows[kept])

    def regroup(self, count: int, owners: NDArray[np.intp], turns: Sequence[int]) -> "Contributions":
        """Contributions of turns as parts of queries: turn `i` is number `turns[i]` of query `owners[i]`."""
        labels = tuple(
            replace(label, turn=turns[owner]) for label, owner in zip(self.labels, self.owners, strict=True)
        )
        return Contributions(count, owners[self.owners], labels, self.rows)
