"""What stands between wishes, or before the first, and asks for nothing itself."""

import re
from itertools import islice, takewhile

from circlet.language.lexicon import amount_pattern, listed

# One wish after another: what follows is never part of a list.
_AFTER_THAT = re.compile(
    r"(?:^|[,;.] ?|,? (?:and|but) )(?:(?:and|but) )?"
    r"(?:then(?! again\b),?|(?:next|first|second|third|fourth|last|besides),|"
    r"(?:after (?:that|this)|afterwards?|finally|lastly|secondly|thirdly|additionally|furthermore|moreover|"
    r"likewise|in addition(?: to (?:that|this))?|on top of (?:that|this)|besides (?:that|this)|"
    r"apart from (?:that|this)|other than that|at the same time(?! as\b)|what is more),?)"
    rf" |(?:^|[,;.] ?(?:and |but )?| and )also,? (?!(?:an?|some|with|{amount_pattern()})\b)",
    re.I,
)
_COMMA_AFTER_ALSO = re.compile(r"\balso, ", re.I)
# Dashes, plus signs and bullets; "red / blue" is one wish.
_SIGNS = re.compile(r"\s+(?:[–—•]|--?|[/+](?=\s+\S+ \S))\s+|(?:^|\n)\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_AND = re.compile(rf"^(?:and|plus) (?!(?:also|an?|some|{amount_pattern()})\b)", re.I)
# "I like this one, but", "as shown, yet": the picture as it is. "Changes to make: …": what follows is all.
_PICTURE = listed(
    "this that here it same similar identical picture photo photograph image scene reference original shown "
    "everything alike one"
)
_AROUND = listed(
    "please just i we you would use take keep leave start starting begin beginning like love want have need "
    "exactly nearly almost quite much more or less basically pretty roughly as in with from the a an all "
    "something is of to given before example thing looks look looking stays stay remain remains "
    "really very so my your was were be unchanged are"
)
# Nobody points at a picture in more words.
_MOST_WORDS = 9
_BUT = re.compile(
    r"(?:and )?(?:but(?: with these changes:)?|yet|only|just|however|though|although|albeit|"
    r"(?:except|save)(?: that\b| for the fact that\b|:|,)|with the (?:difference|exception) that),? ",
    re.I,
)
_DO = re.compile(r"(?:and|then|but) ", re.I)
_WITHIN = re.compile(
    r"^(?:in|from|on|for) (?:this|the|my) (?:picture|photo|photograph|image|scene|shot), ", re.I
)
_LISTED = re.compile(
    r"^(?:[\w']+ ){0,6}?(?:changes?|edits?|differences?|modifications?|follows|following|this|one|picture|"
    r"photo|image)(?: to make)?: ?",
    re.I,
)


def separated(text: str) -> str:
    """The text with a semicolon wherever one wish ends and another begins, as far as words say so.

    >>> separated("make it night, and then remove the car. On top of that, zoom in")
    'make it night; remove the car; zoom in'
    """
    signs = _SIGNS.sub("; ", text)
    return _AFTER_THAT.sub("; ", _COMMA_AFTER_ALSO.sub("also ", signs)).removeprefix("; ")


def opened(sentence: str) -> str:
    """A sentence with what only points at the picture said in the words that rules know, or left out.

    >>> opened("I like this one, but without the hat"), opened("changes to make: zoom in")
    ('like this, but without the hat', 'zoom in')
    """
    sentence = _LISTED.sub("", _WITHIN.sub("", _AND.sub("", sentence)))
    end = _pointing(sentence)
    if not end:
        return sentence
    return f"like this, but {sentence[end:]}" if end < len(sentence) else "like this"


def _pointing(sentence: str) -> int:
    """Where the wish begins after words that only point at the picture; 0 where it does at once."""
    points = _PICTURE | _AROUND
    words = takewhile(lambda word: word[0].lower() in points, re.finditer(r"[\w']+", sentence[:80]))
    known = list(islice(words, _MOST_WORDS))
    for count in range(len(known), 0, -1):
        said = [word[0].lower() for word in known[:count]]
        if _PICTURE.isdisjoint(said):
            continue
        at = len(sentence) - len(sentence[known[count - 1].end() :].lstrip(",: "))
        # "Everything but the chair" is not as it is.
        bare = said[-1] in ("everything", "all") and sentence[at - 2 : at] != ", "
        link = None if bare else _BUT.match(sentence, at)
        if link is None and said[0] in ("take", "use", "start", "starting", "begin"):
            link = _DO.match(sentence, at)
            if at == len(sentence):
                return at
        if link:
            return link.end()
    return 0
