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

_COMPARED = (
    "{bigger}|better|worse|darker|lighter|brighter|closer|older|younger|higher|lower|simpler|fewer|less"
)
_FEATURES = (
    r"colou?rs?|shapes?|styles?|sizes?|patterns?|design|finish|texture|hair|fur|coat|expression|pose|posture"
)
_WHOLE = r"lighting|view|angle|perspective|backgrounds?|close( |-)?up"
# What it has of its own, and what it is like: told of it, not added to it.
_OWN = rf"[{{it}} ](has|have|with) ((the|both|its|his|her|their)\b|[an? ]({{word}} ){{0,2}}({_FEATURES})\b)"

# What a clause must have for an aspect, and what it must not have beside it (notation of `patterns`).
PATTERNS: tuple[tuple[Aspect, str, str], ...] = (
    (
        Aspect.CARDINALITY,
        r"\b({number}|same number|number of|\d+|another|couple|pair|several|multiple|group|single|alone)\b",
        r"\bone of (its|his|her)\b",
    ),
    (Aspect.ADDITION, r"\b(add(s|ed|ing|ition(al)?)?|includ\w+|extra)\b", rf"\b({_CHANGE}|{_NONE})\b"),
    (
        Aspect.ADDITION,
        r"^[also ](has|have|shows?|there (is|are)|with)\b|^more .+ (is|are) (visible|there|shown|present)\b",
        rf"\b({_CHANGE}|{_NONE}|{_COMPARED}|only|just|both|than|plain\w*|(one|two|three|more) of)\b|"
        rf"^{_OWN}|^shows? the (rest|whole|entire|inside|back|front)\b|"
        rf"^[also ](has|have|shows?|with) [an? |the ](more )?({{word}} ){{0,2}}({_WHOLE})\b|"
        rf"^(has|have|shows?) (two|three|four|five|six)\b(?!.* (it|them|him|her)$)",
    ),
    (Aspect.NEGATION, rf"\b({_NONE})\b", _NEVER),
    (
        Aspect.DIRECT_ADDRESSING,
        r"^(add|remove|make|change|show|replace|put|place|turn|take|focus|zoom|move|increase|reduce|keep|swap|"
        r"use|target|include|give|switch|get|rotate|flip|crop|set|let|leave|bring|fill|cover|raise|lower)\b",
        _NEVER,
    ),
    (
        Aspect.DIRECT_ADDRESSING,
        rf"^{_OWN}|"
        r"^have\b|^[{it} |the (\w| )+ |both ](is|are|wears?|wearing|holds?|holding|sits?|stands?|lies|looks|"
        r"rides|eats|drinks|carries|faces|plays|walks|runs|jumps|sleeps|uses|points|leans|hangs|flies|swims)\b|"
        r"^[an? |the ](?!(has|have|shows?|there)\b){word}[ {word}] (\w+ing|on|in|with)\b|"
        r"\b(wearing|holding|using|playing)\b|"
        r"\b(person|people|(wo)?m[ae]n|boys?|girls?|child(ren)?|adults?) \w+ing\b",
        rf"\b(taken|viewed|zoomed|set) (in|out|from|outdoors|indoors|inside|at|with)\b|\bshot from\b|"
        rf"\b({_CHANGE}|{_COMPARED}|only|more|farther|further|distance|background|no people)\b|"
        # What the picture's subject does not do is told of it; what something else is not, is taken away.
        rf"^the .+ (is|are) not\b|^(is|are) (four|three|two)\b",
    ),
    (
        Aspect.COMPARE_CHANGE,
        r"\b(same|different|similar|instead|rather|chang\w+|replac\w+|swap\w*|switch\w*|turn(ed|s)? into|"
        r"unlike|opposite)\b",
        _NEVER,
    ),
    (Aspect.COMPARATIVE_STATEMENT, r"\b(zoom(ed)? (in|out)|as \w+ as)\b", _NEVER),
    (
        Aspect.SPATIAL_RELATIONS_BACKGROUND,
        r"\b(on|in|at|onto|into|upon|left|right|top|bottom|middle|center|centre|front|side|indoors?|"
        r"outdoors?|sky|interior|"
        r"foreground|ground|floor|grass|snow|water|beach|wall|table|forest|street|surrounded|lying|"
        r"laying|facing|(farther|further|away) from)\b",
        r"\b(not on|instead of)\b",
    ),
    (
        Aspect.VIEWPOINT,
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
)
# Prepositions that tell no place: where from it is seen, how it is printed, what one looks at.
_PLACED = Aspect.SPATIAL_RELATIONS_BACKGROUND
_NO_PLACE = (
    r"\b(in gr(a|e)y ?scale|in (black|(different |the same |full )?colou?rs?)|from (behind|above|below)|"
    r"(?<!away )(?<!er )from the (front|side|top|back|left|right)( side)?|zoom(ed|ing)? (in|out)|"
    r"look(s|ing)? (directly |straight )?(at|into)|on the (phone|screen)|screen on|at (all|once)|"
    r"in (number|total|size|focus|profile|motion|use)|in the (photo|picture|image|frame|shot)|"
    r"in an? ({word} ){0,2}(suit|dress|uniform|costume|shirt|jacket|coat|hat|gown|outfit|pose|style)|"
    r"(at|by) (night|day|dusk|dawn|sunset|sunrise|noon)|in the (dark|rain|sun|morning|evening|afternoon|"
    r"night)|(left|right) (hand|paw|arm|leg|foot|eye|ear)s?|(glass(es)?|bottles?|cups?|jugs?) of water)\b"
)
_CONJUNCTION = re.compile(r"\b(?:and|but|while|or|plus)\b|,|[.;] *\w", re.IGNORECASE)


def aspects(text: str) -> tuple[Aspect, ...]:
    """The aspects a caption speaks of, in the order of the paper's table.

    >>> [str(aspect) for aspect in aspects("shows no people and has a bigger tree")]
    ['negation', 'comparative_statement', 'statement_with_conjunction']
    """
    heard = [(clause, ready(_NO_PLACE).sub("", clause)) for clause in clauses(text)]
    present = {
        aspect
        for clause, placed in heard
        for aspect, must, unless in PATTERNS
        if ready(must).search(told := placed if aspect is _PLACED else clause)
        and not ready(unless).search(told)
    }
    text = ready(_NO_PLACE).sub("", plain(text[:_MOST_LETTERS]))
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
