"""What of a question nobody could answer, said beside the results with the remedy."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from circlet.collection.asked import Asked
from circlet.collection.checking import UNTRAINED
from circlet.collection.counting import everywhere
from circlet.collection.results import Hit
from circlet.core import Encoder, Query, Scorer
from circlet.core.marks import TEXT
from circlet.index import Marking, Store
from circlet.models.scorers.checked import clause_scorer, seen_alone, seen_for
from circlet.models.scorers.clauses import clauses_of
from circlet.models.scorers.seen import kind_of
from circlet.models.scorers.untrained import UntrainedClauses
from circlet.models.seeing.watchers import WAYS, ways

# What is as likely as not counts as seen.
_HOLDS = 0.5


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


def unfitted(query: Query, rerank: str | Scorer, hits: Sequence[Hit]) -> tuple[str, ...]:
    """What to say of results that were ordered again by something that has no probability to tell.

    >>> from circlet.core import Turn
    >>> unfitted(Query("q") + Turn(text="a dog"), "st-rerank:owner/model", [Hit(1, 0.5, "a.jpg")])
    ('no percentage: none was fitted for model',)
    """
    if not rerank or not hits or hits[0].relevance is not None or query.together.last.empty:
        return ()
    if rerank == "clauses" or isinstance(rerank, UntrainedClauses):
        return (UNTRAINED,)
    return (f"no percentage: none was fitted for {Path(str(rerank)).name}",)


def seen_in_some(asked: Asked, hits: Sequence[Hit]) -> bool:
    """Whether what was counted or read in some of these is what was asked for; yes where nobody asked."""
    if not seen_for(asked.query, asked.space):
        return True
    likely = seen_alone(asked.query, [hit.path for hit in hits], asked.pictures).probabilities
    # Of a picture that was not looked at, nothing is known.
    return bool((np.nan_to_num(likely, nan=1.0) >= _HOLDS).all(axis=0).any())


def _looked(kind: str, store: Store, *, guessed: bool) -> Iterator[str]:
    """What is missing of looking at the pictures; nothing where the encoder has a say in it."""
    way = WAYS[kind]
    marked = store.marked(kind) if isinstance(store, Marking) else 0
    total = everywhere(store)
    if marked:
        if marked < total:
            yield f"{kind}: looked for in {marked:,} of {total:,} pictures so far; circlet index goes on"
    elif way in ways():
        yield f"{kind}: not looked for yet; circlet index does it"
    elif not guessed:
        remedy = "CIRCLET_LOOK leaves it out" if way.installed else way.remedy
        yield f"{kind}: not checked by this encoder; {remedy}"
