"""What someone wants to see and what not, over everything they have said so far."""

from dataclasses import dataclass

from circlet.language.edits import Edit
from circlet.language.lexicon import COLOURS, any_of
from circlet.language.parse import parse_edit
from circlet.language.phrases import about, apart, together

# Of these there is one at a time: "at sunset" takes the place of "at night" said before.
_ONE_AT_A_TIME = ("colour", "time", "background", "view", "size")
# Kinds whose words may name the main thing of a picture, as in "red dog" or "a beach at night".
_THINGS = ("describe", "replace", "count", "colour", "size", "time", "background")
# How a circumstance begins: "at night" names no thing that "but a cat" could replace.
_CIRCUMSTANCES = ("at ", "in ", "on ", "with ", "from ", "near ", "by ")
# Of a talk without end the last turns count.
_MOST_LINES, _MOST_LETTERS = 40, 1600


@dataclass(frozen=True)
class Intent:
    """Words as a searcher hears them: for each line said, the edits of it that still stand."""

    lines: tuple[tuple[Edit, ...], ...]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit that stands, in the order they were said."""
        return tuple(edit for line in self.lines for edit in line)

    @property
    def phrases(self) -> tuple[str, ...]:
        """What to look for, one phrase a line."""
        wanted = (", ".join(edit.wanted for edit in line if edit.wanted) for line in self.lines)
        return tuple(phrase for phrase in wanted if phrase)

    @property
    def wanted(self) -> str:
        """What to look for, in one phrase."""
        return ", ".join(self.phrases)

    @property
    def unwanted(self) -> tuple[str, ...]:
        """What to keep away from."""
        return tuple(dict.fromkeys(edit.unwanted for edit in self.edits if edit.unwanted))


def understand(text: str) -> Intent:
    """What a text wants to see and what it does not; a later line has the last word over earlier ones.

    >>> said = understand("the same beach at night, without the people")
    >>> said.wanted, said.unwanted
    ('beach, at night', ('people',))
    >>> understand("a dog with a hat\\nbut a cat\\nat night\\nat sunset").phrases
    ('a hat', 'cat', 'at sunset')
    """
    lines: list[tuple[Edit, ...]] = []
    for new_line in _last(text.splitlines()):
        new = parse_edit(new_line)
        lines = [tuple(left for old in line for left in _left(old, new)) for line in lines]
        lines.append(new)
    return Intent(tuple(lines))


def _last(said: list[str]) -> list[str]:
    """The last lines that are not empty; the very last one, however long it is."""
    heard: list[str] = []
    for line in reversed(said):
        if heard and (len(heard) == _MOST_LINES or sum(map(len, heard)) + len(line) > _MOST_LETTERS):
            break
        if line.strip():
            heard.append(line)
    return heard[::-1]


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
    things = any_of(*COLOURS).sub("", edit.wanted.lower()).strip()
    return edit.kind in _THINGS and bool(things) and not f"{things} ".startswith(_CIRCUMSTANCES)
