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
    left = [old]
    if any(edit.kind == "replace" and not edit.what for edit in later) and _main(old):
        rest = together(apart(old.wanted)[1:])
        left = [Edit("describe", rest, text=rest)] if rest else []
    elif old.wanted and any(_instead(edit, old) for edit in later):
        left = []
    if old.unwanted and old not in left:
        left.append(Edit("remove", old.unwanted, text=old.text))
    return left


def _main(edit: Edit) -> bool:
    """Whether an edit names a thing that may be the main one of the picture."""
    named = edit.kind in ("describe", "replace", "count", "time", "background")
    return named and bool(edit.wanted) and not edit.wanted.lower().startswith(_CIRCUMSTANCES)


def _instead(new: Edit, old: Edit) -> bool:
    """Whether a later edit stands in the place of an earlier one, or rules it out."""
    if new.unwanted and about(old.wanted, new.unwanted):
        return True
    return new.kind in _ONE_AT_A_TIME and old.kind == new.kind and old.what == new.what
