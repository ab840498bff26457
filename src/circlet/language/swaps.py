"""Patterns of this for that: replace, instead of, turned into, where it used to be."""

from circlet.language.lexicon import listed
from circlet.language.patterns import EditRule, EditTable

_SIDE = "(left|right|front|back|top|bottom|middle|cent(er|re)|foreground|background|other side)"

_SWAPS: tuple[EditRule, ...] = (
    # One side for the other is where a thing is, and no thing.
    EditRule(
        "move",
        f"[{{WHAT?}} ]({{be}} )?(?P<to>(facing|looking|turned|(on|to|at|in) the) {_SIDE}) {{instead}} .+",
    ),
    EditRule("replace", "{swap} in {TO?} for {WHAT}"),
    EditRule("replace", "{WHAT?} (makes? way for|gives? way to|yields? to|{be} superseded by) {TO}"),
    EditRule("replace", "(substitut(e|es|ing)|sub[ in]|put|use) {TO?} (for|in place of|in for) {WHAT}"),
    EditRule(
        "replace", r"(substitut(e|es|ing)|{swap})( out)? (?!to\b|from\b){WHAT?} (with|for|by|to|into) {TO}"
    ),
    EditRule("replace", "{WHAT?} ?(→|-+>|=+>|➔|➜|⇒) ?{TO}"),
    EditRule("replace", "[prefer |rather have ]{TO?},? {instead}( {show}){0,2} {WHAT}"),
    EditRule("replace", "[show |would |i |much ](prefer|rather have|favou?r) {TO?} (to|over|than) {WHAT}"),
    EditRule("replace", "[i |we ][would ][much ]rather [have |see ]{TO?} than {WHAT}"),
    EditRule("replace", "{TO?},? (instead|rather|rathet|than)( {show}){1,2} {WHAT}"),
    EditRule("replace", "{instead} {WHAT?}, {TO}"),
    EditRule("replace", "{instead} {WHAT?},? (show|use|put|have|add|make it|there {be}|it {be}) {TO}"),
    EditRule(
        "replace",
        "{instead} (the|an?|its|his|her|their) (?P<what>{word}[ {word}]) (?P<to>(an?|the|some|{n}) .+)",
    ),
    EditRule("remove", "{instead} {WHAT}", many=True),
    EditRule(
        "replace",
        "(put|place|[{it} ]{has}|set|show) {TO?} where {WHAT?} (used to be|had been|was|were|"
        "is|are|stood|ha(s|ve) been|sat|once (was|were))",
    ),
    EditRule("replace", "{TO?} where {WHAT?} (used to be|had been|was|were|stood|once (was|were))"),
    EditRule(
        "replace",
        "{TO?} (replac(e|es|ing)|tak(e|es|ing) the place of|takes over from|stands? in for) {WHAT}",
    ),
    EditRule("replace", r"[({has}|{it} {be}) ](?!not\b){TO?}(,| and|, and) not {WHAT}"),
    EditRule("replace", r".*?\bchange(s|d)? from {WHAT?} (into|to) {TO}"),
    EditRule("replace", "{turn} {words} from {WHAT?} (into|to) {TO}"),
    EditRule("replace", "[(go|switch|change|turn|move) ]from {WHAT?} to {TO}"),
    EditRule(
        "replace",
        "{WHAT?} [has |have |{be} ][been |now ]{turned} (into|to|by|with|for) {TO}",
        topical=True,
    ),
    EditRule(
        "attribute",
        "{turn} [(the|its|his|her|their) ](?P<what>[{word} ]{quality}[ of .+?]) (to|into) {TO}",
        topical=True,
    ),
    EditRule(
        "replace",
        r"(?!makes?\b){turn} (?!(it|to|from|on|off|with|for|out|all|around|up)\b){WHAT?} (into|"
        "to) {TO}",
        topical=True,
    ),
    EditRule("replace", "makes? {WHAT?} into {TO}", topical=True),
    EditRule("replace", "{turn} [it |them ](into|to|for) {TO}", topical=True),
    EditRule(
        "replace",
        "{THING?} (ha(s|ve) )?(becomes?|turns? into|turn(s|ed)? to|changes? (in)?to|morphs? "
        "into) (?!more|less)(an? )?{TO}",
        topical=True,
    ),
    EditRule("replace", "{WHAT?} ({be}|{be} now) an? (?P<to>{word})( instead| now)"),
    EditRule(
        "replace",
        r"makes? the (?P<what>(?!(setting|location|scene|background)\b){word}) (an?|some) {TO}",
        topical=True,
    ),
    # "A peach" is a thing, though "peach" is a colour.
    EditRule("replace", "(makes? (it|this|that)|(?<=but )[as |it is |this is ]) ?(an?|some) (?P<to>{word})"),
    EditRule("replace", "(an?|some) (?P<to>{word}),? instead"),
    EditRule("replace", "makes? (it|this|that) (an?|some) {TO}", topical=True),
    EditRule("replace", "{TO},? instead", topical=True),
)

SWAPS = EditTable(
    _SWAPS,
    listed(
        "for with by to into → -> --> => ==> ➔ ➜ ⇒ instead place lieu rather rathet than opposed prefer "
        "favor "
        "favour over where replace replaces replacing not from become becomes became way superseded a an some"
    ),
)
