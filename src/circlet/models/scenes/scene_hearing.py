"""What clauses ask of a scene: by the meaning of their words and the words themselves, as far as they can.

A clause that names two things may put one in the place of the other, and one that names a colour may ask for
it; what a clause does not name it cannot ask for. Among what is left one product over MiniLM's vector of the
clause, its words and pairs of words says how likely each need is meant.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from circlet.core import Vectors
from circlet.language.lexicon import listed
from circlet.models.encoders.sentences import Sentences
from circlet.models.scenes.needs import ABOUTS, VALUED, WHOLE, WITH_OTHER, Heard, SceneNeed, need_of
from circlet.models.scenes.scene_words import SIGN, SceneWords
from circlet.models.statements import WORD_INPUTS, Statements, word_rows


class Statement(NamedTuple):
    """What a clause may state: a need by its name, of its first thing or, `swapped`, of its second."""

    about: str
    swapped: bool = False


# A clause that states nothing comes last.
STATEMENTS = (*map(Statement, ABOUTS), *(Statement(about, True) for about in WITH_OTHER), Statement(""))
_WHOLE = np.array([one.about in WHOLE for one in STATEMENTS])
_TWO = np.array([one.about in WITH_OTHER for one in STATEMENTS])
_FREE = np.array([not one.about for one in STATEMENTS])
# Nobody asks for a picture without writing in other words: "without the people" names what is not known here.
_SILENT = "no sign"
_OF_WRITING = (
    *(SIGN, "sign", "board", "billboard", "text", "writ", "letter", "word", "read", "caption", "notice"),
    *("poster", "placard", "banner", "label", "inscri", "plaque", "print", "spell", "legib", "say", "said"),
    "name",
)
# What may be a thing, and is the eye where nothing else is named: "move the camera in".
_CAMERA = "camera"
# After these words others mean the opposite: "not quite so big", "too many".
_TURNING, _REACH = listed("not too no less out without never nor from"), 4
# What is less likely is not considered.
_LEAST = 0.02
# Words of strangers are less sure than those that were learned from: logits are divided by this.
_STRANGE = 1.5


class SceneHearing(Statements):
    """Logits of `STATEMENTS` for clauses as `clause_rows` has them."""

    def __init__(self) -> None:
        super().__init__(WORD_INPUTS, len(STATEMENTS))


def clause_rows(clauses: Sequence[SceneWords], sentences: Sentences) -> tuple[Tensor, Tensor]:
    """Clauses as `SceneHearing` takes them, and which statements each can make."""
    rows = word_rows(
        [clause.plain for clause in clauses], [_grams(clause.words) for clause in clauses], sentences
    )
    able = np.array([_able(clause) for clause in clauses], bool).reshape(-1, len(STATEMENTS))
    return torch.from_numpy(rows), torch.from_numpy(able)


def _grams(words: str) -> list[str]:
    """A clause's words and pairs of words."""
    single = ["^", *words.split(), "$"]
    grams = [*single, *(f"{one} {two}" for one, two in pairwise(single))]
    for at, word in enumerate(single):
        if word in _TURNING:
            grams += [f"{word} … {later}" for later in single[at + 1 : at + 1 + _REACH]]
    return grams


def _able(clause: SceneWords) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """What a clause can state: of things where it names as many, with a value where it names one."""
    if not clause.tokens:
        return _FREE
    things = len(clause.kinds)
    whole = not things or clause.kinds == (_CAMERA,)
    of_things = ~_WHOLE & ~_FREE & (things > 0 or clause.pronoun) & (~_TWO | (things > 1))
    named = {one.symbol for one in clause.tokens}
    valued = np.array(
        [
            one.about not in VALUED or VALUED[one.about] in named or _alone(one.about, named)
            for one in STATEMENTS
        ]
    )
    written = any(word.startswith(_OF_WRITING) for word in named)
    fitting = valued & np.array([written or one.about != _SILENT for one in STATEMENTS])
    return np.asarray(((_WHOLE & whole) | of_things | _FREE) & fitting)


def _alone(about: str, named: set[str]) -> bool:
    """Whether a number is named by a word that may be none: "only one dog"."""
    return about == "count" and bool(named & {"one", "single", "lone"})


def number_of(need: SceneNeed | None, clause: SceneWords) -> int:
    """The number of the statement that a clause makes if it states this need."""
    if need is None:
        return len(STATEMENTS) - 1
    swapped = need.about in WITH_OTHER and need_of(need.about, clause).kind != need.kind
    return STATEMENTS.index(Statement(need.about, swapped))


def hear(clauses: Sequence[SceneWords], hearing: SceneHearing, sentences: Sentences) -> list[Heard]:
    """What each clause may ask for; nothing where most likely it asks for nothing."""
    if not clauses:
        return []
    with torch.inference_mode():
        logits: Tensor = hearing(*clause_rows(clauses, sentences)) / _STRANGE
    return [_heard(clause, row) for clause, row in zip(clauses, logits.softmax(1).numpy(), strict=True)]


def _heard(clause: SceneWords, likely: Vectors) -> Heard:
    found: dict[SceneNeed, float] = {}
    for number in np.argsort(-likely, kind="stable"):
        statement = STATEMENTS[number]
        if likely[number] < _LEAST or (not statement.about and not found):
            break
        if statement.about:
            need = need_of(statement.about, clause, swapped=statement.swapped)
            found[need] = found.get(need, 0.0) + float(likely[number])
    return found
