"""A caption cut into clauses, each of which asks for one thing."""

import re
from functools import cache

from circlet.language.lexicon import (
    BACKGROUNDS,
    COLOURS,
    SAMES,
    TIMES,
    VIEWS,
    amount_pattern,
    any_of,
    comparatives,
    listed,
)
from circlet.language.linking import opened, separated
from circlet.language.plain import plain
from circlet.language.verbs import CUT, KEEP, OTHERS, PAINT, PUT, SHIFT, SWAP, TURN, forms

# What an order or a statement begins with.
OPENERS = frozenset(forms(*CUT, *PUT, *SWAP, *TURN, *KEEP, *PAINT, *SHIFT, *OTHERS)) | listed(
    "put puts take takes cut crop crops move moves bring get rotate flip place places is are was were "
    "has wears wear must "
    "should does strip clear wipe photoshop airbrush push pull send shift raise lower removed added "
    "replaced changed "
    "no not without minus instead rather more less fewer there only just nobody none same different "
    "with sans excluding "
    "lacking"
)
_PRONOUNS = listed("it they he she this that which then also the")
_WISHES = listed("want need would wish prefer")
_SUBJECT = (
    r"(?:(?:(?:the|its|his|her|their) (?:[\w'-]+ ){1,6}|(?:[\w'-]+ ){1,3})"
    r"(?:is|are|has|have|was|were|shows|contains|includes|wears|looks|should|must|needs|becomes)\b"
    r"|(?:the|its|his|her|their) (?:[\w'-]+ ){1,4}"
    r"(?:can|could|will|would|stands?|sits?|appears?|faces|turns?|look|wear|gets?|grows?|go|goes|comes?|shrinks?|says?)\b)"
)
_INSTEAD = (
    rf"(?:(?:an?|some|the|{amount_pattern()}) [\w' -]{{1,60}}? (?:instead|rather than)\b"
    r"|(?:[\w'-]+ ){1,4}instead$)"
)
# "A larger number of cups", "a closer view": how much or how near, and no thing of a list.
_DEGREE = (
    r"an? (?:[\w'-]+er|more [\w'-]+|less [\w'-]+) "
    r"(?:number|amount|quantity|group|crowd|herd|flock|view|shot|look)\b"
)
# "The same room seen from above" says two things.
_SEEN = r"(?:seen|viewed|shot|taken|photographed|pictured) (?:from|at|in|by|with)\b"
_DONE = r"(?:[\w'-]+ ){1,4}(?:removed|added|gone|missing|deleted|erased)$"
_NEGATORS = r"(?:without|with no|having no|minus|sans|excluding|lacking|devoid of)\b"
# A bare "not" opens a clause of its own, unless a verb before it needs it or "only" and "just" disarm it.
_NEED_NOT = (
    "is are do does did was were can will should must could would may might need has have had be and but or"
)
_BARE_NOT = "".join(rf"(?<!\b{verb})" for verb in _NEED_NOT.split())
# "All but one": what is spared belongs to the clause that spares it.
_EVERY = re.compile(
    r"\b(?:all|any|every|each|nothing|nobody|none|no one|(?:every|any)(?:thing|one|body))\b(?: "
    r"[\w'-]+){0,3}$",
    re.I,
)
_WITHIN = re.compile(r"(?:with|in|at|on|from|it|they)\b", re.I)
# "No books, some bottles" wants the bottles; "no books or bottles" does not.
_ALONE = re.compile(rf"(?:an?|some|{amount_pattern()}|lots|plenty|the)\b(?! of the)", re.I)
_NONE = re.compile(r"(?:^|\b(?:is|are|has|have|with|shows?|but) )no [^,]+$", re.I)
# "No geese, in a kitchen": where it is all to be, and nothing that goes with the geese.
_TAKES = re.compile(r"(?:there (?:is|are) )?no |without |remove |delete |take ", re.I)
_ELSEWHERE = re.compile(
    r"(?:in|on|at|under|inside) (?:(?:an?|the) )?(?!(?:an?|the|h(?:is|er)|its|their|it|them|very|far|"
    r"background|foreground|left|right|middle|cent(?:er|re)|corner|front|back|rear|picture|photo|image|same|other|side|top|bottom)\b)",
    re.I,
)
_AND_BUT = re.compile(r"\b(?:and|or|then),? but\b", re.IGNORECASE)
# Less of one thing ends there: "less formal with sleeves", "less formal and white".
_LESS_WITH = re.compile(r"\b(less [\w-]+)( with)\b", re.I)
_LESS = re.compile(r"\bless [\w-]+$", re.I)
# "The same dog in the snow" says that the dog stays, and where it is now.
_SAME_BUT = re.compile(
    r"^((?:[\w']+ )?(?:same|identical) (?:(?!but |and |only |just )[\w'-]+ ){1,3}?)"
    r"(?=(?:in|at|on|with|during|under|near|inside|outside|against) (?!the same|same))",
    re.I,
)
# "No dog without a collar", "not without a hat": two negations are none.
_DENIED = re.compile(r"(?:\b(?:not|never|nothing|nobody)|^(?:.* )?no [\w'-]+)(?: is| are)?$", re.I)
# "Three cups, not four" is one number.
_NOT_SO_MANY = re.compile(rf"(?:not )?{amount_pattern()}", re.I)
# Nobody says more at once, and nobody says a clause that is longer.
_MOST_LETTERS, _MOST_IN_CLAUSE, _MOST_CLAUSES = 1200, 240, 40


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(f"{_SUBJECT}|{_INSTEAD}|{_DEGREE}|{_SEEN}|{_DONE}", re.I)


@cache
def _circumstance() -> re.Pattern[str]:
    """When and from where: "no people, at night" lists one thing, not two."""
    words = any_of(*TIMES, *VIEWS, *BACKGROUNDS).pattern
    return re.compile(rf"(?:at |in |on |by |during |from )?(?:the |an? )?{words}$", re.IGNORECASE)


@cache
def _joints() -> re.Pattern[str]:
    """Where a sentence may come apart: commas, conjunctions, and before a negation."""
    return re.compile(
        r"(\s*,\s*(?:and |but |then |also |plus |while |as well as )?"
        r"|\s+(?:but|except(?: for| that)?)\s+"
        r"|\s+(?:and|while|then|plus|as well as|&)\s+"
        rf"|(?<!\bis)(?<!\bare)(?<!\bbe)\s+(?={_SEEN})"
        rf"|\s+(?={_NEGATORS})|{_BARE_NOT}\s+(?=not (?!only|just|too|very)))",
        re.IGNORECASE,
    )


def clauses(text: str) -> list[str]:
    """The clauses of a caption, in order; lists and pairs of adjectives stay in one piece.

    Of a text as long as a page only the beginning is heard.

    >>> clauses("Remove the water, trees and log and add two black and white dogs.")
    ['Remove the water, trees and log', 'add two black and white dogs']
    >>> clauses("same dog but at night, without people")
    ['same dog', 'but at night', 'without people']
    """
    cut: list[str] = []
    said = separated(plain(text[:_MOST_LETTERS]))
    for sentence in re.split(r"[;!?\n]+|(?<!\b[a-z])\.+(?=\s|$|[A-Z])", said):
        cut += _of_sentence(opened(sentence.strip(" ,.\"'")))
        if len(cut) > _MOST_CLAUSES:
            break
    return [part for clause in cut[:_MOST_CLAUSES] for part in _short(clause)]


def _short(clause: str) -> list[str]:
    """The clause, in pieces where it goes on and on."""
    pieces = []
    while len(clause) > _MOST_IN_CLAUSE:
        end = clause.rfind(" ", 1, _MOST_IN_CLAUSE)
        end = end if end > 0 else _MOST_IN_CLAUSE
        pieces.append(clause[:end].strip())
        clause = clause[end:].strip()
    return [piece for piece in (*pieces, clause) if piece]


def _of_sentence(sentence: str) -> list[str]:
    if same := _SAME_BUT.match(sentence):
        return [same[1].strip(), *_of_sentence(sentence[same.end() :])]
    pieces = _joints().split(_LESS_WITH.sub(r"\1,\2", _AND_BUT.sub("but", sentence)))
    parts = [pieces[0]]
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        opened = _opened(parts[-1], joint.lower().strip(), piece)
        if opened is None:
            parts[-1] += joint + piece
        else:
            parts.append(opened)
    return [part.strip() for part in parts if part.strip()]


def _opened(before: str, joint: str, piece: str) -> str | None:
    """The clause that a piece opens after the one before; none where it belongs to that."""
    comma, joint = "," in joint, joint.strip(" ,")
    # Only what stands last can be spared or denied, so there is no need to look back further.
    before = before[-_MOST_IN_CLAUSE:]
    spares = joint.startswith(("but", "except"))
    if spares and _EVERY.search(before) and not _orders(piece):
        return None
    if _NOT_SO_MANY.fullmatch(piece) or (
        not joint and piece[:7].lower() == "without" and _DENIED.search(before)
    ):
        return None
    if joint == "but" and not re.match(r"not\b", piece, re.I):
        return f"but {piece}"
    opens = (
        _orders(piece) or bool(_phrases().match(piece)) or bool(comparatives(piece[:30].partition(" ")[0]))
    )
    same = any_of(*SAMES).search(before) is not None
    if joint.startswith("except") and not opens and not _WITHIN.match(piece):
        # "White except for the chair" has the chair; "the same except for the chair" has not.
        return f"except {piece}" if same else None
    if not same and not comma and not joint and re.match(_SEEN, piece, re.I):
        return None
    elsewhere = comma and _ELSEWHERE.match(piece) and _TAKES.match(before)
    alone = (
        elsewhere
        or (_ALONE.match(piece) and _NONE.search(before))
        or (any_of(*COLOURS).match(piece) and _LESS.search(before))
    )
    return piece if opens or alone or _circumstance().match(piece) or _circumstance().match(before) else None


def _orders(piece: str) -> bool:
    """Whether a piece begins as an order or a statement does: "remove …", "it is …", "no …"."""
    first, second, *_ = [*re.findall(r"[\w'-]+", piece[:60].lower()), "", ""]
    wishes = first in ("i", "we") and second in _WISHES
    return wishes or first in OPENERS or (first in _PRONOUNS and second in OPENERS)
