"""What was heard of the words of a search, piece by piece, and the turns with a piece struck or turned."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from circlet.core import Turn
from circlet.core.turns import begins
from circlet.language import Edit, parse_edit, phrases, understand

# What stands between two clauses, or before one, and goes with it.
_BEFORE = re.compile(r"(?:[\s,;.]*\b(?:and|but|then|also|plus|while|the|an?))*[\s,;.]*$", re.IGNORECASE)
_AFTER = re.compile(r"^[\s,;.]*(?:(?:and|but|then|also|plus|while)\b)?[\s,;.]*", re.IGNORECASE)


@dataclass(frozen=True)
class Heard:
    """One thing that was heard: what is wanted, what is not, and which turn said it, counted from zero.

    `edit` is how the language understood it; None where it stands in the turn's `without`. What is only
    kept, or left over from words that later ones changed, is in no words of its own: not `changeable`.

    >>> print(Heard(unwanted="people", turn=0), "|", Heard(wanted="cat", unwanted="dog", turn=0))
    no people | cat, no dog
    """

    turn: int
    wanted: str = ""
    unwanted: str = ""
    edit: Edit | None = None
    changeable: bool = True

    def __str__(self) -> str:
        away = "not" if Edit("describe", text=self.unwanted).circumstance else "no"
        wanted = f"same {self.wanted}" if self.edit and self.edit.kind == "keep" else self.wanted
        return ", ".join([wanted] * bool(wanted) + [f"{away} {self.unwanted}"] * bool(self.unwanted))

    def named(self, words: str) -> bool:
        """Whether these words mean it, as it is heard, as it was said, or as the thing alone."""
        said = [self.edit.text, self.edit.to] if self.edit else []
        names = {name.lower() for name in (str(self), self.wanted, self.unwanted, *said)} - {""}
        return words.strip().lower() in names


def heard(turns: Sequence[Turn]) -> tuple[Heard, ...]:
    """What the turns' words ask for and rule out, each once, in the order it was said.

    >>> [str(one) for one in heard([Turn(picture="beach.jpg", text="at night, without the people")])]
    ['at night', 'no people']
    """
    standing = range(begins(turns), len(turns))
    lines = {at: " ".join(turns[at].text.split()) for at in standing}
    said = [at for at, line in lines.items() if line]
    stands = dict(zip(said, understand("\n".join(lines[at] for at in said)).lines, strict=True))
    found = []
    for at in standing:
        turn = turns[at]
        own = parse_edit(lines[at])
        for edit in stands.get(at, ()):
            changeable = edit.kind != "keep" and edit in own
            found.append(Heard(at, edit.wanted, edit.unwanted, edit, changeable))
        found += [Heard(at, unwanted=thing) for thing in turn.without]
    # What was said twice stands where it was said last, which is where it can be changed.
    latest = {str(one): one for one in found if str(one)}
    return tuple(latest.values())


def struck(turn: Turn, gone: Heard) -> Turn:
    """The turn without the words that said it.

    >>> both = Turn(text="at night, without the people")
    >>> struck(both, heard([both])[0])
    Turn(text='without the people')
    """
    if gone.edit is None:
        return replace(turn, without=tuple(thing for thing in turn.without if thing != gone.unwanted))
    clause = gone.edit.text
    edits = parse_edit(" ".join(turn.text.split()))
    beside = [edit for edit in edits if edit.text == clause and edit != gone.edit]
    text = _joined(
        _without_clause(turn.text, clause, edits),
        *(_asking_for(edit.wanted) for edit in beside if edit.wanted),
    )
    away = (edit.unwanted for edit in beside if edit.unwanted)
    return reworded(turn, text, (*turn.without, *away))


def turned(turn: Turn, round: Heard) -> Turn:
    """The turn with what it wanted ruled out, and what it ruled out wanted.

    >>> empty = Turn(text="without people")
    >>> turned(empty, *heard([empty]))
    Turn(text='with people')
    >>> turned(turned(empty, *heard([empty])), *heard([Turn(text="with people")]))
    Turn(without=('people',))
    """
    rest = struck(turn, round)
    if round.wanted and round.unwanted:
        other = f"{round.unwanted} instead of {round.wanted}"
        if [(edit.wanted, edit.unwanted) for edit in parse_edit(other)] == [(round.unwanted, round.wanted)]:
            return reworded(turn, _joined(rest.text, other), rest.without)
    text = _joined(rest.text, _asking_for(round.unwanted)) if round.unwanted else rest.text
    away = (round.wanted,) if round.wanted and round.wanted not in rest.without else ()
    return reworded(turn, text, (*rest.without, *away))


def reworded(turn: Turn, text: str, without: tuple[str, ...]) -> Turn:
    """The turn with other words; the weight of a phrase that is no longer said goes with it."""
    lost = set(phrases(turn.text)) - set(phrases(text))
    emphasis = tuple(pair for pair in turn.emphasis if pair[0] not in lost)
    return replace(turn, text=text, without=tuple(dict.fromkeys(without)), emphasis=emphasis)


def _asking_for(thing: str) -> str:
    """Words that want a thing to be seen beside what is there, not in the place of it."""
    return f"with {thing}" if any(edit.replaces for edit in parse_edit(thing)) else thing


def _without_clause(text: str, clause: str, edits: Sequence[Edit]) -> str:
    """The text less a clause: as it was written where that is heard alike, else from its other clauses."""
    others = [edit for edit in edits if edit.text != clause]
    text = " ".join(text.split())
    at = re.search(rf"(?<!\w){re.escape(clause)}(?!\w)", text, re.IGNORECASE)
    if at:
        sides = _BEFORE.sub("", text[: at.start()]), _AFTER.sub("", text[at.end() :])
        cut = ", ".join(side for side in sides if side)
        if _same(parse_edit(cut), others):
            return cut
    return _joined(*dict.fromkeys(edit.text for edit in others))


def _joined(*pieces: str) -> str:
    """Pieces as one text in which each is heard as it is alone: by commas if that will do."""
    said = [piece for piece in pieces if piece]
    alone = [edit for piece in said for edit in parse_edit(piece)]
    commas = ", ".join(said)
    return commas if _same(parse_edit(commas), alone) else "; ".join(said)


def _same(heard: Sequence[Edit], meant: Sequence[Edit]) -> bool:
    """Whether two readings ask for the same, however it was worded."""
    return [(edit.kind, edit.what, edit.to) for edit in heard] == [
        (edit.kind, edit.what, edit.to) for edit in meant
    ]
