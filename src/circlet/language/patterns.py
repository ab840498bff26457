"""A short notation for sentence patterns, so that the tables of rules can be read.

`[x ]` is optional, `(a|b)` chooses, `{name}` stands for a fragment of the table below, and
`{WHAT}`, `{TO}` and `{BY}` catch what an edit is about, what it becomes and how many.
"""

import re
from functools import cache

from circlet.language.lexicon import COLOURS, amount_pattern

FRAGMENTS = {
    "WHAT": r"(?P<what>.+)",
    "WHAT?": r"(?P<what>.+?)",
    "NOUN": r"(?P<what>{word})",
    "NOUNS": r"(?P<what>\w+s|people|sheep|deer|fish|children|men|women)\b",
    "TO": r"(?P<to>.+)",
    "TO?": r"(?P<to>.+?)",
    "BY": r"(?P<by>{n})",
    "n": amount_pattern(),
    "colours": "|".join(COLOURS),
    "word": r"\w(\w|'|-)*",
    "words": r".+?",
    "rest": r"\b.*",
    "be": "(is|are|was|were|be|being)",
    "has": "(has|have|having|shows?|with|contains?|there (is|are))",
    "it": "(it|they|he|she|this|that|which)",
    "picture": "(photo|picture|image|frame|scene|shot)",
    "cut": "(removes?|deletes?|eliminates?|erases?|omits?|drops?|excludes?|hides?|loses?|discards?|"
    "gets? rid of|"
    "takes? away|takes? out|takes? off|cuts? out|does? away with|do away with)",
    "put": "(adds?|adding|[must ]includes?|including|inserts?|introduces?|attach|brings? in|gives? it)",
    "swap": "(replaces?|swaps?|substitutes?|exchanges?|switch(es)?)",
    "turn": "(changes?|turns?|transforms?|converts?|alters?|switch(es)?|makes?)",
    "turned": "(changed|turned|replaced|transformed|converted|swapped)",
    "show": "(making|showing|show|to (make|have|show)|using|having|bringing|with|in)",
    "instead": "(instead of|in place of|rather than|as opposed to)",
    "number": "(number|amount|quantity) of",
    "rather": "[much |slightly |a bit |a little ]",
}


@cache
def expression(pattern: str) -> str:
    """The regular expression that a pattern in this notation stands for.

    >>> expression("[the ](cat|dog) {be}")
    '(?:the )?(?:cat|dog) (?:is|are|was|were|be|being)'
    """
    while match := re.search(r"\{([A-Za-z]+\??)\}", pattern):
        pattern = pattern.replace(match[0], FRAGMENTS[match[1]])
    pattern = re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)
    return re.sub(r"\[", "(?:", pattern).replace("]", ")?")


@cache
def ready(pattern: str) -> re.Pattern[str]:
    """A pattern in this notation, compiled, blind to case."""
    return re.compile(expression(pattern), re.IGNORECASE)
