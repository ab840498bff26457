"""What the clauses of a description state: by the meaning of their words, the words themselves, and rules.

Rules know what words speak of covering, edges or numbers, and miss what nobody thought of. Here one product
over MiniLM's vector of the clause, its words and pairs of words, and what the rules heard, says how likely
each fact is stated; who it is about, which side and how many are then read off the words.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from circlet.language.frame_facts import ABOUTS, OVERALL, WITH_OTHER, FrameFact, Heard
from circlet.language.frame_words import FrameClause, Vocabulary, by_rules, mark, stated
from circlet.models.encoders.sentences import Sentences
from circlet.models.statements import WORD_INPUTS, Statements, word_rows


class Statement(NamedTuple):
    """What a clause may state: a fact by its name, of its first thing or, `swapped`, of its second."""

    about: str
    swapped: bool = False


# Whose things change their meaning with their order; what is near or far is so to both.
_ORDERED = tuple(about for about in WITH_OTHER if about not in ("near", "far"))
# A clause that states nothing comes last.
STATEMENTS = (
    *map(Statement, ABOUTS),
    *(Statement(about, swapped=True) for about in _ORDERED),
    Statement(""),
)
_WHOLE = np.array([one.about in OVERALL or one.about in ("setting", "time", "weather") for one in STATEMENTS])
_TWO = np.array([one.about in WITH_OTHER for one in STATEMENTS])
_FREE = np.array([not one.about for one in STATEMENTS])
# What counts what rules heard, beside the words.
_RULE = 1.5
INPUTS = WORD_INPUTS + len(STATEMENTS)
# What is less likely is not considered.
_LEAST = 0.02


class FrameHearing(Statements):
    """Logits of `STATEMENTS` for clauses as `clause_rows` has them."""

    def __init__(self) -> None:
        super().__init__(INPUTS, len(STATEMENTS))


def clause_rows(clauses: Sequence[FrameClause], sentences: Sentences) -> tuple[Tensor, Tensor]:
    """Clauses as `FrameHearing` takes them, (clauses, `INPUTS`), and which statements each can make."""
    rules = np.zeros((len(clauses), len(STATEMENTS)), np.float32)
    for row, clause in enumerate(clauses):
        rules[row, number_of(next(iter(by_rules(clause)), None), clause)] = _RULE
    plain = [_without_things(clause.words) for clause in clauses]
    words = word_rows(plain, [_grams(clause.words) for clause in clauses], sentences)
    rows = np.concatenate([words, rules], axis=1)
    return torch.from_numpy(rows), torch.from_numpy(np.stack([_able(clause) for clause in clauses]))


def _grams(words: str) -> list[str]:
    """A clause's words and pairs of words."""
    single = re.findall(r"@?[\w'\-]+", words)
    return [*single, *(f"{one} {two}" for one, two in pairwise(single))]


def _without_things(words: str) -> str:
    return re.sub(r"@\d", "other", words.replace("@0", "thing"))


def _able(clause: FrameClause) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """What a clause can state: of wholes where it names nothing, of things where it names as many."""
    things = len(clause.kinds)
    of_things = ~_WHOLE & ~_FREE & (things > 0) & (~_TWO | (things > 1))
    return np.asarray((_WHOLE & clause.whole) | of_things | _FREE)


def number_of(fact: FrameFact | None, clause: FrameClause) -> int:
    """The number of the statement that a clause makes if it states this fact."""
    if fact is None:
        return len(STATEMENTS) - 1
    swapped = fact.about in _ORDERED and clause.kinds[:2] == (fact.other, fact.kind)
    return STATEMENTS.index(Statement(fact.about, swapped))


def taught(
    lessons: Sequence[tuple[str, str, FrameFact | None]], vocabulary: Vocabulary
) -> tuple[Tensor, Tensor, Tensor]:
    """Lessons as hearing takes them, what each can state, and what it does.

    A lesson is a clause, the thing that was spoken of before it, and the fact that it states (None: nothing).
    """
    clauses = [mark(words, vocabulary, last) for words, last, _ in lessons]
    states = [number_of(fact, clause) for (_, _, fact), clause in zip(lessons, clauses, strict=True)]
    (rows, able), truth = clause_rows(clauses, Sentences()), torch.tensor(states)
    # A noun that means two things may be taken for the other one: then nobody could hear what was meant.
    fair = able.gather(1, truth[:, None])[:, 0]
    return rows[fair], able[fair], truth[fair]


def hear(clause: FrameClause, hearing: FrameHearing, sentences: Sentences) -> Heard:
    """What a clause may state, the likeliest first; nothing where most likely it states none of the facts."""
    rows, able = clause_rows([clause], sentences)
    with torch.inference_mode():
        likely = hearing(rows, able).softmax(1)[0].numpy()
    found: dict[FrameFact, float] = {}
    for number in np.argsort(-likely, kind="stable"):
        statement = STATEMENTS[number]
        if likely[number] < _LEAST or (not statement.about and not found):
            break
        fact = stated(statement.about, clause, swapped=statement.swapped) if statement.about else None
        if fact is not None:
            found[fact] = found.get(fact, 0.0) + float(likely[number])
    return found
