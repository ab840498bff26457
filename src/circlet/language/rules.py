"""The tables of patterns that turn a clause into an edit; the first that fits the whole clause decides."""

from circlet.language.changes import CHANGES
from circlet.language.counts import COUNTS, NUMBERED, STEPS
from circlet.language.patterns import EditRule, EditTable
from circlet.language.removals import KEEPS, REMOVALS, SPARED
from circlet.language.swaps import SWAPS

MORE: tuple[EditRule, ...] = (
    EditRule("add", "[{has} ]{WHAT?} added[ {rest}]", many=True),
    EditRule("add", "also with (?P<what>{n} .+)", thing=True, many=True),
    EditRule(
        "add",
        "({has}|wears?|wearing|also|also with) (an?|some) {WHAT}",
        thing=True,
        many=True,
    ),
    EditRule(
        "add",
        "(puts?|places?|hangs?) (?P<what>(an?|some|{n}) .+?)( (on|in|at|behind|next to|under|"
        "by|around|over) (?!the (left|right|middle|top|bottom)).+)?",
        thing=True,
        many=True,
    ),
    EditRule(
        "attribute",
        r"the (?P<what>{word}[ {word}]) (has|have|gets?|wears?|{be} wearing) (?!no\b|been\b){TO}",
        topical=True,
    ),
    # How it is made or shown leaves the thing what it is.
    EditRule(
        "attribute",
        "[{be} |looks? ](?P<to>(made (out )?(of|from)|covered (in|with)|filled with|decorated with|"
        "wrapped in) .+)",
    ),
    EditRule(
        "attribute",
        "[in |as ](an? |the )?(?P<to>{word}[ {word}]) (version|variant|edition|style)[ of (it|this|that)]",
        topical=True,
    ),
    EditRule(
        "attribute",
        "[as |like ]an? (?P<to>[{word} ](drawing|painting|sketch|cartoon|illustration|silhouette|sculpture))"
        "[ of (it|this|that)]",
    ),
    *STEPS,
    EditRule(
        "compare",
        r"[.*\b({be}|{has}|make it|looks?) ]not (so|as|too|that|quite so|very|quite as|nearly "
        "as) (?P<what>{word}[ {word}])",
        to="less",
    ),
    EditRule("compare", r"[.*\b({be}|looks?) ](too|overly) (?P<what>{word})", to="less"),
    EditRule(
        "compare",
        r"[.*\b({be}|{has}|make it|looks?) ]{rather}more (?P<what>{word}[ {word}])",
        to="more",
    ),
    EditRule(
        "compare",
        r"[.*\b({be}|{has}|make it|looks?) ]{rather}less (?P<what>{word}[ {word}])",
        to="less",
    ),
    *NUMBERED,
    # But a …
    EditRule(
        "replace",
        r"(?<=but )[as |it is |this is ](an? |some )(?P<to>(?!.*\b(says?|reads?|reading|saying)\b).+)",
        topical=True,
    ),
)

RULES = (COUNTS, EditTable(SPARED), SWAPS, EditTable((*REMOVALS, *KEEPS, *CHANGES, *MORE)))

# How statements are taken when they speak of no topic.
_PLAIN: tuple[EditRule, ...] = (
    EditRule("count", "[{has} ][only |just ]{BY} {WHAT}"),
    EditRule("add", "(puts?|places?|hangs?) {WHAT?}[ (on|in|at|behind|next to|under|by|around) .+]"),
    EditRule("add", "(gives?|lends?) (the {word}|it|him|her|them) {WHAT}"),
    EditRule("add", "({has}|wears?|wearing|also|and|plus) [also |me ]{WHAT}"),
    EditRule("add", "some {WHAT}"),
    EditRule("attribute", "[{WHAT?} ]({be}|becomes?|looks?|says?|reads?) (?P<to>{word}[ and {word}])"),
    EditRule("attribute", "makes? (?P<what>it|them|him|her|the {word}) {TO}"),
)

PLAIN = (EditTable(_PLAIN),)

# What opens a caption and says nothing about what is seen.
LEAD = (
    "((but|and|also|then|please|just|only|simply|now|not only|not just|i want|i would like|must) )*"
    "[the (target|desired)[ {picture}| product| pic] ({be}|has|shows?|should be) |"
    "target [on |with |the ]|focus [on |with ]|in (?=(a |the )?({colours})$)|"
    "(makes?|change|turn|take|shows?|have|has|becomes?|{it} ({be}|has|have)|there {be}|{be})"
    "[ (out with|with|it|them|me|to|into|be|an? {picture} of|[side |front |back ]angle view (of|on))] ]"
)
