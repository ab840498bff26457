"""Words into typed edits."""

import re
from functools import lru_cache

from circlet.language.asking import asked
from circlet.language.clauses import clauses
from circlet.language.edits import Edit, EditKind
from circlet.language.lexicon import comparatives, number
from circlet.language.patterns import EditRule, EditTable, ready
from circlet.language.phrases import bare, items, tidy, without_start
from circlet.language.rules import LEAD, PLAIN, RULES
from circlet.language.tagging import PREPOSITIONS, tagged
from circlet.language.topics import overall, shade, topic

# Words that stand for a thing: nobody is no people, and "it" is whatever the picture shows.
_MEANT = {"nobody": "people", "no one": "people", "no-one": "people"} | dict.fromkeys(
    ("it", "this", "that", "them", "him", "her", "everything", "thing", "things", "one", "ones"), ""
)
_WORDS = re.compile(r"[\w'-]+|[^\w\s]+")
_TOLD = re.compile(r"(?:is|are|looks?) ", re.IGNORECASE)
# A relative count whose step has no figure.
_STEPS = {"+": "more", "-": "fewer"}


@lru_cache(maxsize=4096)
def parse_edit(text: str) -> tuple[Edit, ...]:
    """The edits a caption asks for, in its order. Any text is understood somehow; none is an error.

    >>> for edit in parse_edit("Remove the chair, make it two dogs, but at night"):
    ...     print(edit.kind, edit.what or "-", edit.to or "-")
    remove chair -
    count dogs 2
    time - at night
    """
    return tuple(edit for clause in clauses(text) for edit in _edits(clause))


def _edits(clause: str) -> list[Edit]:
    wish = asked(clause)
    if edits := _by_rule(RULES, wish, clause):
        return edits
    stated = tidy(without_start(LEAD, wish)) or tidy(wish) or tidy(clause)
    if about := topic(wish.removeprefix("but ")):
        return [Edit(about, to=stated, text=stated)]
    if better := comparatives(wish):
        less = "less" in better or "fewer" in better
        return [Edit("compare", bare(stated) if less else stated, "less" if less else "more", stated)]
    if found := _by_rule(PLAIN, wish, clause):
        return found
    # "Striped" tells how the thing is to be, and names no other.
    named = _names(stated, told=_TOLD.match(wish) is not None)
    return [Edit("describe", stated, text=stated) if named else Edit("attribute", "", stated, stated)]


def _names(stated: str, *, told: bool) -> bool:
    """Whether a phrase names a thing: what is told of one ("is black with stripes") begins otherwise."""
    tags = tagged(stated)
    if not tags or tags[0][0] in PREPOSITIONS:
        return True
    return not (told and tags[0][1] == "adjective") and any(tag in ("noun", "other") for _, tag in tags)


def _by_rule(tables: tuple[EditTable, ...], wish: str, clause: str) -> list[Edit]:
    """What the first rule that fits makes of the wish; nothing where none fits."""
    start = len("but ") if wish[:4].lower() == "but " else 0
    said = {"#" if word.isdecimal() else word for word in _WORDS.findall(wish.lower())}
    for table in tables:
        if table.cues and table.cues.isdisjoint(said):
            continue
        for rule in table.rules:
            match = ready(rule.pattern).fullmatch(wish, start)
            if match and not (rule.thing and overall(wish)):
                return _made(rule, match, clause)
    return []


def _made(rule: EditRule, match: re.Match[str], clause: str) -> list[Edit]:
    named = match.groupdict()
    what, to = (tidy(named.get(name) or "") for name in ("what", "to"))
    what = rule.before + _MEANT.get(what.lower(), what)
    if by := named.get("by"):
        figure = number(by)
        to = rule.sign + str(figure) if figure is not None else _STEPS.get(rule.sign, by)
    to = rule.to or tidy(without_start(LEAD, to)) or to
    kind = _kind(rule, what, to)
    if kind == "colour":
        what, to = without_start("colou?rs? of (the )?", what), without_start("colou?r (?=({colours}))", to)
    if kind == "remove" and to:
        what, to = f"{to} {what}", ""
    if kind == "replace":
        what, to = bare(what), without_start("(with|using|having|has|have|use) ", to)
    if kind == "count":
        what = without_start("{n} ( of)?", what)
    if not rule.many:
        return [Edit(kind, what, to, clause)]
    return [
        _gone(thing, rule.sign, clause) if kind == "remove" else Edit(kind, thing, to, clause)
        for thing in items(what)
    ]


def _kind(rule: EditRule, what: str, to: str) -> EditKind:
    """The rule's kind, or a narrower one; a thing that turns into a red car is not recoloured."""
    narrower = topic(f"{what} {to}") if rule.topical else None
    if rule.kind == "replace" and narrower == "colour" and what and not shade(to):
        return "replace"
    return narrower or rule.kind


def _gone(thing: str, sign: str, clause: str) -> Edit:
    """Removing "the dog" asks for none, "one dog" for a dog fewer, "all but one" for one."""
    if spared := ready("[{every}( {word}){0,3}? ]{except} [{BY}( of | |$)]{WHAT?}").fullmatch(thing):
        left, what = spared["by"], tidy(spared["what"] or "")
        return (
            Edit("count", what, str(number(left) or left), clause)
            if left
            else Edit("keep", what, text=clause)
        )
    thing = bare(thing)
    counted = ready("{BY}( of)?( {WHAT})?").fullmatch(thing) if sign else None
    figure = number(counted["by"]) if counted else None
    if counted is None or figure is None:
        return Edit("remove", thing, text=clause)
    what = without_start("(the )?{n} ", tidy(counted["what"] or ""))
    return Edit("count", what, f"{sign}{figure}", clause)
