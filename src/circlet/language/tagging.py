"""Word classes by small lists and endings: enough for shares over many captions, not for parsing one.

There is no model behind this. Closed classes (articles, prepositions, auxiliaries …) are listed,
verbs and adjectives are told by lists of those that captions use and by their endings, and what is
left is a noun. A word that is noun and verb ("show", "light") is decided by the word before it.
"""

import re
from functools import cache

from circlet.language.lexicon import (
    ADJECTIVES,
    COLOURS,
    IRREGULAR_COMPARATIVES,
    NUMBERS,
    SIZES,
    comparatives,
    listed,
)

CLASSES = ("noun", "verb", "adjective", "adverb", "other")


_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+", re.IGNORECASE)
_ARTICLES = listed("a an the this that these those some any each every no another")
_POSSESSIVES = listed("its his her their my your our")
PREPOSITIONS = listed(
    "of in on at with without to from by for into onto over under above below behind beside between near "
    "around across against through inside outside during about as than like off up down out toward towards "
    "along among beneath underneath within upon"
)
_OTHER = listed(
    "and or but while if so because it they them he she him we you i me us who which what there here not "
    "all both either neither none one's else let"
)
AUXILIARIES = listed(
    "is are was were be been being am has have had having do does did can could will would should may might "
    "must isn't aren't doesn't don't"
)
_VERBS = listed(
    "add remove make change show focus replace put place turn take zoom move increase reduce keep swap use "
    "include give switch get rotate flip crop set wear hold sit stand lie lay look face walk run play eat "
    "drink sleep lean ride carry contain feature display cover fill hang open close see view appear seem "
    "become need want go come bring target find capture photograph shoot "
    "shown seen taken worn held sat stood lain lying made given gone done set put cut shot lit"
)
_ADVERBS = listed(
    "very too also only just still even more less most least much almost nearly slightly away together "
    "instead rather then now again outdoors indoors well"
)
_ADJECTIVES = (
    frozenset(ADJECTIVES)
    | frozenset(COLOURS)
    | frozenset(word for word in SIZES if word not in ("size", "enlarge", "shrink"))
    | listed(
        "same different similar other single multiple several many few open real empty bare human visible "
        "sleeveless solid floral casual elegant formal modern whole own main left right top bottom front "
        "back wooden metal last first second next"
    )
)
_ADJECTIVE_END = re.compile(r"(?:ful|less|ous|ive|able|ible|ish|ical|al|ic|est)$")
_NOUN_END = re.compile(r"(?:tion|sion|ment|ness|ity|er|or|ist|ism|ship|age|ance|ence|ing)$")


def words(text: str) -> list[str]:
    """The words of a text, in lower case.

    >>> words("Remove the dog's collar, add 2 cats!")
    ['remove', 'the', "dog's", 'collar', 'add', '2', 'cats']
    """
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def tagged(text: str) -> list[tuple[str, str]]:
    """The words of a text with their class, one of CLASSES.

    >>> tagged("show a bigger dog")
    [('show', 'verb'), ('a', 'other'), ('bigger', 'adjective'), ('dog', 'noun')]
    """
    tags: list[tuple[str, str]] = []
    before = ""
    for word in words(text):
        tags.append((word, _class(word, before)))
        before = word
    return tags


def _class(word: str, before: str) -> str:
    # After an article, a possessive or an adjective no verb is expected: "the show", "a red light".
    named = before in _ARTICLES or before in _POSSESSIVES or before in _ADJECTIVES
    if word.isdecimal() or word in NUMBERS or word in _ARTICLES or word in _POSSESSIVES:
        return "other"
    if word in AUXILIARIES:
        return "verb"
    if word in _OTHER or (word in PREPOSITIONS and not word.endswith("side")):
        return "other"
    if word in _ADVERBS or (word.endswith("ly") and len(word) > 4):
        return "adverb"
    if word in _ADJECTIVES or _comparative(word):
        return "adjective"
    if not named and (word in _VERBS or _stem(word) in _VERBS or word.endswith(("ing", "ed"))):
        return "verb"
    if word in PREPOSITIONS:
        return "other"
    if len(word) > 4 and _ADJECTIVE_END.search(word) and not _NOUN_END.search(word):
        return "adjective"
    return "noun"


@cache
def _comparative(word: str) -> bool:
    return word not in IRREGULAR_COMPARATIVES and bool(comparatives(word))


def _stem(word: str) -> str:
    """A verb without -s, -es, -ing or -ed, as far as lists go."""
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)]
            doubled = len(stem) > 2 and stem[-1] == stem[-2]
            for candidate in (stem, stem + "e", stem[:-1] if doubled else stem):
                if candidate in _VERBS:
                    return candidate
    return word
