"""The table of patterns that turn a clause into an edit; the first that fits the whole clause decides."""

from dataclasses import dataclass
from functools import cache

from circlet.language.edits import Kind
from circlet.language.lexicon import BACKGROUNDS, COLOURS, MOVES, PLACES, SIZES, TIMES, VIEWS, any_of

# What a change is about, by the words in it; the first topic that speaks up has it.
# The last column marks details: in a longer description, "on a white plate" is about a plate.
TOPICS: tuple[tuple[Kind, tuple[str, ...], bool], ...] = (
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
class Rule:
    """A kind and a pattern for a whole clause, in the notation of `patterns`.

    `to` is fixed where the pattern does not catch one, and `sign` goes before the figure of a
    relative count. With `topical`, the words caught decide a narrower kind where they speak of one;
    with `many`, what was caught is a list, and each item of it gives an edit.
    """

    kind: Kind
    pattern: str
    to: str = ""
    sign: str = ""
    topical: bool = False
    many: bool = False


RULES: tuple[Rule, ...] = (
    # How many
    Rule("count", "[{cut} ](all|everything) (but|except[ for]) {BY}[ of][ {WHAT}]"),
    Rule("count", "[there {be} ]{BY} (less|fewer) {WHAT}", sign="-"),
    Rule("count", "{BY} {NOUN} (less|fewer)", sign="-"),
    Rule("count", "[({has}|{put}) ]{BY} more {WHAT}", sign="+"),
    Rule("count", "[({has}|{be}) ]more than {n}[ {WHAT}]", to="several"),
    Rule(
        "count", "(increase|reduce|decrease|change|lower)s? [the ]{number} {WHAT?} [down |up ]to {BY}{rest}"
    ),
    Rule("count", "(increase|raise)s? [the ]{number} {WHAT}", to="more"),
    Rule("count", "(reduce|decrease|lower)s? [the ]{number} {WHAT}", to="fewer"),
    Rule("count", "[the ]{number} {WHAT?} [{be} ](increased|decreased|reduced) to {BY}{rest}"),
    # This for that
    Rule("replace", "{swap} {WHAT?} (with|for|by) {TO}"),
    Rule("replace", "{TO?},? {instead}( {show}){0,2} {WHAT}"),
    Rule("replace", "{TO?},? (instead|rather|rathet|than)( {show}){1,2} {WHAT}"),
    Rule("replace", "{instead} {WHAT?}, {TO}"),
    Rule("remove", "{instead} {WHAT}", many=True),
    Rule("replace", r".*?\bchange(s|d)? from {WHAT?} (into|to) {TO}"),
    Rule("replace", "{turn} {words} from {WHAT?} (into|to) {TO}"),
    Rule("replace", "{WHAT?} [has |have |{be} ][been ]{turned} (into|to|by|with) {TO}", topical=True),
    Rule("replace", "{turn} {WHAT?} (into|to) {TO}", topical=True),
    Rule("replace", "{turn} [it ](into|to|for) {TO}", topical=True),
    # "A peach" is a thing, though "peach" is a colour.
    Rule(
        "replace", "(makes? (it|this|that)|(?<=but )[with |as |it is |this is ]) ?(an?|some) (?P<to>{word})"
    ),
    Rule("replace", "(an?|some) (?P<to>{word}),? instead"),
    Rule("replace", "makes? (it|this|that) (an?|some) {TO}", topical=True),
    Rule("replace", "{TO},? instead", topical=True),
    # Away
    Rule("remove", "{cut} {WHAT}", many=True),
    Rule(
        "remove",
        "{WHAT?} [{be} |has been |have been ](removed|gone|missing|absent|deleted|disappear(s|ed)?|left out)",
        many=True,
    ),
    Rule("remove", "{WHAT?} {be} no longer (there|visible|present|shown|seen|in .+)"),
    Rule("remove", "[there {be} ]no (longer|more) [any |an? |the ]{WHAT}", many=True),
    Rule("remove", r".*\bno longer [({has}|wears?|includes?) ]{WHAT}"),
    Rule("remove", r"[.*?\b({has}|{be}|and) ]no {WHAT}", many=True),
    Rule("remove", "[.+ ](without|minus|lacks?|lacking|free of|free from)[ {show}] {WHAT}", many=True),
    Rule(
        "remove",
        r"[.*\b](do|does|did|can|will|should|must) not [({has}|wear|include|be|see) ]{WHAT}",
        many=True,
    ),
    Rule("remove", r"[.*\b{be} ]not (?!only|just|too|very){WHAT}"),
    Rule("remove", "(?P<what>nobody|no one|no-one)[ .+]"),
    # What stays
    Rule(
        "attribute", "[just |exactly ][the ]same[ one| thing| {picture}],? (in|at|with|on) {TO}", topical=True
    ),
    Rule(
        "keep", "(keeps?|leaves?|maintains?|preserves?|retains?) {WHAT?}[ (the same|unchanged|as (is|it is))]"
    ),
    Rule("keep", "[({has}|{be}|of) ][the |an? ][very |exact ](same|identical) {WHAT}"),
    Rule("keep", "[just |exactly |almost ]((like|as) this[ one]|[the ]same)[ one| thing| {picture}]"),
    # More
    Rule("add", "{put} {WHAT}", many=True),
    Rule("count", "[[{it} ]({has}|{be}) ](?P<by>more|fewer) {NOUNS}{rest}"),
    Rule("count", "[[{it} ]{has} ]less {NOUNS}", to="fewer"),
    Rule("compare", r"[.*\b({be}|{has}|make it|looks?) ]{rather}more (?P<what>{word}[ {word}])", to="more"),
    Rule("compare", r"[.*\b({be}|{has}|make it|looks?) ]{rather}less (?P<what>{word}[ {word}])", to="less"),
    Rule(
        "count",
        "[[{it} ]({be}|{has}|show me|makes?( it| them)?|a {picture} of) ][only |just |exactly ]{BY}"
        " (?P<what>{word}[ {word}])",
    ),
    Rule("count", "[.+ ]{be} [only |just ]{BY}"),
    Rule("count", "[({be}|{has}) ](only|just) {BY} {WHAT}"),
    # But a …
    Rule("replace", "(?<=but )[with |as |it is |this is ](an? |some ){TO}", topical=True),
)

# How statements are taken when they speak of no topic.
PLAIN: tuple[Rule, ...] = (
    Rule("count", "[{has} ][only |just ]{BY} {WHAT}"),
    Rule("add", "(puts?|places?) {WHAT?}[ (on|in|at|behind|next to|under) .+]"),
    Rule("add", "({has}|wears?|wearing|also|and|plus) [also |me ]{WHAT}"),
    Rule("attribute", "[{WHAT?} ]({be}|becomes?|looks?) (?P<to>{word}[ and {word}])"),
    Rule("attribute", "makes? (?P<what>it|them|him|her|the {word}) {TO}"),
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
def topic(text: str) -> Kind | None:
    """What a clause is about, where its words say so.

    >>> topic("with a plain backdrop"), topic("at night"), topic("a dog")
    ('background', 'time', None)
    """
    short = len(text.split()) <= _DETAIL_WORDS
    return next(
        (kind for kind, words, detail in TOPICS if (short or not detail) and any_of(*words).search(text)),
        None,
    )
