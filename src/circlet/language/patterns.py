"""A short notation for sentence patterns, so that the tables of rules can be read.

`[x ]` is optional, `(a|b)` chooses, `{name}` stands for a fragment of the table below, and
`{WHAT}`, `{TO}` and `{BY}` catch what an edit is about, what it becomes and how many.
"""

import re
from dataclasses import dataclass
from functools import cache

from circlet.language.edits import EditKind
from circlet.language.lexicon import (
    COLOURS,
    SHADES,
    SIZES,
    amount_pattern,
)
from circlet.language.verbs import CUT, KEEP, PAINT, PARTED, PUT, SHIFT, SWAP, TURN, done, either, forms

FRAGMENTS = {
    "WHAT": r"(?P<what>.+)",
    "WHAT?": r"(?P<what>.+?)",
    "THING?": r"(?P<what>(?!(but|only|just|in|on|at|with|and|it|now|all|not|show|have|make|let|dress|give|"
    r"{n})\b)((?!\b(is|are|was|were|has|have|be|had|not)\b).)+?)",
    "NOUN": r"(?P<what>{word})",
    "NOUNS": r"(?P<what>((?!\w+(ful|ous|ive|al|ic|ed|ish|ble|ent|ant|ern|less)\b)(?!on|in|of|like|"
    r"than){word} )?"
    r"(\w(\w|-)+(?<!s)(?<!u)(?<!i)s|glasses|dresses|people|sheep|deer|fish|children|men|women|geese|"
    r"mice|cacti)( of \w+)?)\b",
    "TO": r"(?P<to>.+)",
    "TO?": r"(?P<to>.+?)",
    "BY": r"(?P<by>{n})",
    "n": amount_pattern(),
    "colours": "|".join(COLOURS),
    "word": r"\w(\w|'|-)*",
    "words": r".+?",
    "rest": r"\b.*",
    "be": "(is|are|was|were|be|being|gets?|got)",
    "has": "(has|have|having|shows?|showing|with|contains?|features?|there (is|are))",
    "it": "(it|they|he|she|this|that|which)",
    "picture": "(photo|photograph|picture|pic|image|frame|scene|shot|view)",
    "cut": "remove",
    "part": either(forms(*PARTED)),
    "off": "(away|out|off)",
    "gone": f"({'|'.join(done(*CUT))}|{either(done(*PARTED))} (away|out|off|down)|gone|missing|absent|"
    "invisible|disappear(s|ed)?|vanish(es|ed)?|no longer {there}|not {there}|nowhere[ .+]|out of (sight|view|"
    "[the ]{picture}))",
    "goes": "({aux}{gone}|[(should|must|shall|will|can|may|needs? to|(has|have|had|ought|got) to) ]"
    "(go|goes|leaves?|vanish|disappear))",
    "there": "(there|visible|present|shown|seen|here|in (sight|view|it)|around|included|(in|part of) "
    "(the|this) {picture}|showing)",
    "put": f"({'|'.join(forms(*PUT))}|added(?= (an?|the|some|two|more) )|[must ]includes?|(bring|throw|"
    f"put|work|slip|sneak|toss|pop|mix|blend|draw|write)s? in|(put|set|hang|stick)s? up|gives? it|"
    f"(joined|accompanied) by|along with|together with|completes? it with|puts? on(?= (an?|some|his|her|"
    f"their) )|works? in)",
    "swap": either(forms(*SWAP)),
    "turn": either(forms(*TURN)),
    "turned": "(changed|turned|replaced|transformed|converted|swapped|exchanged|substituted|switched)",
    "paint": either(forms(*PAINT)),
    "keep": either(forms(*KEEP)),
    "shift": either(forms(*SHIFT)),
    "show": "(making|showing|show|to (make|have|show)|using|having|bringing|with|in)",
    "instead": "(instead of|in place of|in lieu of|rather than|as opposed to|in the place of)",
    "except": "(but|except[ for]|excepting|save for|apart from|aside from|other than|besides|bar|excluding)",
    "every": "(all|everything|everyone|everybody|anything|anyone|every|each)",
    "known": "sleeve|strap|back|top|shirt|seam|spot|time|flaw|home|stain|wire|cord|end|colou?r|bottom|"
    "care|help|price|"
    "weight|use|reck|rest|un|b|regard|count|age|effort|point|fear|harm|tire|rest|breath|soul|life",
    "sizes": "|".join(word for word in SIZES if word not in ("enlarge", "shrink", "size")),
    "bigger": "|".join(word for word in SIZES if word.endswith("er")),
    "quality": "(hair|skin|shirt|size|shape|style|pattern|material|fabric|length|mood|expression|pose|"
    "position|texture|"
    "design|angle|lighting|finish|cut|fit|neckline|breed|colou?rs?( scheme)?)",
    "shade": f"(({'|'.join(SHADES)}) )*",
    "number": "(number|amount|quantity|count) of",
    "rather": "[much |slightly |somewhat |a bit |a little |a little bit |way |far |even ]",
    "aux": "((is|are|was|were|be|been|being|has|have|had|all|now|just|completely|entirely|to) )*",
}


@cache
def expression(pattern: str) -> str:
    """The regular expression that a pattern in this notation stands for.

    >>> expression("[the ](cat|dog) {off}")
    '(?:the )?(?:cat|dog) (?:away|out|off)'
    """
    while match := re.search(r"\{([A-Za-z]+\??)\}", pattern):
        pattern = pattern.replace(match[0], FRAGMENTS[match[1]])
    pattern = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)
    return re.sub(r"\[", "(?:", pattern).replace("]", ")?")


@cache
def ready(pattern: str) -> re.Pattern[str]:
    """A pattern in this notation, compiled, blind to case."""
    return re.compile(expression(pattern), re.IGNORECASE)


@dataclass(frozen=True)
class EditRule:
    """A kind and a pattern for a whole clause, in the notation of this module.

    `to` is fixed where the pattern does not catch one, `before` goes before what was caught, and
    `sign` before the figure of a relative count. A rule for a `thing` passes over what speaks of the
    whole picture, such as its light. With `topical`, the words caught decide a narrower kind where
    they speak of one; with `many`, what was caught is a list, and each item gives an edit.
    """

    kind: EditKind
    pattern: str
    to: str = ""
    sign: str = ""
    before: str = ""
    thing: bool = False
    topical: bool = False
    many: bool = False


@dataclass(frozen=True)
class EditTable:
    """Rules that are tried in turn, where one of the cues is among the clause's words; "#" is a figure."""

    rules: tuple[EditRule, ...]
    cues: frozenset[str] = frozenset()
