"""A description changed by words: "a brown dog on grass", with "at night, without the grass"."""

import re
from collections.abc import Callable

from circlet.language.edits import Edit, EditKind
from circlet.language.lexicon import COLOURS, any_of
from circlet.language.parse import parse_edit
from circlet.language.phrases import Parts, about, apart, tidy, together


def merge(description: str, text: str) -> str:
    """The description after the change that the text asks for.

    >>> merge("a brown dog on grass, with a red ball", "a cat instead of the dog, without the ball")
    'cat on grass'
    >>> merge("a beach with people", "at night, remove the people")
    'a beach, at night'
    """
    parts = apart(description)
    for edit in parse_edit(text):
        parts = _CHANGES.get(edit.kind, _append)(parts, edit)
    return together(parts)


def _find(parts: Parts, what: str) -> list[int]:
    return [place for place, (_, part) in enumerate(parts) if about(part, what)]


def _append(parts: Parts, edit: Edit) -> Parts:
    return [*parts, (", ", edit.wanted)] if edit.wanted else parts


def _remove(parts: Parts, edit: Edit) -> Parts:
    gone = set(_find(parts, edit.unwanted))
    return [part for place, part in enumerate(parts) if place not in gone]


def _replace(parts: Parts, edit: Edit) -> Parts:
    """The thing's part becomes the other thing; with no thing named, it is the first."""
    places = _find(parts, edit.what) if edit.what else [0] if parts else []
    if not places:
        return _append(parts, edit)
    first = places[0]
    kept = [part for place, part in enumerate(parts) if place not in places[1:]]
    kept[first] = (parts[first][0], edit.to)
    return kept


def _recolour(parts: Parts, edit: Edit) -> Parts:
    """The thing's old colours go, the new one comes before it; with no thing named, it is the first."""
    places = _find(parts, edit.what) or ([0] if parts else [])
    if not places:
        return _append(parts, edit)
    joint, part = parts[places[0]]
    bare = re.sub(rf"{any_of(*COLOURS).pattern}(?:\s+and\b|,)?\s*", "", tidy(part), flags=re.IGNORECASE)
    changed = list(parts)
    changed[places[0]] = (joint, f"{edit.to} {bare}".strip())
    return changed


def _count(parts: Parts, edit: Edit) -> Parts:
    places = _find(parts, edit.what)
    if not places or not edit.wanted:
        return _append(parts, edit)
    changed = list(parts)
    changed[places[0]] = (parts[places[0]][0], edit.wanted)
    return changed


def _keep(parts: Parts, edit: Edit) -> Parts:
    return parts


_CHANGES: dict[EditKind, Callable[[Parts, Edit], Parts]] = {
    "remove": _remove,
    "replace": _replace,
    "colour": _recolour,
    "count": _count,
    "keep": _keep,
    "compare": lambda parts, edit: _append(_remove(parts, edit), edit),
}
