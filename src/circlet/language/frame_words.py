"""A description of one picture among a few as facts: what is said of which thing, clause by clause.

The words are read by what they speak of (covering, edges, numbers, ways of moving), never by whole
sentences, so that wordings nobody listed are understood as well.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from circlet.language.frame_cues import cues
from circlet.language.frame_facts import OVERALL, WITH_OTHER, FrameFact, Heard
from circlet.language.lexicon import COLOURS, NUMBERS

_MORE_NUMBERS = {
    "pair": 2,
    "couple": 2,
    "twins": 2,
    "trio": 3,
    "quartet": 4,
    "alone": 1,
    "lone": 1,
    "solitary": 1,
}
_NUMBER = r"\b(" + "|".join([*NUMBERS, *_MORE_NUMBERS, r"(?<!@)\d+"]) + r")\b"
_SIDES = r"\b(left|right)\b"
_MIDDLE = r"\b(middle|cent(re|er)|central)\b"
TIMES = {
    "night": r"night\w*|midnight|moonlight",
    "dawn": r"dawn|sunrise|daybreak|(early )?morning|sun (is )?(rising|comes up|coming up)",
    "sunset": r"sunset|dusk|evening|twilight|sundown|sun (is )?(setting|goes down|going down)",
    "day": r"day(time|light)?|noon|midday|afternoon",
}
WEATHERS = {
    "rain": r"rain\w*|drizzl\w*|wet weather|shower\w*|pouring|downpour",
    "snow": r"snow(y|ing|fall|flakes|s)?|blizzard",
    "fog": r"fog\w*|mist\w*|haz[ey]",
    "cloudy": r"cloud(y|s|ed)?|overcast|gr[ea]y sky",
    "clear": r"clear|cloudless|sunny|fair|sunshine|blue sky|no clouds?",
}
_CIRCUMSTANCES = {"time": TIMES, "weather": WEATHERS}
# Where a clause ends and the next begins.
_ENDS = re.compile(r"[.;!?]+(?:\s+|$)|,\s+(?:and|while|but|whereas|as|with|yet)\s+|\s+while\s+")
_PRONOUN = re.compile(r"\b(it|they|them|its|their|itself|themselves)\b")
# What has no thing before it can only be a verb or an adjective.
_NOT_NOUN = r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bhas )(?<!\bhave )(?<!\bto )(?<!\bit )(?<!\bthey )"
# The eye that sees, which may be a thing as well.
_VIEWER = re.compile(r"\bthe (camera|viewer|lens)\b(?=.*\b(big|large|huge|small|tiny|little|size)\b)")
# A colour is a thing's, also where it is only called "it".
_OF_A_THING = re.compile(rf"\b(it|they)\b.*\b({'|'.join(COLOURS)})\b")
# What takes the picture may be a thing in it as well.
_CAMERA = "camera"
# After these, "right" is a side: "it looks right now", "on the right there".
_SIDEWAYS = ("the", *(verb + end for verb in ("face", "look", "head", "point") for end in ("", "s")))
_SIDEWAYS += ("facing", "looking", "heading", "pointing")
# Words that look like a number or a side and are none.
_PLAIN = (
    (re.compile(r"\bone (can|sees|could|may|might|must|finds|notices|spots|will|has to)\b"), r"you \1"),
    (
        re.compile(
            "".join(rf"(?<!\b{word} )" for word in _SIDEWAYS)
            + r"\bright (now|next|away|in front|beside|behind|by|after|here|there|above|before|against|"
            r"over|up)\b"
        ),
        r"\1",
    ),
)


# Who is in front, by the number of the thing; who is behind it; and whoever does something to the other.
_COVERING = tuple(
    re.compile(pattern)
    for pattern in (
        r"behind (?:\w+ )?@(\d)",
        r"\bby (?:\w+ )?@(\d)",
        r"because (?:of )?(?:\w+ )?@(\d)",
        r"@(\d) (?:\w+ )?(?:is|are|stands?|gets?) (?:\w+ )?"
        r"(?:in the way|(?:in front|before)\b(?! of| \w+ @))",
        r"@(\d) in front(?! of)",
        r"@(\d) (?:is|are) (?:\w+ )?(?:cover|hid|block|obscur|conceal|mask|overlapp|obstruct|screen)ing\b",
    )
)
_COVERED = re.compile(r"in front of (?:\w+ |\w+ of (?:\w+ )?)*?@(\d)|before (?:\w+ )?@(\d)")
_COVERS = re.compile(
    r"@0 (\w+ ){0,3}(covers?|hides?|blocks?|obscures?|conceals?|masks?|screens?|overlaps?|swallows?|"
    r"eclipses?|shields?|obstructs?|shuts|keeps?|lets?|leaves?|takes?)\b"
)
_OTHER_FIRST = re.compile(
    r"(left|right)[\w -]* of (the )?@0\b|@0 (has|have|with) (the |a )?@1\b.*\b(its|their)\b"
)
_UNDERGOES = re.compile(r"@0 (is|are|has|have|can|gets?) ")


@dataclass(frozen=True)
class Vocabulary:
    """What descriptions may speak of: nouns (singular, plural) with their kinds, places with their names."""

    nouns: Mapping[str, str]
    places: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _nouns(self) -> re.Pattern[str]:
        longest = sorted(self.nouns, key=len, reverse=True)
        return re.compile(rf"{_NOT_NOUN}\b({'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)

    def marked(self, clause: str) -> tuple[str, list[str]]:
        """The clause in lower case with @0, @1, … in the place of its things, and their kinds.

        >>> Vocabulary({"dog": "dog", "hut": "hut"}).marked("The dog is behind the red hut")
        ('the @0 is behind the red @1', ['dog', 'hut'])
        """
        kinds: list[str] = []

        def mark(match: re.Match[str]) -> str:
            kind = self._kind(match[1])
            if kind not in kinds:
                kinds.append(kind)
            return f"@{kinds.index(kind)}"

        plain = _VIEWER.sub("the eye", clause)
        return (self._nouns.sub(mark, plain) if self.nouns else plain).lower(), kinds

    def _kind(self, noun: str) -> str:
        return self.nouns.get(noun) or next(
            kind for name, kind in self.nouns.items() if name.lower() == noun.lower()
        )

    def place(self, clause: str) -> str:
        """The place that a clause names, the longest of them; empty where it names none."""
        found = [phrase for phrase in self.places if re.search(rf"\b{re.escape(phrase.lower())}\b", clause)]
        return self.places[max(found, key=len)] if found else ""


class FrameClause(NamedTuple):
    """A clause of a description: as it was said, with @0, @1 in the place of its things, and their kinds.

    A pronoun stands for the thing that was spoken of before; but what is said of one thing alone is about the
    one that is `named`. `whole` says that nothing is named but perhaps what takes the picture, so that it may
    be about all of it; `place` is the place that it names.
    """

    said: str
    words: str
    kinds: tuple[str, ...]
    named: str = ""
    whole: bool = False
    place: str = ""


@dataclass(frozen=True)
class Said:
    """A clause of a description, and what it may state, the likeliest first."""

    words: str
    heard: Heard

    @property
    def fact(self) -> FrameFact:
        """The likeliest of them."""
        return next(iter(self.heard))


def read_frame(
    text: str, vocabulary: Vocabulary, hear: Callable[[FrameClause], Heard] | None = None
) -> list[Said]:
    """What a description states, in its order; what is not understood is left out.

    Clauses are heard by rules, or by whatever else hears them.

    >>> nouns = Vocabulary({"dog": "dog", "dogs": "dog", "hut": "hut"})
    >>> said = read_frame("The dog is partly hidden behind the hut, and it faces left.", nouns)
    >>> [(one.fact.about, one.fact.kind, one.fact.other, one.fact.value) for one in said]
    [('partly', 'dog', 'hut', ''), ('facing', 'dog', '', 'left')]
    """
    found: list[Said] = []
    last = ""
    for said in _clauses(text):
        clause = mark(said, vocabulary, last)
        heard = (hear or by_rules)(clause)
        if heard:
            found.append(Said(said, heard))
            last = found[-1].fact.kind or last
        else:
            last = clause.kinds[0] if clause.kinds else last
    return found


def _clauses(text: str) -> list[str]:
    """The clauses of a text; one word alone says nothing."""
    pieces = (piece.strip(" ,") for piece in _ENDS.split(text))
    return [piece for piece in pieces if " " in piece]


def mark(said: str, vocabulary: Vocabulary, last: str = "") -> FrameClause:
    """A clause with its things marked, after words about the thing `last`.

    >>> mark("it is left of the hut", Vocabulary({"dog": "dog", "hut": "hut"}), "dog")[1:3]
    ('@0 is left of the @1', ('dog', 'hut'))
    """
    words, kinds = vocabulary.marked(said)
    whole = not kinds or kinds == [_CAMERA]
    # What is far from the camera is named beside it.
    named = next((kind for kind in kinds if kind != _CAMERA), kinds[0] if kinds else last)
    words = re.sub(r"[^\w@'\- ]", " ", _plainly(words))
    for short, meant in _PLAIN:
        words = short.sub(meant, words)
    if not kinds and last and _PRONOUN.search(words) and not _overall(words, vocabulary.place(words)):
        words, kinds = _PRONOUN.sub("@0", words, count=1), [last]
    elif not kinds and last and re.search(r"\bone\b", words) and not _PRONOUN.search(words):
        kinds = [last]
    elif len(kinds) == 1 and last and last != kinds[0] and (between := _between(words)):
        # "It is to the left of the hut": the thing that was spoken of beside the one that is named.
        words, kinds = between, [last, *kinds]
        named = last if whole else named
    place = "" if "@" in words else vocabulary.place(words)
    return FrameClause(said, words, tuple(kinds), named, whole, place)


def by_rules(clause: FrameClause) -> Heard:
    """What the cues say that a clause states: one fact, or nothing."""
    if clause.whole and (overall := _overall(clause.words, clause.place)):
        return {overall: 1.0}
    for cue in cues() if clause.kinds else ():
        if cue.fits(clause.words, len(clause.kinds)):
            swapped = cue.things == 2 and roles(cue.about, clause.words) == (1, 0)
            fact = stated(cue.about, clause, swapped=swapped)
            if fact is not None:
                return {fact: 1.0}
    return {}


def _plainly(words: str) -> str:
    """The words without what writing makes shorter."""
    for short, long in (("won't", "will not"), ("can't", "can not"), ("cannot", "can not"), ("n't", " not")):
        words = words.replace(short, long)
    return words


def _between(words: str) -> str:
    """The clause with a pronoun as its first thing, where there is one."""
    if not re.search(r"\b(it|they|them)\b", words):
        return ""
    numbered = words.replace("@0", "@1")
    return re.sub(r"\b(it|they|them)\b", "@0", numbered, count=1)


def _overall(words: str, place: str) -> FrameFact | None:
    """What is said of the whole picture, of the place, the hour or the weather."""
    for cue in cues():
        if cue.things == 0 and cue.fits(words, 0) and not _OF_A_THING.search(words):
            return FrameFact(cue.about)
    if "@" in words:
        return None
    if place:
        return FrameFact("setting", value=place)
    for about in _CIRCUMSTANCES:
        if value := _circumstance(about, words):
            return FrameFact(about, value=value)
    return None


def _circumstance(about: str, words: str) -> str:
    """The hour or the weather that words name; empty where they name none."""
    values = _CIRCUMSTANCES[about].items()
    return next((value for value, pattern in values if re.search(rf"\b({pattern})\b", words)), "")


def stated(about: str, clause: FrameClause, *, swapped: bool = False) -> FrameFact | None:
    """The fact of this name with its slots filled from a clause; None where it lacks one of them.

    Between two things it is about the first, or with `swapped` about the second.

    >>> said = mark("the dog is far to the left", Vocabulary({"dog": "dog"}))
    >>> stated("edge", said), stated("colour", said)
    (FrameFact(about='edge', kind='dog', other='', value='left', count=1), None)
    """
    words, kinds = clause.words, clause.kinds
    if about in OVERALL:
        return FrameFact(about)
    if about in ("setting", *_CIRCUMSTANCES):
        value = clause.place if about == "setting" else _circumstance(about, words)
        return FrameFact(about, value=value) if value else None
    if len(kinds) < (2 if about in WITH_OTHER else 1):
        return None
    if about in WITH_OTHER:
        first, second = (1, 0) if swapped else (0, 1)
        value = _side(words) if about == "beside" else ""
        missing = about == "beside" and not value
        return None if missing else FrameFact(about, kinds[first], other=kinds[second], value=value)
    thing = clause.named
    if about in ("cut", "edge", "turned", "facing"):
        side = _side(words)
        return FrameFact(about, thing, value=side) if side else None
    if about == "column":
        at = "middle" if re.search(_MIDDLE, words) else _side(words)
        return FrameFact(about, thing, value=at) if at else None
    if about in ("count", "arrived", "left"):
        number = counted(words)
        return None if number is None else FrameFact(about, thing, count=number)
    if about == "colour":
        colour = re.search(rf"\b({'|'.join(COLOURS)})\b", words)
        return FrameFact(about, thing, value=colour[1].replace("gray", "grey")) if colour else None
    return FrameFact(about, thing)


def _side(words: str) -> str:
    """Left or right: the one that is a direction, where "left" may be what somebody did."""
    plain = re.sub(r"\b(has|have|had|just|only|are|is) left\b(?! (of|edge|side|half|third|part))", " ", words)
    found = re.search(_SIDES, plain) or re.search(_SIDES, words)
    return found[1] if found else ""


def counted(words: str) -> int | None:
    """How many there are by a clause's numbers; one that came or went is not the number there is.

    >>> counted("one more @0 has just arrived which makes three"), counted("the @0 is red")
    (3, None)
    >>> counted("only two @0 remain since one took off"), counted("a single @0 is left")
    (2, 1)
    """
    left = re.sub(
        r"\b(one|a single) (more|of the|of|extra|additional|new|other|@0 (has|is|less|fewer))\b", " ", words
    )
    left = re.sub(r"\banother one\b|\bone (has|is|less|fewer|just|came|went|left|gone|\w+ed)\b", " ", left)
    for text in (left, words):
        found = [_value(number) for number in re.findall(_NUMBER, text)]
        if found:
            # "Two, now that one took off": one beside another number is who came or went.
            return next((number for number in reversed(found) if number != 1), 1)
    if re.search(r"\b(none|nothing|no)\b", words):
        return 0
    return 1 if re.search(r"\b(alone|just|only|lone|lonely)\b", words) else None


def _value(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return NUMBERS[word] if word in NUMBERS else _MORE_NUMBERS[word]


def roles(about: str, words: str) -> tuple[int, int]:
    """Which of two things is spoken of, and which is the other.

    >>> roles("hidden", "the @0 is completely hidden behind the @1")
    (0, 1)
    >>> roles("partly", "the @0 hides some of the @1")
    (1, 0)
    """
    if about in ("hidden", "partly"):
        for pattern in _COVERING:
            if found := pattern.search(words):
                other = int(found[1])
                return (0, other) if other else (1, 0)
        if found := _COVERED.search(words):
            thing = int(found[1] or found[2])
            return (thing, 0) if thing else (0, 1)
        # Whoever covers, does it to the other: "the hut hides the dog".
        if _COVERS.search(words) and not _UNDERGOES.search(words):
            return 1, 0
    return (1, 0) if about == "beside" and _OTHER_FIRST.search(words) else (0, 1)
