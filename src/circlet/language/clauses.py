"""A caption cut into clauses, each of which asks for one thing."""

import re
from functools import cache

from circlet.language.lexicon import BACKGROUNDS, COLOURS, SAMES, TIMES, VIEWS, amount_pattern, any_of, comparatives
from circlet.language.verbs import CUT, KEEP, OTHERS, PAINT, PUT, SWAP, TURN, forms

# What an order or a statement begins with.
VERBS = (
    *forms(*CUT, *PUT, *SWAP, *TURN, *KEEP, *PAINT, *OTHERS), "put", "puts", "take", "takes", "cut", "crop",
    "crops", "move", "moves", "bring", "get", "rotate", "flip", "place", "places", "is", "are", "was", "were",
    "has", "wears", "wear", "must", "should", "does", "it's", "they're", "he's", "she's", "there's", "strip", "clear",
    "removed", "added", "replaced", "changed", "wipe", "photoshop", "airbrush", "push", "pull", "send", "shift", "raise", "lower",
)  # fmt: skip
OPENERS = (
    "no", "not", "without", "minus", "instead", "rather", "more", "less", "fewer", "there", "only",
    "just", "nobody", "none", "same", "different", "at night", "with", "sans", "excluding", "lacking",
)  # fmt: skip
_SUBJECT = (
    r"(?:(?:the|its|his|her|their) (?:[\w'-]+ ){1,6}|(?:[\w'-]+ ){1,3})"
    r"(?:is|are|has|have|was|were|shows|contains|includes|wears|looks|should|must|needs|becomes)\b"
)
_NEGATORS = r"(?:without|with no|having no|minus|sans|excluding|lacking|devoid of)\b"
# A bare "not" opens a clause of its own, unless a verb before it needs it or "only" and "just" disarm it.
_BARE_NOT = r"(?<!\bis)(?<!\bare)(?<!\bdo)(?<!\bdoes)(?<!\bdid)(?<!\bwas)(?<!\bwere)(?<!\bcan)(?<!\bwill)"
_BARE_NOT += "".join(rf"(?<!\b{verb})" for verb in ("should", "must", "could", "would", "may", "might", "need", "has",
                                                     "have", "had", "be", "and", "but", "or"))  # fmt: skip

_CONTRACTIONS = (
    (r"[‘’`´]", "'"),
    (r"[“”]", '"'),
    (r"\bcan't\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\bcannot\b", "can not"),
    (r"\b(i|you|he|she|it|we|they)'d\b", r"\1 would"),
    (r"\b(i|you|we|they)'ve\b", r"\1 have"),
    (r"\bi'm\b", "i am"),
    (r"\blet's\b", "let us"),
    (r"\b([a-z]{3,})-free\b(?! (?:of|from)\b)(?: ([a-z]+))?", r"\2 without \1"),
    (r"\b(it|he|she|that|there)'s\b", r"\1 is"),
    (r"\b(they|we|you)'re\b", r"\1 are"),
    (r"\s+", " "),
)


def plain(text: str) -> str:
    """The text with contractions spelled out, plain quotes and single spaces.

    >>> plain("There’s a dog  that doesn't bark")
    'There is a dog that does not bark'
    """
    for pattern, into in _CONTRACTIONS:
        text = re.sub(pattern, into, text, flags=re.IGNORECASE)
    return text.strip()


@cache
def _orders() -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted((*VERBS, *OPENERS), key=len, reverse=True)))
    return re.compile(rf"(?:(?:it|they|he|she|this|that|which|then|also) )?(?:{words})\b", re.I)


@cache
def _opens() -> re.Pattern[str]:
    instead = rf"(?:an?|some|the|{amount_pattern()}) [\w' -]+? (?:instead|rather than)\b"
    seen = r"(?:seen|viewed|shot|taken|photographed|pictured) (?:from|at|in|by|with)\b"
    return re.compile(f"{_orders().pattern}|{_SUBJECT}|{instead}|{seen}", re.I)


@cache
def _circumstance() -> re.Pattern[str]:
    """When and from where: "no people, at night" lists one thing, not two."""
    words = any_of(*TIMES, *VIEWS, *BACKGROUNDS).pattern
    return re.compile(rf"(?:at |in |on |by |during |from )?(?:the |an? )?{words}$", re.IGNORECASE)


@cache
def _less() -> re.Pattern[str]:
    """Where less of one thing ends: "less formal with sleeves", "less casual and white"."""
    return re.compile(rf"\b(less [\w-]+)( with| and(?= {any_of(*COLOURS).pattern}))", re.IGNORECASE)


@cache
def _joints() -> re.Pattern[str]:
    """Where a sentence may come apart: commas, conjunctions, and before a negation."""
    return re.compile(
        r"(\s*,\s*(?:and |but |then |also |plus )?"
        r"|\s+(?:but|except(?: for| that)?)\s+"
        r"|\s+(?:and|while|then|plus|&)\s+"
        r"|(?<!\bis)(?<!\bare)(?<!\bbe)\s+(?=(?:seen|viewed|shot|taken|photographed|pictured) (?:from|at|in|by|with)\b)"
        rf"|\s+(?={_NEGATORS})|{_BARE_NOT}\s+(?=not (?!only|just|too|very)))",
        re.IGNORECASE,
    )


def clauses(text: str) -> list[str]:
    """The clauses of a caption, in order; lists and pairs of adjectives stay in one piece.

    >>> clauses("Remove the water, trees and log and add two black and white dogs.")
    ['Remove the water, trees and log', 'add two black and white dogs']
    >>> clauses("same dog but at night, without people")
    ['same dog', 'but at night', 'without people']
    """
    cut: list[str] = []
    for sentence in re.split(r"[;!?\n]+|(?<!\b[a-z])\.+(?=\s|$|[A-Z])", plain(text)):
        cut += _of_sentence(sentence.strip(" ,.\"'"))
    return cut


# "All but one": what is spared belongs to the clause that spares it.
_SPARED = re.compile(r"\b(?:but|except)\b", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:all|any|every|each|nothing|nobody|none|no one|(?:every|any)(?:thing|one|body))\b(?: [\w'-]+){0,3}$", re.I
)
_WITHIN = re.compile(r"(?:with|in|at|on|from|it|they)\b", re.I)

# "No books, some bottles" wants the bottles; "no books or bottles" does not.
_ALONE = re.compile(rf"(?:an?|some|{amount_pattern()}|lots|plenty|the)\b(?! of the)", re.I)
_NONE = re.compile(r"(?:^|\b(?:is|are|has|have|with|shows?|but) )no [^,]+$", re.I)
# "The same room seen from above" says two things.
_SEEN = re.compile(r"(?:seen|viewed|shot|taken|photographed|pictured) (?:from|at|in|by|with)\b", re.I)


def _of_sentence(sentence: str) -> list[str]:
    pieces = _joints().split(_less().sub(r"\1,\2", sentence))
    parts = [pieces[0]]
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        opens = _opens().match(piece)
        if _SPARED.search(joint) and _EVERY.search(parts[-1]) and not _orders().match(piece):
            parts[-1] += joint + piece
        elif "but" in joint.lower() and not re.match(r"not\b", piece, re.I):
            parts.append(f"but {piece}")
        elif "except" in joint.lower() and not opens and not _WITHIN.match(piece):
            # "White except for the chair" has the chair; "the same except for the chair" has not.
            if any_of(*SAMES).search(parts[-1]):
                parts.append(f"except {piece}")
            else:
                parts[-1] += joint + piece
        elif _SEEN.match(piece) and not any_of(*SAMES).search(parts[-1]):
            parts[-1] += joint + piece
        elif _ALONE.match(piece) and _NONE.search(parts[-1]):
            parts.append(piece)
        elif _circumstance().match(parts[-1]) or opens or comparatives(piece.partition(" ")[0]) or _circumstance().match(piece):
            parts.append(piece)
        else:
            parts[-1] += joint + piece
    return [part.strip() for part in parts if part.strip()]
