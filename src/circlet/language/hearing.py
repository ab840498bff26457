"""What someone wants to see and what not, over everything they have said so far."""

from dataclasses import dataclass

from circlet.language.edits import Edit
from circlet.language.parse import parse_edit
from circlet.language.phrases import about, apart, together

# Of these there is one at a time: "at sunset" takes the place of "at night" said before.
_ONE_AT_A_TIME = ("colour", "time", "background", "view", "size")
# How a circumstance begins: "at night" names no thing that "but a cat" could replace.
_CIRCUMSTANCES = ("at ", "in ", "on ", "with ", "from ", "near ", "by ", "zoom")


@dataclass(frozen=True)
class Heard:
    """Words as a searcher hears them: what to look for, what to keep away from, the edits that stand."""

    wanted: str
    unwanted: tuple[str, ...]
    edits: tuple[Edit, ...] = ()


def heard(text: str) -> Heard:
    """What a text wants to see and what it does not; a later line has the last word over earlier ones.

    >>> said = heard("the same beach at night, without the people")
    >>> said.wanted, said.unwanted
    ('beach at night', ('people',))
    >>> heard("a dog with a hat\\nbut a cat\\nat night\\nat sunset").wanted
    'a hat, cat, at sunset'
    """
    standing: list[Edit] = []
    for line in text.splitlines():
        new = parse_edit(line)
        standing = [kept for old in standing for kept in _left(old, new)]
        standing += new
    wanted = [edit.wanted for edit in standing if edit.wanted]
    unwanted = [edit.unwanted for edit in standing if edit.unwanted]
    return Heard(", ".join(wanted), tuple(dict.fromkeys(unwanted)), tuple(standing))


def _left(old: Edit, later: tuple[Edit, ...]) -> list[Edit]:
    """What later edits leave of an earlier one: all of it, part of it, or nothing."""
    if any(edit.wanted and old.unwanted and about(edit.wanted, old.unwanted) for edit in later):
        return []
    if any(edit.kind in _ONE_AT_A_TIME and (edit.kind, edit.what) == (old.kind, old.what) for edit in later):
        return []
    parts = apart(old.wanted)
    if any(edit.kind == "replace" and not edit.what for edit in later) and _main(old):
        parts = parts[1:]
    rest = together([part for part in parts if not any(about(part[1], edit.unwanted) for edit in later)])
    if rest == old.wanted:
        return [old]
    left = [Edit("describe", rest, text=rest)] if rest else []
    return [*left, Edit("remove", old.unwanted, text=old.text)] if old.unwanted else left


def _main(edit: Edit) -> bool:
    """Whether an edit names a thing that may be the main one of the picture."""
    named = edit.kind in ("describe", "replace", "count", "time", "background")
    return named and bool(edit.wanted) and not edit.wanted.lower().startswith(_CIRCUMSTANCES)
