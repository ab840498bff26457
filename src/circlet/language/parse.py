"""Words into typed edits."""

import re
from functools import lru_cache

from circlet.language.clauses import clauses
from circlet.language.edits import Edit
from circlet.language.lexicon import amount_pattern, comparatives, number
from circlet.language.patterns import ready
from circlet.language.phrases import items, tidy, without_start
from circlet.language.rules import LEAD, PLAIN, RULES, EditRule, topic

# Words that stand for a thing: nobody is no people, and "it" is whatever the picture shows.
_MEANT = {"nobody": "people", "no one": "people", "no-one": "people", "one": "people"} | dict.fromkeys(
    ("it", "this", "that", "them", "him", "her", "everything"), ""
)


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
    if edits := _by_rule(RULES, clause):
        return edits
    stated = tidy(without_start(LEAD, clause)) or tidy(clause)
    if about := topic(clause):
        return [Edit(about, to=stated, text=stated)]
    if better := comparatives(clause):
        return [Edit("compare", stated, "less" if "less" in better else "more", stated)]
    return _by_rule(PLAIN, clause) or [Edit("describe", stated, text=stated)]


def _by_rule(rules: tuple[EditRule, ...], clause: str) -> list[Edit]:
    """What the first rule that fits makes of the clause; nothing where none fits."""
    for rule in rules:
        if match := ready(f"[but ]({rule.pattern})").fullmatch(clause):
            return _made(rule, match, clause)
    return []


def _made(rule: EditRule, match: re.Match[str], clause: str) -> list[Edit]:
    named = match.groupdict()
    what, to, by = (tidy(named.get(name) or "") for name in ("what", "to", "by"))
    what = _MEANT.get(what.lower(), what)
    if by:
        figure = number(by)
        to = rule.sign + (by if figure is None else str(figure))
    to = rule.to or tidy(without_start(LEAD, to)) or to
    kind = (topic(f"{what} {to}") or rule.kind) if rule.topical else rule.kind
    if not rule.many:
        return [Edit(kind, what, to, clause)]
    return [
        _fewer(thing, clause) if kind == "remove" else Edit(kind, thing, to, clause) for thing in items(what)
    ]


def _fewer(thing: str, clause: str) -> Edit:
    """Removing "one dog" asks for a dog fewer, removing "the dog" for none."""
    match = re.fullmatch(rf"({amount_pattern()})(?: of)? (.+)", thing, re.IGNORECASE)
    figure = number(match[1]) if match else None
    if match is None or figure is None:
        return Edit("remove", thing, text=clause)
    return Edit("count", tidy(match[2]), f"-{figure}", clause)
