"""What of a question nobody could answer, said beside the results with the remedy."""

import os
from collections.abc import Iterator

from circlet.collection.asked import Asked
from circlet.core import Encoder
from circlet.core.marks import TEXT
from circlet.index import Marking, Store
from circlet.models.scorers.checked import clause_scorer
from circlet.models.scorers.clauses import clauses_of
from circlet.models.scorers.seen import kind_of
from circlet.models.scorers.untrained import UntrainedClauses
from circlet.models.seeing.watchers import WAYS, ways


def notes(asked: Asked, encoder: Encoder, store: Store) -> tuple[str, ...]:
    """One line for each thing that was asked for and not checked, or not in every picture."""
    scorer = clause_scorer(asked.method) or UntrainedClauses(encoder)
    unjudged = scorer.unjudged(asked.query)
    found: dict[str, None] = {}
    for clause in clauses_of(asked.query):
        kind = kind_of(clause)
        if kind is not None:
            found |= dict.fromkeys(_looked(kind, store, guessed=kind != TEXT and clause not in unjudged))
        elif clause in unjudged:
            found[f"{clause}: not checked by this encoder"] = None
    return tuple(found)


def _looked(kind: str, store: Store, *, guessed: bool) -> Iterator[str]:
    """What is missing of looking at the pictures; nothing where the encoder has a say in it."""
    way = WAYS[kind]
    marked = store.marked(kind) if isinstance(store, Marking) else 0
    total = store.count(os.sep)
    if marked:
        if marked < total:
            yield f"{kind}: looked for in {marked:,} of {total:,} pictures so far; circlet index goes on"
    elif way in ways():
        yield f"{kind}: not looked for yet; circlet index does it"
    elif not guessed:
        remedy = "CIRCLET_LOOK leaves it out" if way.installed else way.remedy
        yield f"{kind}: not checked by this encoder; {remedy}"
