"""The table of patterns that turn a clause into an edit; the first that fits the whole clause decides."""

from dataclasses import dataclass
from functools import cache

from circlet.language.edits import EditKind
from circlet.language.lexicon import BACKGROUNDS, COLOURS, MOVES, PLACES, SIZES, TIMES, VIEWS, any_of

# What a change is about, by the words in it; the first topic that speaks up has it.
# The last column marks details: in a longer description, "on a white plate" is about a plate.
TOPICS: tuple[tuple[EditKind, tuple[str, ...], bool], ...] = (
    ("background", BACKGROUNDS, False),
    ("move", ("facing", "face", "faces", "looking"), False),
    ("view", VIEWS, False),
    ("time", TIMES, False),
    ("colour", ("color", "colour", "colored", "coloured", "colors", "colours", "black and white"), False),
    ("colour", (*COLOURS, "darker", "lighter", "brighter"), True),
    ("size", SIZES, True),
    ("move", (*MOVES, *PLACES), False),
)
_DETAIL_WORDS = 4


@dataclass(frozen=True)
class EditRule:
    """A kind and a pattern for a whole clause, in the notation of `patterns`.

    `to` is fixed where the pattern does not catch one, and `sign` goes before the figure of a
    relative count. With `topical`, the words caught decide a narrower kind where they speak of one;
    with `many`, what was caught is a list, and each item of it gives an edit.
    """

    kind: EditKind
    pattern: str
    to: str = ""
    sign: str = ""
    topical: bool = False
    many: bool = False


RULES: tuple[EditRule, ...] = (
    # How many
    EditRule("count", "[{cut} ](all|everything) (but|except[ for]) {BY}[ of][ {WHAT}]"),
    EditRule("count", "[there {be} ]{BY} (less|fewer) {WHAT}", sign="-"),
    EditRule("count", "{BY} {NOUN} (less|fewer)", sign="-"),
    EditRule("count", "[({has}|{put}) ]{BY} more {WHAT}", sign="+"),
    EditRule("count", "[({has}|{be}) ]more than {n}[ {WHAT}]", to="several"),
    EditRule(
        "count", "(increase|reduce|decrease|change|lower)s? [the ]{number} {WHAT?} [down |up ]to {BY}{rest}"
    ),
    EditRule("count", "(increase|raise)s? [the ]{number} {WHAT}", to="more"),
    EditRule("count", "(reduce|decrease|lower)s? [the ]{number} {WHAT}", to="fewer"),
    EditRule("count", "[the ]{number} {WHAT?} [{be} ](increased|decreased|reduced) to {BY}{rest}"),
    # This for that
    EditRule("replace", "{swap} {WHAT?} (with|for|by) {TO}"),
    EditRule("replace", "{TO?},? {instead}( {show}){0,2} {WHAT}"),
    EditRule("replace", "{TO?},? (instead|rather|rathet|than)( {show}){1,2} {WHAT}"),
    EditRule("replace", "{instead} {WHAT?}, {TO}"),
    EditRule("remove", "{instead} {WHAT}", many=True),
    EditRule("replace", r".*?\bchange(s|d)? from {WHAT?} (into|to) {TO}"),
    EditRule("replace", "{turn} {words} from {WHAT?} (into|to) {TO}"),
    EditRule("replace", "{WHAT?} [has |have |{be} ][been ]{turned} (into|to|by|with) {TO}", topical=True),
    EditRule("replace", "{turn} {WHAT?} (into|to) {TO}", topical=True),
    EditRule("replace", "{turn} [it ](into|to|for) {TO}", topical=True),
    # "A peach" is a thing, though "peach" is a colour.
    EditRule(
        "replace", "(makes? (it|this|that)|(?<=but )[with |as |it is |this is ]) ?(an?|some) (?P<to>{word})"
    ),
    EditRule("replace", "(an?|some) (?P<to>{word}),? instead"),
    EditRule("replace", "makes? (it|this|that) (an?|some) {TO}", topical=True),
    EditRule("replace", "{TO},? instead", topical=True),
    # Away
    EditRule("remove", "{cut} {WHAT}", many=True),
    EditRule(
        "remove",
        "{WHAT?} [{be} |has been |have been ](removed|gone|missing|absent|deleted|disappear(s|ed)?|left out)",
        many=True,
    ),
    EditRule("remove", "{WHAT?} {be} no longer (there|visible|present|shown|seen|in .+)"),
    EditRule("remove", "[there {be} ]no (longer|more) [any |an? |the ]{WHAT}", many=True),
    EditRule("remove", r".*\bno longer [({has}|wears?|includes?) ]{WHAT}"),
    EditRule("remove", r"[.*?\b({has}|{be}|and) ]no {WHAT}", many=True),
    EditRule("remove", "[.+ ](without|minus|lacks?|lacking|free of|free from)[ {show}] {WHAT}", many=True),
    EditRule(
        "remove",
        r"[.*\b](do|does|did|can|will|should|must) not [({has}|wear|include|be|see) ]{WHAT}",
        many=True,
    ),
    EditRule("remove", r"[.*\b{be} ]not (?!only|just|too|very){WHAT}"),
    EditRule("remove", "(?P<what>nobody|no one|no-one)[ .+]"),
    # What stays
    EditRule(
        "attribute", "[just |exactly ][the ]same[ one| thing| {picture}],? (in|at|with|on) {TO}", topical=True
    ),
    EditRule(
        "keep", "(keeps?|leaves?|maintains?|preserves?|retains?) {WHAT?}[ (the same|unchanged|as (is|it is))]"
    ),
    EditRule("keep", "[({has}|{be}|of) ][the |an? ][very |exact ](same|identical) {WHAT}"),
    EditRule("keep", "[just |exactly |almost ]((like|as) this[ one]|[the ]same)[ one| thing| {picture}]"),
    # More
    EditRule("add", "{put} {WHAT}", many=True),
    EditRule("count", "[[{it} ]({has}|{be}) ](?P<by>more|fewer) {NOUNS}{rest}"),
    EditRule("count", "[[{it} ]{has} ]less {NOUNS}", to="fewer"),
    EditRule(
        "compare", r"[.*\b({be}|{has}|make it|looks?) ]{rather}more (?P<what>{word}[ {word}])", to="more"
    ),
    EditRule(
        "compare", r"[.*\b({be}|{has}|make it|looks?) ]{rather}less (?P<what>{word}[ {word}])", to="less"
    ),
    EditRule(
        "count",
        "[[{it} ]({be}|{has}|show me|makes?( it| them)?|a {picture} of) ][only |just |exactly ]{BY}"
        " (?P<what>{word}[ {word}])",
    ),
    EditRule("count", "[.+ ]{be} [only |just ]{BY}"),
    EditRule("count", "[({be}|{has}) ](only|just) {BY} {WHAT}"),
    # But a …
    EditRule("replace", "(?<=but )[with |as |it is |this is ](an? |some ){TO}", topical=True),
)

# How statements are taken when they speak of no topic.
PLAIN: tuple[EditRule, ...] = (
    EditRule("count", "[{has} ][only |just ]{BY} {WHAT}"),
    EditRule("add", "(puts?|places?) {WHAT?}[ (on|in|at|behind|next to|under) .+]"),
    EditRule("add", "({has}|wears?|wearing|also|and|plus) [also |me ]{WHAT}"),
    EditRule("attribute", "[{WHAT?} ]({be}|becomes?|looks?) (?P<to>{word}[ and {word}])"),
    EditRule("attribute", "makes? (?P<what>it|them|him|her|the {word}) {TO}"),
)

# What opens a caption and says nothing about what is seen.
LEAD = (
    "((but|and|also|then|please|just|simply|now|not only|not just|i want|i would like|must) )*"
    "[the (target|desired)[ {picture}| product| pic] ({be}|has|shows?|should be) |"
    "target [on |with |the ]|focus [on |with ]|in (?=(a |the )?({colours})$)|"
    "(makes?|change|turn|take|shows?|have|has|becomes?|{it} ({be}|has|have)|there {be}|{be})"
    "[ (out with|with|it|them|me|to|into|be|an? {picture} of|[side |front |back ]angle view (of|on))] ]"
)


@cache
def topic(text: str) -> EditKind | None:
    """What a clause is about, where its words say so.

    >>> topic("with a plain backdrop"), topic("at night"), topic("a dog")
    ('background', 'time', None)
    """
    short = len(text.split()) <= _DETAIL_WORDS
    return next(
        (kind for kind, words, detail in TOPICS if (short or not detail) and any_of(*words).search(text)),
        None,
    )
