"""A new wish or a refinement: whether words ask for another thing, or for more of what was asked before."""

import re
from collections.abc import Sequence

from circlet.core import Turn
from circlet.core.turns import begins
from circlet.language import Edit, parse_edit
from circlet.language.lexicon import COLOURS, SIZES, any_of, comparatives
from circlet.language.phrases import apart
from circlet.language.topics import topic

# Kinds of edits whose words may name a whole thing, as in "a red car" or "a beach at night".
_NAMING = ("describe", "colour", "size", "time", "background", "count")
# What points back at a thing that was named before, or names none.
_POINTING = re.compile(
    r"\b(?:it|its|them|they|this|these|that|those|same|one|ones|another|different|more)\b", re.I
)
# What only says that something is wanted now: whatever it names is a wish of its own.
_ASKING = re.compile(
    r"^(?:(?:no(?=,)|ok(?:ay)?|actually|now|then|instead(?! of)|rather(?! than)|show me|give me|"
    r"(?:find|search|look)(?: me| for)?|i want(?: to see)?|i(?:'d| would) like(?: to see)?|"
    r"let(?:'s| us) see|(?:how|what) about|(?:an? |some )?(?:pictures?|photos?|images?) of)\b[ ,]*)+|"
    r"[ ,]+instead[ .!?]*$",
    re.IGNORECASE,
)
# What tells how the same thing is shown: "a black and white photo".
_MEDIUM = re.compile(r"\b(?:picture|photo|photograph|image|drawing|sketch)s?$", re.IGNORECASE)
_ARTICLES = re.compile(r"^(?:an?|the|some|my|our|two|three|four|several|many)\b", re.IGNORECASE)


def new_wish(turns: Sequence[Turn], text: str) -> bool:
    """Whether words name another thing than those before them, so that they are meant instead of them.

    With a picture they say how it should be different, and so does what is no whole thing.

    >>> asked = [Turn(text="a red car")]
    >>> new_wish(asked, "a dog"), new_wish(asked, "at night"), new_wish(asked, "also a dog")
    (True, False, False)
    >>> new_wish([Turn(picture="car.jpg")], "a dog"), new_wish(asked, "a blue car")
    (False, False)
    >>> new_wish(asked, "now a dog"), new_wish(asked, "show me dogs"), new_wish(asked, "now at night")
    (True, True, False)
    """
    standing = turns[begins(turns) :]
    said = [turn.text for turn in standing if turn.text.strip()]
    bare = _ASKING.sub("", text.strip())
    edits = parse_edit(bare)
    if not said or not edits or any(turn.picture for turn in standing):
        return False
    # "Palm trees" after "a beach" is one more thing to see; "a dog" is a thing of its own.
    whole = bare != text.strip() or bool(_ARTICLES.match(bare)) or not _ARTICLES.match(said[0])
    known = set(" ".join(said).lower().split())
    thing = _thing(edits[0])
    return whole and bool(thing) and not set(thing.lower().split()) <= known


def _thing(edit: Edit) -> str:
    """The thing that an edit names, without its colour and size; empty where it only tells of one."""
    # "In the water" tells of a thing and names none, whatever kind of change it is.
    if edit.kind not in _NAMING or Edit("describe", text=edit.wanted).circumstance:
        return ""
    parts = apart(edit.wanted)
    first = parts[0][1] if parts else ""
    if comparatives(first) or _POINTING.search(first):
        return ""
    thing = any_of(*COLOURS, *SIZES).sub("", first).strip(" ,")
    alone = edit.kind == "count" and not edit.what
    return "" if alone or topic(thing) is not None or _doing(thing) or _MEDIUM.search(thing) else thing


def _doing(words: str) -> bool:
    """Whether it says what is being done and nothing more: "sleeping"."""
    return len(words.split()) == 1 and words.endswith("ing") and len(words) > 5
