"""A toy scorer whose numbers can be told by hand: the words of all turns against each candidate."""

from collections.abc import Sequence

import numpy as np

from circlet.core import Encoder, Pictures, Query, Scorer, Vectors


class ToyScorer(Scorer):
    """The cosine of what was said with each picture; at `even` that is as likely an answer as not.

    `--rerank circlet.testing:ToyScorer` is a scorer with percentages, without anything trained.

    >>> from circlet.core import Turn
    >>> from circlet.testing import ToyEncoder
    >>> toy = ToyEncoder()
    >>> asked = [Query("q") + Turn(text="a dog") + Turn(text="in red")]
    >>> ids = ["dog red", "cat red", "city"]
    >>> [scores] = ToyScorer(toy).score(asked, [ids], toy.gallery(*ids))
    >>> scores.round(2).tolist(), ToyScorer(toy, even=0.5).likely(scores).round(2).tolist()
    ([1.0, 0.5, 0.0], [1.0, 0.5, 0.0])
    """

    def __init__(self, encoder: Encoder, *, even: float = 0.1, steep: float = 40.0) -> None:
        self.encoder, self.even, self.steep = encoder, even, steep

    def __repr__(self) -> str:
        return f"ToyScorer({self.encoder!r}, even={self.even}, steep={self.steep})"

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        """One cosine per candidate."""
        said = self.encoder.texts([" ".join(turn.text for turn in query.turns) for query in queries])
        return [pictures.vectors_of(list(ids)) @ row for row, ids in zip(said, candidates, strict=True)]

    def likely(self, scores: Vectors) -> Vectors:
        """A logistic function of the score."""
        return np.asarray(1 / (1 + np.exp(self.steep * (self.even - scores))), np.float32)
