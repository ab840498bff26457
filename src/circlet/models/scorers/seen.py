"""Clauses answered by what was seen in the pictures: how many people, and what is written there."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np

from circlet.core import Filters, Pictures, Vectors
from circlet.core.marks import PEOPLE, TEXT, Mark, marks_of, spelled
from circlet.language.people import Heads, about_people, heads_in
from circlet.language.writing import WRITTEN, any_writing

if TYPE_CHECKING:
    from circlet.models.scorers.clauses import Checks, Clause

# From which score on something found is rather a face than not, and how fast that becomes sure; and how
# large the one face of a portrait is, as a share of the picture's height. Chosen with benchmarks/people.py.
_EVEN_FACE, _STEEP_FACE = 0.5, 20.0
_EVEN_PORTRAIT, _STEEP_PORTRAIT = 0.18, 60.0
# How often somebody is there whose face cannot be seen: nobody is ever quite sure.
_UNSEEN = 0.05
# Letters within other words count less than words; what is nearly the same, less again.
_WITHIN, _NEARLY, _ALIKE = 0.8, 0.7, 0.8
_UNREAD = 0.03
_LEAST = 0.02
# Without any of these nothing asks for words to be read.
_OF_WRITING = re.compile(
    r"[\"“”„«»‘‚「『]|\b(?:says?|saying|reads?|texts?|writings?|letters|lettering|words|captions?|"
    r"inscriptions?)\b",
    re.IGNORECASE,
)
# What was seen counts so much more than what an encoder makes of words.
_SEEN = 3.0


def kind_of(clause: "Clause") -> str | None:
    """Which kind of mark answers a clause; None where looking does not.

    >>> from circlet.models.scorers.clauses import Clause
    >>> kind_of(Clause("remove", "people", absent=True)), kind_of(Clause("add", "a hat"))
    ('people', None)
    """
    if clause.kind == WRITTEN or (clause.absent and any_writing(clause.what)):
        return TEXT
    return PEOPLE if _heads(clause) is not None else None


def _heads(clause: "Clause") -> Heads | None:
    """How many people a clause wants to see; a clause that asks for more than that is not one."""
    told = None if clause.kind in ("subject", WRITTEN) else heads_in(clause.what)
    if told is None or told.rest:
        return None
    return Heads(0, 0) if clause.absent else told.heads


def narrowed(clauses: "Sequence[Clause]", filters: Filters | None, kinds: Sequence[str]) -> Filters | None:
    """The filters, so that only pictures pass in which these kinds of clauses were seen to hold.

    None where no clause narrows anything.

    >>> from circlet.models.scorers.clauses import Clause
    >>> narrowed([Clause("count", "two people")], None, ["people"])
    Filters(people=(2, 2))
    """
    found: dict[str, Any] = {}
    for clause in clauses:
        heads, kind = _heads(clause), kind_of(clause)
        if kind == PEOPLE and kind in kinds and heads is not None:
            least, most = found.get("people", (0, heads.most))
            found["people"] = (max(least, heads.least), min(most, heads.most))
        elif kind == TEXT and kind in kinds and clause.kind == WRITTEN and not clause.absent:
            found.setdefault("written", spelled(clause.what))
    return replace(filters or Filters(), **found) if found else None


def looked_up(checks: "Checks", ids: Sequence[str], pictures: Pictures) -> "Checks":
    """The checks, with what was seen in place of what an encoder makes of such words.

    A picture that nobody has looked at keeps what the encoder says of it, if it says anything.
    """
    kinds = [kind_of(clause) for clause in checks.clauses]
    if not any(kinds):
        return checks
    clauses, found = list(checks.clauses), checks.probabilities.copy()
    for at, kind in enumerate(kinds):
        if kind == TEXT:
            # No encoder reads, whatever it makes of the words.
            found[at] = np.nan
        if kind is not None and (marks := marks_of(pictures, ids, kind)):
            found[at] = [
                _likely(clauses[at], marks[id]) if id in marks else old
                for id, old in zip(ids, found[at].tolist(), strict=True)
            ]
            clauses[at] = replace(clauses[at], weight=_SEEN * clauses[at].weight)
    return replace(checks, clauses=tuple(clauses), probabilities=found)


def _likely(clause: "Clause", mark: Mark) -> float:
    heads = _heads(clause)
    likely = likely_people(heads, mark) if heads is not None else likely_written(clause, mark)
    return min(max(likely, _LEAST), 1 - _LEAST)


def likely_people(heads: Heads, mark: Mark) -> float:
    """How likely so many people are there, each face being there or not by its score.

    >>> two = Mark("faces:1", 2, detail="[[0.9, 0.3], [0.8, 0.2]]")
    >>> [round(likely_people(Heads(*many), two), 2) for many in ((2, 2), (1,), (3,), (0, 0))]
    [0.95, 1.0, 0.0, 0.0]
    """
    faces = [(float(score), float(height)) for score, height in json.loads(mark.detail)]
    each = [1 / (1 + np.exp(_STEEP_FACE * (_EVEN_FACE - score))) for score, _ in faces]
    number = counts(each)
    if heads.portrait:
        large = max(
            (1 / (1 + np.exp(_STEEP_PORTRAIT * (_EVEN_PORTRAIT - height))) for _, height in faces),
            default=0.0,
        )
        return float(number[1] * large) if len(number) > 1 else 0.0
    likely = float(number[heads.least : heads.most + 1].sum())
    if heads.most < len(number) or heads.most == 0 or heads.least == heads.most:
        # Whoever turns away is not counted.
        likely *= 1 - _UNSEEN
    return likely


def counts(each: Sequence[float]) -> Vectors:
    """How likely each number of things is, from none to all, each being there by its own probability.

    >>> counts([0.5, 0.5]).tolist()
    [0.25, 0.5, 0.25]
    """
    number = np.ones(1, np.float32)
    for one in each:
        number = np.convolve(number, np.array([1 - one, one], np.float32))
    return number.astype(np.float32)


def likely_written(clause: "Clause", mark: Mark) -> float:
    """How likely the words of a clause are to be read in the picture, or that there is none to be read."""
    if clause.kind != WRITTEN:
        return 1 - _UNREAD if mark.number == 0 else _UNREAD
    lines: Sequence[tuple[str, float]] = json.loads(mark.detail)
    likely = _read(spelled(clause.what), mark.words, [(str(text), float(sure)) for text, sure in lines])
    return 1 - likely if clause.absent else likely


def _read(words: str, every: str, lines: Sequence[tuple[str, float]]) -> float:
    """As sure as the reader is of those lines, less where only letters or nearly the words were found."""
    if not words:
        return _UNREAD
    held = [sure for text, sure in lines if set(words.split()) & set(text.split())]
    sure = float(np.mean(held)) if held else max((sure for _, sure in lines), default=1.0)
    if f" {words} " in f" {every} ":
        return sure
    close, squeezed = words.replace(" ", ""), every.replace(" ", "")
    if close in squeezed:
        return _WITHIN * sure
    alike = max((_alike(close, text.replace(" ", "")) for text, _ in lines), default=0.0)
    return _NEARLY * sure * alike if alike >= _ALIKE else _UNREAD


def _alike(words: str, line: str) -> float:
    """How much of the words a line has, at the place where it has most of them."""
    if abs(len(line) - len(words)) > len(words):
        return 0.0
    same = sum(
        block.size for block in SequenceMatcher(None, words, line, autojunk=False).get_matching_blocks()
    )
    return 2 * same / (len(words) + min(len(line), len(words)))


def may_ask(words: str) -> bool:
    """Whether words might ask for something that looking answers: quick, and never a wrong no.

    >>> may_ask("a red car at night"), may_ask('a sign that says "open"'), may_ask("nobody")
    (False, True, True)
    """
    return about_people(words) or _OF_WRITING.search(words) is not None


def kinds_asked(clauses: "Sequence[Clause]") -> Mapping[str, "list[Clause]"]:
    """The clauses that looking answers, by the kind of mark."""
    asked: dict[str, list[Clause]] = {}
    for clause in clauses:
        if (kind := kind_of(clause)) is not None:
            asked.setdefault(kind, []).append(clause)
    return asked
