"""What a clause asks of a scene: heard by what similar clauses asked for, with the values that it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from circlet.core import Vectors
from circlet.language.frame_words import TIMES, WEATHERS
from circlet.language.lexicon import COLOURS, NUMBERS
from circlet.models.encoders.sentences import DIM, Sentences
from circlet.models.phrases import CLAUSES, Reading
from circlet.models.scenes.sights import Seeable

# What a clause may be about: see `circlet.data.tableaux.world.truth.Need`.
ABOUTS = (
    "add", "remove", "replace", "count", "more", "fewer", "colour", "shirt", "hair", "tone", "larger",
    "smaller", "column", "front", "back", "facing", "left of", "setting", "time", "weather", "closer",
    "wider", "sign", "no sign",
)  # fmt: skip
_NOT_AWAY = np.array([about not in ("remove", "no sign") for about in ABOUTS])
# What the meaning of the words, and the kind of edit that rules heard, count.
_MEANING, _EDIT = 4.0, 2.0
INPUTS = DIM + len(CLAUSES)
_SIDES = {"left": r"left", "right": r"right", "middle": r"middle|cent(?:re|er)|central"}
# Words that name a value otherwise than it is called.
_SAID = {"tone": {"light": "light|fair|pale", "tan": "tan|tanned|olive", "dark": "dark"}}


@dataclass(frozen=True)
class SceneNeed:
    """One thing that a clause asks of a scene; what it does not name is empty, a number it leaves open 0."""

    about: str
    kind: str = ""
    other: str = ""
    count: int = 0
    colour: str = ""
    value: str = ""
    column: str = ""


class Hearing(nn.Module):
    """What clauses are about: one product over the meaning of their words and the edits that rules heard."""

    def __init__(self) -> None:
        super().__init__()
        self.about = nn.Linear(INPUTS, len(ABOUTS))

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of `ABOUTS`."""
        logits: Tensor = self.about(rows)
        return logits


def heard_rows(clauses: Sequence[Reading], known: Seeable, sentences: Sentences) -> Vectors:
    """Clauses as `Hearing` takes them, (clauses, `INPUTS`): things are called "thing" in all of them."""
    if not clauses:
        return np.zeros((0, INPUTS), np.float32)
    edits = np.zeros((len(clauses), len(CLAUSES)), np.float32)
    edits[np.arange(len(clauses)), [CLAUSES.index(one.kind) for one in clauses]] = _EDIT
    meant = sentences.texts([_without_things(one, known) for one in clauses])
    return np.concatenate([_MEANING * meant, edits], axis=1)


def _without_things(clause: Reading, known: Seeable) -> str:
    said = (known.vocabulary.marked(phrase)[0] for phrase in clause.phrases[:2] if phrase)
    return " ; ".join(re.sub(r"@\d", "thing", words) for words in said)


def hear(
    clauses: Sequence[Reading], known: Seeable, hearing: Hearing, sentences: Sentences
) -> list[SceneNeed]:
    """What each clause asks for."""
    with torch.no_grad():
        logits = hearing(torch.from_numpy(heard_rows(clauses, known, sentences))).numpy()
    # What rules heard as taken away cannot be there.
    away = np.array([clause.kind == "remove" for clause in clauses], bool)
    abouts = np.where(away[:, None] & _NOT_AWAY, -np.inf, logits).argmax(axis=1).tolist()
    return [need_of(ABOUTS[about], clause, known) for about, clause in zip(abouts, clauses, strict=True)]


def need_of(about: str, clause: Reading, known: Seeable) -> SceneNeed:
    """The need of a clause that is about this, with all that its words name.

    >>> dogs = Seeable({"dog": "dogs", "hut": "huts"}, {}, {}, {}, {})
    >>> need_of("add", Reading("add", ("three red dogs on the left", "", "dogs")), dogs)
    SceneNeed(about='add', kind='dog', other='', count=3, colour='red', value='', column='left')
    """
    wanted, unwanted, thing = clause.phrases
    words = f"{wanted} {unwanted} {thing}".lower()
    # Things in the order in which they are named; what is to be away comes last.
    _, kinds = known.vocabulary.marked(" ; ".join((wanted, thing, unwanted)))
    gone = known.vocabulary.marked(unwanted)[1]
    kind, other = _pair(about, kinds, gone)
    if about == "left of" and re.search(r"\bright\b", words):
        kind, other = other, kind
    return SceneNeed(
        about,
        kind,
        other,
        count=_number(wanted.lower(), kind, known) if about in ("add", "replace", "count") else 0,
        colour=_named(words, COLOURS) if about in ("add", "replace") else "",
        value=_value(about, words, known),
        column=_sided(words) if about == "add" else "",
    )


def _pair(about: str, kinds: Sequence[str], gone: Sequence[str]) -> tuple[str, str]:
    if about == "replace":
        new = [kind for kind in kinds if kind not in gone[:1]]
        return (new[0] if new else ""), (gone[0] if gone else "")
    first, second = (*kinds, "", "")[:2]
    return first, (second if about == "left of" else "")


def _number(wanted: str, kind: str, known: Seeable) -> int:
    """How many are named; one where the noun is in the singular, 0 where it is left open."""
    for word in re.findall(r"[\w-]+", wanted):
        if word in NUMBERS:
            return int(NUMBERS[word])
        if word.isdigit():
            return int(word)
    many = known.kinds.get(kind, "").lower()
    alone = bool(kind) and re.search(rf"\b{re.escape(kind.lower())}\b", wanted)
    return 1 if alone and (many == kind.lower() or many not in wanted) else 0


def _named(words: str, values: Sequence[str]) -> str:
    found = [value for value in values if value and re.search(rf"\b{re.escape(value.lower())}\b", words)]
    return found[0] if found else ""


def _sided(words: str) -> str:
    return next((side for side, said in _SIDES.items() if re.search(rf"\b(?:{said})\b", words)), "")


def _value(about: str, words: str, known: Seeable) -> str:
    match about:
        case "colour" | "shirt":
            return _named(words, known.things.get("colour", ()))
        case "column" | "facing":
            return _sided(words)
        case "tone":
            return _matching(words, _SAID["tone"])
        case "hair":
            return _named(words.replace("blonde", "blond"), known.things.get("hair", ()))
        case "time":
            return _matching(words, TIMES)
        case "weather":
            return _matching(words, WEATHERS)
        case "setting":
            return known.vocabulary.place(words)
        case "sign":
            return _named(words, known.wholes.get("sign", ()))
        case _:
            return ""


def _matching(words: str, said: "dict[str, str]") -> str:
    return next((value for value, pattern in said.items() if re.search(rf"\b(?:{pattern})\b", words)), "")
