"""Which clauses of a query hold in pictures, as the method in use would judge them."""

from collections.abc import Sequence

from circlet.collection.asked import Asked
from circlet.collection.results import RELEVANT, Check, Hit, Missed
from circlet.core import Encoder, Gallery
from circlet.models.scorers.checked import CHECKED, clause_scorer, finder
from circlet.models.scorers.clauses import Checks
from circlet.models.scorers.untrained import UntrainedClauses

# What stands in where no scorer was trained, said where its numbers are shown.
UNTRAINED = "untrained: the encoder alone judges each part, and no percentage was fitted to that"


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


def relevance_of(asked: Asked, picture: Gallery) -> float | None:
    """How likely one picture answers the query, by the method's scorer; None where it does not say."""
    if asked.method.explained_by is not None:
        # Its scores are sums of parts, and no scorer's.
        return None
    [ranking] = asked.method.rank([asked.query], picture, top=1, pictures=asked.pictures)
    return None if ranking.relevance is None else float(ranking.relevance[0])


def missed(asked: Asked, encoder: Encoder, best: Hit) -> Missed | None:
    """Why nothing matches where not even the best does; None where nobody says how likely it does."""
    if best.relevance is None:
        return None
    [checks] = told(checked(asked, encoder, [best.path]))
    # A clause that holds is no reason why nothing matches.
    lacking = {one: held for one in checks if (held := one.probability) is not None and held < RELEVANT}
    return Missed(best.relevance, min(lacking, key=lambda one: lacking[one], default=None))


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
