"""The nine semantic aspects of paper 000, table 1, told by keyword and sentence pattern.

The names are those that CIRCO's annotators use, so that both can stand in one table.
"""

import re
from enum import StrEnum

from circlet.language.clauses import clauses
from circlet.language.lexicon import BACKGROUNDS, NUMBERS, PLACES, any_of, comparatives
from circlet.language.patterns import ready
from circlet.language.plain import plain


class Aspect(StrEnum):
    """What a caption speaks of; a caption may have several. Other papers' names are heard, too.

    >>> str(Aspect("change")), str(Aspect("complex"))
    ('compare_change', 'statement_with_conjunction')
    """

    CARDINALITY = "cardinality"
    ADDITION = "addition"
    NEGATION = "negation"
    DIRECT_ADDRESSING = "direct_addressing"
    COMPARE_CHANGE = "compare_change"
    COMPARATIVE_STATEMENT = "comparative_statement"
    STATEMENT_WITH_CONJUNCTION = "statement_with_conjunction"
    SPATIAL_RELATIONS_BACKGROUND = "spatial_relations_background"
    VIEWPOINT = "viewpoint"

    @classmethod
    def _missing_(cls, value: object) -> "Aspect | None":
        return cls.__members__.get(_OTHER_NAMES.get(str(value), ""))


# Paper 001's names for three of the aspects, and those that benchmark files were written with before.
_OTHER_NAMES = {
    "change": "COMPARE_CHANGE",
    "background": "SPATIAL_RELATIONS_BACKGROUND",
    "complex": "STATEMENT_WITH_CONJUNCTION",
    "compare and change": "COMPARE_CHANGE",
    "comparative": "COMPARATIVE_STATEMENT",
    "conjunction": "STATEMENT_WITH_CONJUNCTION",
    "direct addressing": "DIRECT_ADDRESSING",
    "spatial and background": "SPATIAL_RELATIONS_BACKGROUND",
}


_COUNTED = tuple(word for word in NUMBERS if word not in ("zero", "dozen", "a dozen", "both"))
_CHANGE = "same|different|similar|instead|rather|opposite|other"
_NONE = (
    r"no|not|without|remov\w+|none|nobody|nothing|nowhere|neither|never|minus|lacks?|missing|absent|"
    r"gone|delet\w+|"
    r"eliminat\w+|eras\w+|omit\w*|exclud\w+|hide|hidden|get rid of|leave out|(take|cut) (away|out|off)|"
    r"except|all but"
)
_NEVER = "$^"
_MOST_LETTERS = 4000

# What a clause must have for an aspect, and what it must not have beside it (notation of `patterns`).
PATTERNS: dict[Aspect, tuple[str, str]] = {
    Aspect.CARDINALITY: (
        r"\b({number}|same number|number of|\d+|another|couple|pair|several|multiple|group|single|alone)\b",
        r"\bone of (its|his|her)\b",
    ),
    Aspect.ADDITION: (
        r"\b(add(s|ed|ing|ition(al)?)?|includ\w+|extra)\b|"
        r"^[also ](has|have|shows?|there (is|are)|with) (an?|some|the|more|one)?\b(?! (of|than)\b)",
        rf"\b({_CHANGE}|{_NONE}|fewer|less|only|both|better|darker|(one|two|three|more) of them|color|"
        rf"colour|shape|style|plain\w*)\b|"
        rf"^(has|have|shows?) (two|three)\b",
    ),
    Aspect.NEGATION: (rf"\b({_NONE})\b", _NEVER),
    Aspect.DIRECT_ADDRESSING: (
        r"^(add|remove|make|change|have|show|replace|put|place|turn|take|focus|zoom|move|increase|reduce|"
        r"keep|swap|"
        r"use|target|include|give|switch|get|rotate|flip|crop|set)\b|"
        r"^[{it} |the (\w| )+ |both ](is|are|wears?|wearing|holds?|holding|sits?|stands?)\b|"
        r"^[an? |the ]{word}[ {word}] (\w+ing|on|in|with)\b|\b(wearing|holding|using|playing|people|"
        r"person)\b",
        rf"\b(taken|viewed|zoomed|set) (in|out|from|outdoors|indoors|inside|at|with)\b|"
        rf"\b({_CHANGE}|only|more|fewer|bigger|larger|smaller|background|no people)\b|^(is|are) (four|"
        rf"three|two)\b",
    ),
    Aspect.COMPARE_CHANGE: (
        r"\b(same|different|similar|instead|rather|chang\w+|replac\w+|swap\w*|turn(ed|s)? into|unlike|"
        r"opposite)\b",
        _NEVER,
    ),
    Aspect.COMPARATIVE_STATEMENT: (r"\b(zoom(ed)? (in|out)|as \w+ as)\b", _NEVER),
    Aspect.SPATIAL_RELATIONS_BACKGROUND: (
        r"\b(on|in|at|onto|into|upon|left|right|top|bottom|middle|center|centre|front|side|indoors?|"
        r"outdoors?|sky|"
        r"foreground|ground|floor|grass|snow|water|beach|wall|table|forest|street|surrounded|lying|"
        r"laying|facing|(farther|further|away) from)\b",
        r"\b(in gr(a|e)y ?scale|in (black|colou?r)|from (the \w+|behind)|zoom(ed)? (in|out)|not on|on "
        r"the (phone|screen)|"
        r"screen on|instead of)\b",
    ),
    Aspect.VIEWPOINT: (
        r"\b(angle(s|d)?|views?|viewed|viewpoint|perspective|zoom\w*|close( |-)?up|closer (shot|view|"
        r"distance|look)|"
        r"closer? (to|up)|distance|(farther|further|far) away|from (above|below|behind|the (front|side|"
        r"top|back|left|"
        r"right))|side( |-)view|profile|full( |-)(body|length)|focus\w*|crop\w*|portrait|aerial|overhead|"
        r"interior|"
        r"panoram\w+|(close|closer|wide|wider|distant|side) shots?|shot (from|with|at)|coverage|upside "
        r"down)\b",
        _NEVER,
    ),
}
_CONJUNCTION = re.compile(r"\b(?:and|but|while|or|plus)\b|,|[.;] *\w", re.IGNORECASE)


def aspects(text: str) -> tuple[Aspect, ...]:
    """The aspects a caption speaks of, in the order of the paper's table.

    >>> [str(aspect) for aspect in aspects("shows no people and has a bigger tree")]
    ['addition', 'negation', 'comparative_statement', 'statement_with_conjunction']
    """
    present = {
        aspect
        for clause in clauses(text)
        for aspect, (must, unless) in PATTERNS.items()
        if ready(must).search(clause) and not ready(unless).search(clause)
    }
    # "Seen from behind" tells a view and no place.
    text = re.sub(r"\bfrom (?:behind|above|below)\b", "", plain(text[:_MOST_LETTERS]))
    present |= {
        aspect
        for aspect, told in (
            (Aspect.CARDINALITY, any_of(*_COUNTED).search(text)),
            (Aspect.COMPARATIVE_STATEMENT, comparatives(text)),
            (Aspect.SPATIAL_RELATIONS_BACKGROUND, any_of(*BACKGROUNDS, *PLACES).search(text)),
            (Aspect.STATEMENT_WITH_CONJUNCTION, _CONJUNCTION.search(text)),
        )
        if told
    }
    return tuple(aspect for aspect in Aspect if aspect in present)
