"""One of a few that hardly differ: clauses scored by how a picture stands out among the others."""

import numpy as np

from circlet.core import Encoder, Query, Vectors
from circlet.models.scorers.clauses import clauses_of
from circlet.models.scorers.untrained import UntrainedClauses
from circlet.models.standards import Standards


def among(query: Query, vectors: Vectors, encoder: Encoder) -> Vectors:
    """One score per picture of a set: the words as a whole and each clause, in deviations over the set.

    What all of them share tells none apart, and counts nothing; what is to be away counts the other way
    round. Clauses that the encoder cannot judge (numbers, places) count only in the whole.

    >>> from circlet.core import Turn
    >>> from circlet.testing import ToyEncoder
    >>> toy = ToyEncoder()
    >>> asked = Query("pick") + Turn(text="a dog, without people")
    >>> int(among(asked, toy.images(["dog night", "dog people", "cat people"]), toy).argmax())
    0
    """
    said = [clause for clause in clauses_of(query) if clause.kind != "subject"]
    # All at once: whoever asks for one of them later finds it heard.
    rows = encoder.texts([" ".join(turn.text for turn in query.turns), *(clause.what for clause in said)])
    unjudged = set(UntrainedClauses(encoder).unjudged(query))
    weights = [0.0 if clause in unjudged else clause.weight for clause in said]
    signs = [-weight if clause.absent else weight for clause, weight in zip(said, weights, strict=True)]
    counted = np.array([1.0, *signs])
    scores = Standards(vectors).scores(rows, vectors)
    return np.asarray(counted @ scores / np.abs(counted).sum(), np.float32)
