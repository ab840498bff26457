"""A text heard clause by clause: where it parts, and what each part may ask of a scene."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from circlet.core import Query
from circlet.language.lexicon import listed
from circlet.models.encoders.sentences import Sentences
from circlet.models.scenes.needs import Heard, SceneNeed, left_of
from circlet.models.scenes.scene_hearing import SceneHearing, hear
from circlet.models.scenes.scene_words import THING, VALUES, SceneWords, Token, clause_of, tokens
from circlet.models.scenes.sights import Seeable
from circlet.models.scenes.splitting import MARKS, Splitting, ways

# Another way to cut a text is considered if it is hardly worse, and then what is heard in its parts counts.
_CLOSE, _WAYS, _HEARD = 5.0, 4, 1.5
# What names something and yet is heard to ask for nothing is hardly a clause.
_IDLE = 0.1
# What joins a clause to the one before is no part of what it says.
_JOINED = re.compile(
    r"^(?:[\s,;:.!?&+–—-]|(?:and|but|also|plus|then|while|yet|next)\b(?! to\b|-))+|[\s,;:.!?–—-]+$",
    re.IGNORECASE,
)
# What may lead to the next clause, after a mark.
_LEADING = listed("next then also and plus but finally lastly besides furthermore additionally afterwards "
                  "further second secondly")  # fmt: skip
_SIGN = re.compile(r"\b(?:signs?|board|text|writing|lettering|words)\b", re.IGNORECASE)


class Said(NamedTuple):
    """A clause in the words of whoever said it, and what it may ask for, the likeliest first.

    An `absent` one names only what is to be away.
    """

    words: str
    heard: Heard
    absent: bool = False

    @property
    def need(self) -> SceneNeed:
        """The likeliest of them."""
        return next(iter(self.heard))


class Listener:
    """Hears texts: `Listener(hearing, splitting, known).said("remove the dog, at night")`."""

    def __init__(self, hearing: SceneHearing, splitting: Splitting, known: Seeable) -> None:
        self.hearing, self.splitting, self.known = hearing.eval(), splitting.eval(), known
        self.sentences = Sentences()
        self._said = lru_cache(maxsize=4096)(self._hear)

    def said(self, text: str, last: str = "") -> tuple[Said, ...]:
        """The clauses of a text that ask for something, after words about the thing `last`."""
        return self._said(text, last)

    def asked(self, query: Query) -> list[Said]:
        """The clauses of a query; what a later one says of the same matter counts alone."""
        found: list[Said] = []
        last = ""
        for turn in query.turns:
            told = self.said(turn.text, last)
            told += tuple(Said(thing, self._away(thing), absent=True) for thing in turn.without)
            for later in told:
                found = [left for one in found if (left := _after(one, later)) is not None]
                found.append(later)
            last = next((one.need.kind for one in reversed(told) if one.heard and one.need.kind), last)
        return found

    def _away(self, thing: str) -> Heard:
        """What is asked by a thing that is to be away; nothing where nobody knows it."""
        kinds = clause_of(tokens(thing, self.known)).kinds
        if kinds:
            return {SceneNeed("remove", kinds[0]): 1.0}
        return {SceneNeed("no sign"): 1.0} if _SIGN.search(thing) else {}

    def _hear(self, text: str, last: str) -> tuple[Said, ...]:
        every = tokens(text, self.known)
        found = [(worth, self._clauses(parts, last)) for worth, parts in ways(every, self.splitting, _WAYS)]
        found = [one for one in found if one[0] > found[0][0] - _CLOSE]
        if not found:
            return ()
        # All parts at once: the meaning of words takes time.
        heard = hear([clause for _, clauses in found for _, clause in clauses], self.hearing, self.sentences)
        several: list[tuple[float, list[tuple[str, SceneWords, Heard]]]] = []
        at = 0
        for worth, clauses in found:
            own = heard[at : at + len(clauses)]
            at += len(clauses)
            sure = sum(_sure(clause, one) for (_, clause), one in zip(clauses, own, strict=True))
            told = [(_JOINED.sub("", text[start:end]), clause) for (start, end), clause in clauses]
            whole = [(words, clause, one) for (words, clause), one in zip(told, own, strict=True)]
            several.append((worth + _HEARD * sure, whole))
        _, best = max(several, key=lambda one: one[0])
        return tuple(_of_last(best, last))

    def _clauses(
        self, parts: Sequence[Sequence[Token]], last: str
    ) -> list[tuple[tuple[int, int], SceneWords]]:
        """The clauses, and where they stand in the text, each after words about what was named before."""
        found = []
        for part in map(_till_join, parts):
            clause = clause_of(part, last)
            found.append(((part[0].start, part[-1].end), clause))
            last = clause.kinds[0] if clause.kinds else last
        return found


def _till_join(part: Sequence[Token]) -> Sequence[Token]:
    """A part without what leads to the next one: "fewer lemons; next"."""
    end = len(part)
    while end > 2 and (
        part[end - 1].symbol in MARKS
        or (part[end - 1].symbol in _LEADING and part[end - 2].symbol in {*MARKS, *_LEADING})
    ):
        end -= 1
    return part[:end]


def _after(said: Said, later: Said) -> Said | None:
    """What is left of a clause after a later one; None: nothing."""
    if said == later:
        return None
    if not said.heard or not later.heard:
        return said
    left = {kept: likely for need, likely in said.heard.items() if (kept := left_of(need, later.need))}
    return said._replace(heard=left) if left_of(said.need, later.need) else None


def _of_last(told: Sequence[tuple[str, SceneWords, Heard]], last: str) -> Iterator[Said]:
    """What asks for something; "it" is the thing that is there after what was asked for before."""
    for words, clause, heard in told:
        if clause.pronoun and not clause.kinds:
            # What is asked of the whole picture has no thing: "make it night".
            heard = {replace(need, kind=need.kind and last): likely for need, likely in heard.items()}
        elif clause.kinds:
            last = next((need.kind for need in heard if need.kind), clause.kinds[0])
        if heard:
            yield Said(words, heard)


def _sure(clause: SceneWords, heard: Heard) -> float:
    """How sure a part is heard, as a logarithm; what names a thing or a value should say something."""
    if heard:
        return float(np.log(next(iter(heard.values()))))
    names = any(one.symbol in VALUES or one.symbol[0] == THING for one in clause.tokens)
    return float(np.log(_IDLE)) if names else 0.0
