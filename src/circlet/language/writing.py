"""Words that are to be read in a picture: in quotes, or after "that says"."""

import re

# What a clause is called that asks for words in the picture.
WRITTEN = "written"
# Marks that open and close a quotation; a straight single one is an apostrophe more often than not.
_QUOTES = ('""', "“”", "„“", "«»", "»«", "‘’", "‚‘", "『』", "「」")
_QUOTED = re.compile("|".join(f"{pair[0]}([^{pair}]+){pair[1]}" for pair in _QUOTES))
# What leads to words that are written somewhere.
_LEAD = (
    r"(?:(?:that|which|who) )?(?:says?|saying|reads?|reading)|"
    r"(?:with|showing|bearing) the (?:words?|text|writing|inscription|title|letters|label|caption)|"
    r"(?:labell?ed|entitled|titled|inscribed)"
)
_LED = re.compile(rf"\s*,?\b(?:{_LEAD}):? *$", re.IGNORECASE)
# Unquoted only where it can be nothing else; it goes on to the next clause.
_SAYS = re.compile(
    r",?\s*\b(?:(?:that|which) (?:says?|reads?)|saying):? +(?P<words>.+?)"
    r"(?=,| and | but | at night\b| without |$)",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"(?:(?:the|any|all) )?(?:texts?|writings?|letters|lettering|words|captions?|inscriptions?)"
)


def written_in(text: str) -> tuple[tuple[str, ...], str]:
    """What is to be read in the picture, and the text without that.

    >>> written_in('a sign with the words "no parking" at night')
    (('no parking',), 'a sign at night')
    >>> written_in("a shop that says open, without people")
    (('open',), 'a shop, without people')
    """
    found: list[str] = []
    rest, last = "", 0
    for match in _QUOTED.finditer(text):
        words = next(group for group in match.groups() if group).strip()
        if any(sign.isalnum() for sign in words):
            found.append(words)
            rest += _LED.sub("", text[last : match.start()]) + " "
            last = match.end()
    rest += text[last:]
    while (said := _SAYS.search(rest)) is not None:
        found.append(said["words"].strip(" .!"))
        rest = rest[: said.start()] + rest[said.end() :]
    if not found:
        return (), text
    return tuple(found), re.sub(r"\s+([,.;])", r"\1", " ".join(rest.split())).strip(" ,")


def any_writing(words: str) -> bool:
    """Whether a phrase means writing of any kind: "without text".

    >>> any_writing("any text"), any_writing("a text message")
    (True, False)
    """
    return _ANY.fullmatch(" ".join(words.lower().split())) is not None
