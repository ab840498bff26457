"""What the guidelines for sentences forbid (paper 000, table 8), where a rule can tell.

The rules are for English. They are made to be right when they speak: "five", "zoom in" and "the text is
gone" are in many good sentences, so a rule needs more than a word to go by. The sixth of the
guidelines, that a sentence must fit no other picture of its subset, only people can tell.
"""

import re

_TEXT = re.compile(
    r"""["“”]\s*\w[^"“”]*["“”]                                  # words as they stand in the picture
    |\b(?:text|words?|letters?|letterings?|caption|title|label|sign|logo|inscription|writing)\s
        (?:on|in|above|below|across|at|over)?[\w\s']{0,25}?\b(?:says?|said|saying|reads?|reading|spells?)\b
    |\b(?:says?|saying|reads?|spells?)\s["'“‘]
    |\b(?:with|has|have|having|shows?|add|and|the|no|some|more|different)\s(?:\w+\s)?(?:text|lettering|watermark|writing)
        \s(?:on|in|at|above|below|across|over|that)\b
    |\b(?:has|have|add|adds?|show|shows|with|remove)\s(?:the\s|some\s|more\s|a\s|no\s)?(?:text|watermark|lettering)s?\b
    |\bthe\s(?:number|numbers|digit|digits|word|words|letter|letters)\s(?:["“'‘]?[a-z0-9]["”'’]?\b|["“'‘]?\d+)
    |\b(?:has|have|with|shows?|add|adds|remove|and)\sthe\swords?\b
    |\b(?:number|numbered)\s\d+\b
    |\bwatermark\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_THINGS = r"(?:the\s|this\s|that\s|a\s|entire\s|whole\s|first\s|second\s|target\s|reference\s)*"
_PICTURE = r"(?:photo(?:graph)?|image|picture|pic|shot|frame)"
_EDITING = re.compile(
    rf"""\bphoto\s?shop\w*|\bcrop(?:s|ped|ping)?\b(?!\stop)|\bphoto\seditor\b
    |\b(?:contrast|saturation|exposure|hue|sharpness)\b(?!\s(?:with|to|between))
    |\b(?:increase|decrease|raise|lower|adjust|reduce|turn\s(?:up|down))\sthe\sbrightness\b
    |\b(?:edit|resize|rescale|retouch|flip|mirror|rotate|invert|scale|desaturate|sharpen|blur)\s{_THINGS}{_PICTURE}\b
    |\b(?:cut|trim|erase|edit)\s[\w\s]{{1,40}}?\bout\sof\s{_THINGS}{_PICTURE}\b
    |\b(?:sepia|filter)\s(?:filter|effect|tone|on)\b|\b(?:apply|add|use)\sa[\w\s]{{0,20}}\sfilter\b
    |\bhigher\sresolution\b|\blower\sresolution\b|\bpixelat\w+|\b{_PICTURE}\squality\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OPINION = re.compile(
    r"""\b(?:cute|cuter|cutest|adorable|beautiful(?:ly)?|gorgeous|lovely|ugly|uglier|pretty(?!\s(?:much|close|far))|prettier
        |amazing|awesome|wonderful|fantastic|fabulous|stunning|breathtaking|disgusting|horrible|terrible|awful
        |delicious|tasty|yummy|attractive|boring|hideous|magnificent|charming|nicer|nicest|cool-looking|tacky)\b
    |\b(?:looks?|seems?|appears?|is|are)\s(?:very\s|so\s|really\s|quite\s|much\s|more\s)*(?:nice|funny|cool|scary|weird|better|worse|good|bad|interesting)\b
    |\bi\s(?:think|like|love|feel|believe|prefer|guess|hate)\b|\bin\smy\sopinion\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SIDES = re.compile(
    rf"""\b(?:left|first|1st|one|top|upper|reference)\s(?:hand\s)?(?:side\s)?{_PICTURE}\b.*
        \b(?:right|second|2nd|other|bottom|lower|target|another)\s(?:hand\s)?(?:side\s)?(?:{_PICTURE}|one)\b
    |\b(?:right|second|2nd|target)\s(?:hand\s)?(?:side\s)?{_PICTURE}\b.*
        \b(?:left|first|1st|reference)\s(?:hand\s)?(?:side\s)?(?:{_PICTURE}|one)\b
    |\b{_PICTURE}\s(?:1|one|a|on\sthe\sleft)\b.*\b{_PICTURE}\s(?:2|two|b|on\sthe\sright)\b
    |\bin\s(?:one|the\sfirst|the\sleft)\b.*[,;]?\s(?:and|but|while|whereas)?\s?in\s(?:the\sother|the\ssecond|the\sright)\b
    |\bthe\sfirst\s(?:shows|has|is)\b.*\bthe\ssecond\s(?:shows|has|is)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"""^(?:having|there\s(?:is|are)|this\s(?:is|shows)|it\sshows|here\s(?:is|are))\b
    |^(?:the\s|this\s|a\s|an\s)*(?:target\s)?{_PICTURE}\s(?:of|with|showing|depicting|contains|consists)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The prompt that the page shows: many begin by writing it down once more.
_PROMPT = re.compile(r"^unlike\sthe\sreference\s\w+,?\s(?:i\swant\s)?", re.IGNORECASE)
# Any of these sets the pictures against each other, or asks for something to be done.
_COMPARES = re.compile(
    r"""\b(?:\w+er|more|less|fewer|most|least|same|similar|different|differently|another|other|others|instead|rather|unlike|than
        |no|not|without|only|just|also|too|now|still|again|any|longer|anymore|change[sd]?|changing|add\w*|remov\w+|replac\w+
        |turn\w*|mak\w+|zoom\w*|close|closer|close-up|closeup|far|away|extra|additional|second|opposite|swap\w*|switch\w*|put
        |move[sd]?|focus\w*|show|shows|keep|have|has|angle|view|background|both|all)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OTHERS = re.compile(
    rf"""\b(?:the\s)?other\s(?:{_PICTURE}s?|nine|ones)\b|\b(?:previous|next|last|first|second|third)\s{_PICTURE}\b
    |\bunlike\s(?:the\s)?(?:others?|rest)\b|\bthan\s(?:in\s)?(?:the\s)?(?:others|other\s{_PICTURE}s?|all\sothers)\b
    |\b{_PICTURE}\s\#?\d+\b|\bonly\s{_PICTURE}\s(?:where|with|that|in\swhich)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)


def breaches(text: str) -> list[str]:
    """The guidelines for a modifying sentence that it breaks, by name: short, text, editing, opinion,
    plain, sides.

    >>> breaches("Crop the staircases out of the photo."), breaches("Add a second dog and remove the fence.")
    (['editing'], [])
    """
    text = _PROMPT.sub("", text)
    found = [name for name, rule in _RULES.items() if rule.search(text)]
    if _PLAIN.search(text) and not _COMPARES.search(text):
        found.append("plain")
    return [*(["short"] if too_short(text) else []), *found]


_RULES = {"text": _TEXT, "editing": _EDITING, "opinion": _OPINION, "sides": _SIDES}


def description_breaches(text: str) -> list[str]:
    """The rules for one of ten: it may be short, but not of other pictures, nor of written words.

    >>> description_breaches("The only picture where she looks away."), description_breaches("Eyes shut.")
    (['others'], [])
    """
    return [name for name, rule in {"others": _OTHERS, "opinion": _OPINION}.items() if rule.search(text)]


def too_short(text: str) -> bool:
    """Whether it is hardly a sentence: one word, or no letters.

    >>> too_short("dog"), too_short("red dog"), too_short("aaaaaa bbbbbb")
    (True, False, True)
    """
    words = re.findall(r"[^\W\d_]+", text)
    return len(words) < 2 or all(len(set(word.lower())) == 1 and len(word) > 1 for word in words)
