"""The words of a text with its things and values marked, so that wordings are alike whatever they name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from circlet.language.frame_words import TIMES, WEATHERS
from circlet.language.lexicon import NUMBERS, listed
from circlet.models.scenes.alike import ALIKE
from circlet.models.scenes.sights import Lexicon, Seeable

THING, SIGN, PLACE, TIME, WEATHER = "@", "#sign", "#place", "#time", "#weather"
COLOUR, NUMBER, SIDE, TONE = "#colour", "#number", "#side", "#tone"
VALUES = (SIGN, PLACE, TIME, WEATHER, COLOUR, NUMBER, SIDE, TONE)
# Of one letter each, so that every word stays where it was; a new line ends what was said before.
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\n": ";", "\r": " ", "\t": " "})
_READ = "|".join(rf"(?<={before})" for before in ("[\"']", "says ", "say ", "saying ", "reads ", "reading "))
PRONOUNS = listed("it they them its their itself themselves")
# What a marked value is called where the meaning of the words is asked for.
_PLAINLY = {
    SIGN: "HELLO",
    PLACE: "park",
    TIME: "night",
    WEATHER: "rain",
    COLOUR: "red",
    NUMBER: "three",
    TONE: "dark",
    "@0": "thing",
    "@1": "other",
}
_SIDES = {"left": r"left(?:wards?|most)?", "right": r"right(?:wards?|most)?"}
_SIDES |= {"middle": r"middle|cent(?:re|er)|central|midway"}
_TONES = {"light": r"light|fair|pale", "tan": r"tan|tanned|olive", "dark": r"dark"}
_OF_SKIN = listed("skin skinned tone toned complexion complexioned")
# Signs that stand for words.
_ALSO = {"&": "and", "+": "plus"}
_DETERMINERS = listed("the a an this that these those its their any some")
# Before these a noun is a verb: "dress the man", "please park the car".
_ORDERS = listed(", ; . : ! ? - – — and but or to then please kindly now also i'd could we you let")
# What is so called is how things are, and nobody's present.
_AS_IT_IS = listed("shade one ones number tone colour color way size hour time place position amount")
_NOT_GIVEN = listed("at already newly is are be was")
# "Right now", "the right amount": no side.
_NO_SIDE = listed(
    "now near up there here away by amount figure colour color position quantity number one off out before in"
)
_HAVE = listed("have has had")
_CLEAR_AWAY = listed("away out enough up the all any those these")
# The eye that sees, which may be a thing as well: "closer to the camera", "camera left".
_CAMERA = "camera"
_OF_THE_EYE = listed("to toward towards from by near nearer on at off")
_EYE = "viewer"


_ONE = listed("one a an single")
# What may stand between a number and its thing.
_DESCRIBING = listed("big bigger small smaller more new other such of")


class Token(NamedTuple):
    """A word or mark of a text, from one letter to another, by its symbol; a thing has its kind as value.

    `many` says that a thing is named in the plural.
    """

    symbol: str
    start: int
    end: int
    value: str = ""
    many: bool = False


class SceneWords(NamedTuple):
    """A clause: its tokens, with things numbered in their order, their kinds, and the kind spoken of before.

    >>> known = Seeable({"dog": "dogs", "hut": "huts"}, {}, {}, {"colour": ("red",)}, {})
    >>> said = clause_of(tokens("Put two red dogs left of the hut", known))
    >>> said.words, said.kinds
    ('put #number #colour @0 left of the @1', ('dog', 'hut'))
    """

    tokens: tuple[Token, ...]
    kinds: tuple[str, ...]
    last: str = ""
    mirrored: bool = False

    @property
    def words(self) -> str:
        """The symbols, one after the other, in words that all writers share: see `ALIKE`."""
        return " ".join(shared(one.symbol) for one in self.tokens)

    @property
    def plain(self) -> str:
        """The clause in words that anybody knows, the same for all things and values."""
        return " ".join(_PLAINLY.get(one.symbol, one.symbol) for one in self.tokens)

    @property
    def pronoun(self) -> bool:
        """Whether it may speak of what was spoken of before."""
        return bool(self.last) and any(one.symbol in PRONOUNS for one in self.tokens)


def shared(symbol: str) -> str:
    """What this is called by all writers.

    >>> shared("huge"), shared("shouldn't")
    ('big', 'not')
    """
    return "not" if symbol.endswith("n't") or symbol == "cannot" else ALIKE.get(symbol, symbol)


class _Finder(NamedTuple):
    """What finds words in a text, and what nouns, places and signs mean."""

    pattern: re.Pattern[str]
    nouns: dict[str, tuple[str, bool]]
    places: dict[str, str]
    signs: dict[str, str]


@lru_cache(maxsize=8)
def _finder(lexicon: Lexicon) -> _Finder:
    def any_of(words: Iterable[str]) -> str:
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"

    def joined(values: dict[str, str]) -> str:
        return "|".join(values.values())

    nouns = {word: (kind, many) for word, kind, many in lexicon.nouns}
    places, signs = dict(lexicon.places), {sign.lower(): sign for sign in lexicon.signs}
    colours = {*lexicon.colours, "gray", "blonde"} | ({"blond"} if "blond" in lexicon.colours else set())
    numbers = [word for word, value in NUMBERS.items() if value > 1 and word.isalpha() and word != "both"]
    pattern = re.compile(
        # What is to be read stands in capitals, in quotes, or after the word for it.
        rf"\b(?:(?P<sign>(?-i:{any_of(lexicon.signs)})|(?:{_READ})(?:{any_of(signs)}))|(?P<thing>{any_of(nouns)})"
        rf"|(?P<place>{any_of(places)})|(?P<time>{joined(TIMES)})|(?P<tone>{joined(_TONES)})"
        rf"|(?P<weather>{joined(WEATHERS)})|(?P<colour>{any_of(colours)})"
        rf"|(?P<number>{any_of(numbers)}|\d{{1,3}})|(?P<side>{joined(_SIDES)}))\b"
        r"|(?P<word>\w+(?:'\w+)*)|(?P<mark>[,;:!?=—&+]|\.(?=\s|$)|(?<=\s)[-–](?=\s))",
        re.IGNORECASE,
    )
    return _Finder(pattern, nouns, places, signs)


def tokens(text: str, known: Seeable) -> list[Token]:
    """The words and marks of a text, in its order.

    >>> known = Seeable({"dog": "dogs"}, {}, {"park": "park"}, {"colour": ("red",)}, {})
    >>> [one.symbol for one in tokens("Park the red dog, please", known)]
    ['park', 'the', '#colour', '@', ',', 'please']
    """
    finder = _finder(known.lexicon)
    text = text.translate(_PLAIN)
    found = [_token(match, finder) for match in finder.pattern.finditer(text)]
    return [_meant(found, at, text) for at in range(len(found))]


def _token(match: re.Match[str], finder: _Finder) -> Token:
    """A word by what it names; letters that only look alike make it a word like any other."""
    said, sort = match[0].lower(), str(match.lastgroup)
    symbol, value, many = _ALSO.get(said, said), "", False
    if sort == "thing" and said in finder.nouns:
        symbol, (value, many) = THING, finder.nouns[said]
    elif sort == "place" and said in finder.places:
        symbol, value = PLACE, finder.places[said]
    elif sort == "sign" and said in finder.signs:
        symbol, value = SIGN, finder.signs[said]
    elif sort == "colour":
        symbol, value = COLOUR, said.replace("gray", "grey").replace("blonde", "blond")
    elif sort == "number" and (said.isdecimal() or said in NUMBERS):
        symbol, value = NUMBER, str(int(said) if said.isdecimal() else NUMBERS[said])
    elif sort in _NAMED:
        symbol, values = _NAMED[sort]
        value = next(value for value, words in values.items() if re.fullmatch(words, said, re.IGNORECASE))
    return Token(symbol, match.start(), match.end(), value, many)


_NAMED = {
    "time": (TIME, TIMES),
    "weather": (WEATHER, WEATHERS),
    "side": (SIDE, _SIDES),
    "tone": (TONE, _TONES),
}


def _meant(every: Sequence[Token], at: int, text: str) -> Token:
    """A token as what it is beside its neighbours: a word that looks like a thing or a value may be none."""
    one = every[at]
    said = text[one.start : one.end].lower()
    before = every[at - 1].symbol if at else ","
    after = every[at + 1].symbol if at + 1 < len(every) else "."
    plain = False
    if one.symbol in (THING, PLACE) and not one.many:
        plain = (after in _DETERMINERS and before in _ORDERS) or (
            said == "present" and (after in _AS_IT_IS or before in _NOT_GIVEN)
        )
    elif one.symbol == SIDE:
        plain = (one.value == "right" and after in _NO_SIDE) or (said == "left" and before in _HAVE)
    elif one.symbol == TONE:
        near = {other.symbol for other in every[max(0, at - 8) : at + 9]}
        if not near & _OF_SKIN:
            clear = said == "fair" and after not in _DETERMINERS
            return one._replace(symbol=WEATHER, value="clear") if clear else _word(one, said)
    elif one.symbol == TIME:
        plain = said == "day" and (before in (WEATHER, "of") or after == WEATHER)
    elif one.symbol == WEATHER:
        plain = said == "clear" and after in _CLEAR_AWAY
    if said == _CAMERA and one.symbol == THING:
        close = every[at - 2].symbol if at > 1 and before == "the" else before
        if close in _OF_THE_EYE or after == SIDE:
            return one._replace(symbol=_EYE, value="")
    return _word(one, said) if plain else one


def _word(one: Token, said: str) -> Token:
    return one._replace(symbol=said, value="", many=False)


def clause_of(said: Sequence[Token], last: str = "") -> SceneWords:
    """Some tokens of a text as a clause, after words about the thing `last`."""
    kinds: list[str] = []
    found: list[Token] = []
    for one in said:
        symbol = one.symbol
        if symbol == THING:
            if one.value not in kinds:
                kinds.append(one.value)
            symbol = f"@{kinds.index(one.value)}"
        if symbol[0].isalnum() or symbol[0] in "@#":
            found.append(one._replace(symbol=symbol))
    if len(kinds) == 1 and last and last != kinds[0] and _PAIRS.search(" ".join(one.symbol for one in found)):
        found, kinds = _with_last(found), [last, *kinds]
    mirrored = False
    if len(kinds) > 1:
        # "The hut is right of the dog" is said in the mirror: so words need to be learned for one side only.
        sides = [one.value for one in found if one.symbol == SIDE]
        mirrored = "right" in sides and "left" not in sides
        found = [one._replace(symbol=_as_seen(one, mirrored)) if one.symbol == SIDE else one for one in found]
    return SceneWords(tuple(found), tuple(kinds), last, mirrored)


# "Put it left of the hut", "swap it for a cat": the thing that was spoken of beside the one that is named.
_PAIRS = re.compile(
    r"(?=.*\b(?:it|them)\b).*(?:#side(?: \w+)?(?: of| from)\b|replac|swap|exchang|substitut|instead|"
    r"turn .* into|rather than|in place|trade)"
)


def _with_last(found: Sequence[Token]) -> list[Token]:
    """The thing that a pronoun stands for as the first thing."""
    first = next(at for at, one in enumerate(found) if one.symbol in ("it", "them"))
    return [
        one._replace(symbol="@0") if at == first else one._replace(symbol=one.symbol.replace("@0", "@1"))
        for at, one in enumerate(found)
    ]


def _as_seen(side: Token, mirrored: bool) -> str:
    if side.value == "middle":
        return SIDE
    return "left" if mirrored else side.value


def mentions(clause: SceneWords) -> Iterator[tuple[int, int, str]]:
    """Each time that a thing is named: its number, how many (0: left open), and in which colour."""
    said = clause.tokens
    for at, one in enumerate(said):
        if not re.fullmatch(r"@\d", one.symbol):
            continue
        count, colour = 0 if one.many else 1, ""
        for led in reversed(said[:at]):
            if led.symbol == COLOUR and not colour:
                colour = led.value
            elif led.symbol == NUMBER:
                count = int(led.value)
            elif led.symbol in _ONE:
                count = 1
            if led.symbol != COLOUR and shared(led.symbol) not in _DESCRIBING:
                break
        yield int(one.symbol[1:]), count, colour


def wanted(clause: SceneWords, symbol: str) -> list[str]:
    """What a clause names of this sort, without what is not to be: "blue instead of red" is blue.

    >>> known = Seeable({}, {}, {}, {"colour": ("red", "blue")}, {})
    >>> wanted(clause_of(tokens("blue, not red", known)), COLOUR)
    ['blue']
    """
    words = [shared(one.symbol) for one in clause.tokens]
    return [
        one.value
        for at, one in enumerate(clause.tokens)
        if one.symbol == symbol and not _UNWANTED.search(" ".join(words[max(0, at - 4) : at]))
    ]


# Before what is not to be, with little between: an article, "at", "the colour".
_UNWANTED = re.compile(
    r"(?:instead of|rather than|in place of|(?<!why )\bnot|no longer)(?: (?!#)[\w@]+){0,2}$"
)
