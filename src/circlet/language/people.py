"""Words about people: how many are to be seen, and what else a phrase asks for."""

import re
from dataclasses import dataclass
from typing import NamedTuple

# More than anybody counts.
MANY = 1_000_000
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
}  # fmt: skip
_FEW, _GROUP, _CROWD = 2, 3, 5
# Words for anybody; of the others below only one thing is known: an encoder without a class for people
# cannot judge them, and counting does not tell them apart.
_ANYBODY = r"(?:people|persons?|humans?(?: beings?)?|folks|faces?)"
_SOMEBODY = r"(?:some(?:one|body)|any(?:one|body)|every(?:one|body)|nobody|no one)"
_KINDS_OF = (
    r"(?:(?:wo)?m[ae]n|child(?:ren)?|kids?|boys?|girls?|bab(?:y|ies)|lad(?:y|ies)|gentlem[ae]n|guys?|"
    r"couples?|famil(?:y|ies)|friends?|tourists?|brides?|(?:grand)?(?:mother|father|parent)s?|"
    r"brothers?|sisters?|sons?|daughters?|players?|dancers?|crowds?)"
)
_FIGURE = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_COUNTED = re.compile(
    rf"(?P<only>(?:exactly|just|only) )?(?:(?P<least>at least|more than) )?"
    rf"(?:(?:the )?(?P<figure>{_FIGURE})|(?P<amount>a|an|the|some|any|several|many|a few|"
    rf"lots of|plenty of|a lot of|full of|"
    rf"(?:a |the )?(?:small |large |big )?(?P<group>group|crowd) of)) "
    rf"(?:other )?(?P<who>{_ANYBODY})\b(?!['’])|(?P<bare>{_ANYBODY}|{_SOMEBODY})\b(?!['’])"
)
_GROUPS = re.compile(
    r"(?:a |an |the )?(?:(?P<portrait>(?:self[- ])?portrait(?: photo| shot)?|selfie|head ?shot)|"
    r"(?P<crowd>crowd)|group(?: photo| picture| portrait| shot)?)"
    rf"(?P<of> of (?:an? |the |some )?(?:{_ANYBODY}|friends|tourists|{_SOMEBODY}))?"
)
# What may stand before people who come last: "a dog and two people".
_JOINED = re.compile(r"^(?P<first>.+?)(?:,| and| with| beside| next to| near| but) $")
_PERSON = re.compile(rf"\b(?:{_ANYBODY}|{_SOMEBODY}|{_KINDS_OF})\b")


@dataclass(frozen=True)
class Heads:
    """How many people are asked for, at least and at most; a `portrait` has one who fills it.

    >>> heads_in("two people on a beach")
    Told(heads=Heads(least=2, most=2), said='two people', rest='on a beach')
    """

    least: int
    most: int = MANY
    portrait: bool = False

    def __repr__(self) -> str:
        shown = [f"least={self.least}"]
        shown += [f"most={self.most}"] if self.most < MANY else []
        return f"Heads({', '.join([*shown, 'portrait=True'] if self.portrait else shown)})"


class Told(NamedTuple):
    """What a phrase says of people: how many, in which of its words, and what it says beside that."""

    heads: Heads
    said: str
    rest: str


def heads_in(words: str) -> Told | None:
    """What a phrase asks of people in general; None where it says nothing that counting answers.

    >>> heads_in("portrait"), heads_in("a portrait of a dog")
    (Told(heads=Heads(least=1, most=1, portrait=True), said='portrait', rest=''), None)
    >>> heads_in("a dog and some people")
    Told(heads=Heads(least=1), said='some people', rest='a dog')
    """
    text = " ".join(words.lower().replace("-", " ").split())
    if (whole := _GROUPS.fullmatch(text)) is not None:
        heads = (
            Heads(1, 1, portrait=True) if whole["portrait"] else Heads(_CROWD if whole["crowd"] else _GROUP)
        )
        return Told(heads, text, "")
    for found in re.finditer(rf"(?:^|(?<= )){_COUNTED.pattern}", text):
        before, after = text[: found.start()], text[found.end() :].strip(" ,")
        joined = _JOINED.match(before)
        full = found["amount"] == "full of"
        if not before or joined or full:
            first = joined["first"] if joined else before.strip()
            return Told(_heads(found), found[0], " ".join(part for part in (first, after) if part))
    return None


def _heads(found: "re.Match[str]") -> Heads:
    if found["bare"]:
        return Heads(0, 0) if found["bare"] in ("nobody", "no one") else Heads(1)
    if figure := found["figure"]:
        number = _NUMBERS.get(figure) or int(figure)
        if found["least"]:
            return Heads(number + (found["least"] == "more than"))
        return Heads(number, number)
    if found["group"]:
        return Heads(_CROWD if found["group"] == "crowd" else _GROUP)
    if found["amount"] in ("several", "many", "a few", "lots of", "plenty of", "a lot of", "full of"):
        return Heads(_FEW if found["amount"] == "a few" else _GROUP)
    return Heads(1, 1) if found["only"] else Heads(1)


def about_people(words: str) -> bool:
    """Whether a phrase speaks of people, of whichever kind.

    >>> about_people("two women"), about_people("a snowman"), about_people("a portrait")
    (True, False, True)
    """
    text = " ".join(words.lower().split())
    return bool(_PERSON.search(text) or _GROUPS.fullmatch(text))
