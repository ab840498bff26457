"""Which clauses of a query hold in pictures, as the method in use would judge them."""

from collections.abc import Sequence

from circlet.collection.asked import Asked
from circlet.collection.results import Check
from circlet.core import Encoder
from circlet.models.scorers.checked import CHECKED, clause_scorer, finder
from circlet.models.scorers.clauses import Checks
from circlet.models.scorers.untrained import UntrainedClauses


def checked(asked: Asked, encoder: Encoder, ids: Sequence[str]) -> Checks:
    """Every clause of the query in these pictures, by the method's own scorer or else by the encoder.

    A scorer that holds candidates against each other sees those that the method would have checked, so
    that one picture alone gets the same answer as a page of them.
    """
    scorer = clause_scorer(asked.method) or UntrainedClauses(encoder)
    others: Sequence[str] = ()
    if scorer.compares(asked.query, asked.pictures):
        others = asked.best(CHECKED, finder(asked.method)).ids
    every = list(dict.fromkeys((*ids, *others)))
    found = scorer.judged(asked.query, every, asked.pictures)
    places = {id: at for at, id in enumerate(every)}
    return Checks(found.clauses, found.probabilities[:, [places[id] for id in ids]])


def told(checks: Checks) -> list[tuple[Check, ...]]:
    """The checks of each picture, in plain values.

    >>> import numpy as np
    >>> from circlet.models.scorers.clauses import Clause
    >>> two = Clause("add", "hat"), Clause("count", "two dogs")
    >>> [(hat, dogs)] = told(Checks(two, np.array([[0.75], [np.nan]])))
    >>> hat.probability, dogs.probability
    (0.75, None)
    """
    named = [(str(one), one.what if one.kind == "subject" else None) for one in checks.clauses]
    # What is not a number is not equal to itself.
    return [
        tuple(
            Check(clause, value if value == value else None, picture)
            for (clause, picture), value in zip(named, column, strict=True)
        )
        for column in checks.probabilities.T.tolist()
    ]
