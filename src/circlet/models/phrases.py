"""Texts as the clauses that a network reads: for each its kind, and three phrases with their vectors."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from circlet.core import Encoder, Vectors
from circlet.language import KINDS, Edit, understand

# What a clause may be: the subject that stays, or an edit of one of these kinds.
SUBJECT = "subject"
CLAUSES = (SUBJECT, *KINDS)
# A clause is read as three phrases: what is wanted, what is not, and what it is about.
PHRASES = 3
# Clauses of one text that are read, one after the other.
LONGEST = 8


class Reading(NamedTuple):
    """A clause as the network reads it: its kind, and what is wanted, what is not, what it is about."""

    kind: str
    phrases: tuple[str, str, str]


def readings(edits: Sequence[Edit]) -> list[Reading]:
    """Every edit that asks for something; "same dog but white" asks of the dog.

    >>> readings([Edit("keep", "dog"), Edit("colour", "", "white")])
    [Reading(kind='colour', phrases=('white dog', '', 'dog'))]
    """
    found, thing = [], ""
    for edit in edits:
        if edit.kind == "keep":
            thing = edit.what
        else:
            full = replace(edit, what=edit.what or thing)
            found.append(Reading(edit.kind, (full.wanted or full.to, full.unwanted, full.what)))
    return found


@lru_cache(maxsize=65_536)
def read(text: str) -> tuple[Reading, ...]:
    """Every clause of a text as the network reads it."""
    return tuple(readings(understand(text).edits))


def staying(clauses: Sequence[Reading]) -> Reading:
    """What asks whether all else stays as it is, beside these."""
    wanted, unwanted, about = (
        ", ".join(filter(None, words)) for words in zip(*(one.phrases for one in clauses), strict=True)
    )
    return Reading(SUBJECT, (wanted, unwanted, about))


class Phrases:
    """The vectors of phrases, each encoded once; an empty one is zero."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._kept: dict[str, Vectors] = {"": np.zeros(encoder.dim, np.float32)}

    def rows(self, read: Sequence[Reading]) -> Vectors:
        """(readings, `PHRASES`, numbers)."""
        every = [phrase for one in read for phrase in one.phrases]
        new = [phrase for phrase in dict.fromkeys(every) if phrase not in self._kept]
        if new:
            self._kept |= zip(new, self.encoder.texts(new), strict=True)
        return np.array([self._kept[phrase] for phrase in every], np.float32).reshape(
            -1, PHRASES, self.encoder.dim
        )


class Heard(NamedTuple):
    """Texts as clauses: their kinds (texts, `LONGEST`), −1 where there is none, and rows of their phrases."""

    kinds: NDArray[np.int64]
    rows: Vectors


def as_clauses(texts: Sequence[str], phrases: Phrases) -> Heard:
    """What a network that reads clauses is told of these texts.

    >>> from circlet.testing import ToyEncoder
    >>> heard = as_clauses(["a dog, without people"], Phrases(ToyEncoder()))
    >>> heard.kinds.shape, heard.rows.shape[:3]
    ((1, 8), (1, 8, 3))
    """
    every = [read(text)[:LONGEST] for text in texts]
    kinds = np.full((len(texts), LONGEST), -1, np.int64)
    rows = np.zeros((len(texts), LONGEST, PHRASES, phrases.encoder.dim), np.float32)
    told = iter(phrases.rows([one for several in every for one in several]))
    for text, several in enumerate(every):
        for line, one in enumerate(several):
            kinds[text, line], rows[text, line] = CLAUSES.index(one.kind), next(told)
    return Heard(kinds, rows)
