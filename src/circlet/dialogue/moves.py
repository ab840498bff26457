"""Everything that can be done to a session, once: terminal, page and API all play these moves.

A move gives the next session and leaves the old one as it was. `play` does a move by its name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from circlet.core import Turn, UsageError
from circlet.core.turns import begins
from circlet.dialogue.heard import heard, reworded, struck, turned
from circlet.dialogue.wishes import new_wish
from circlet.language import phrases

if TYPE_CHECKING:
    from circlet.dialogue.session import Session

# How many of the results somebody is taken to have looked at who picks one of them.
SHOWN = 10
# One press of "more" makes a phrase weigh half as much again; presses stop where nothing would change.
STEP = 1.5
_LEAST, _MOST = STEP**-3, STEP**3

MoveName = Literal[
    "say", "pick", "like", "dislike", "undo", "back", "branch", "switch", "balance", "more", "less",
    "strike", "turn", "edit", "drop", "also", "instead",
]  # fmt: skip
MOVE_NAMES: tuple[MoveName, ...] = get_args(MoveName)


@dataclass(frozen=True, kw_only=True)
class Move:
    """One move and what it needs: `Move(name="pick", pictures=("beach.jpg",), text="at night")`.

    `text` is what was said, the phrase to weigh, a turn's new words, or what of the words heard to strike
    or turn round; `pictures` the one shown or picked, those liked or disliked; `shown` what a pick was
    made from, where the caller knows; `turn` where to go back to, or which to edit, drop or join; `path`
    the branch to make or to switch to.
    """

    name: MoveName
    text: str = ""
    pictures: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    shown: tuple[str, ...] | None = None
    turn: int = 0
    path: str = ""
    balance: float | None = None

    def __post_init__(self) -> None:
        if self.name not in MOVE_NAMES:
            raise UsageError(f"no move {self.name!r}: there are {', '.join(MOVE_NAMES)}")
        if self.name in ("pick", "like", "dislike") and not self.pictures:
            raise UsageError(f"{self.name} needs a picture: say which")
        if self.name in ("say", "pick") and len(self.pictures) > 1:
            raise UsageError("one picture a turn: say the second one next")
        if self.name in ("strike", "turn") and not self.text.strip():
            raise UsageError(f"{self.name} needs the words of what was heard: say which")

    @property
    def picture(self) -> str | None:
        """The picture that is shown or picked, if any."""
        return self.pictures[0] if self.pictures else None


def play(session: "Session", move: Move) -> "Session":
    """The session after a move.

    >>> from circlet.dialogue import Session
    >>> play(Session(), Move(name="say", text="a beach")).history
    ('a beach',)
    """
    return _PLAYED[move.name](session, move)


def say(
    session: "Session", text: str = "", *, picture: str | None = None, without: tuple[str, ...] = ()
) -> "Session":
    """Words, a picture or both. Words complete a picture that was picked and not yet spoken about.

    Words that name another thing than those before them are taken instead of them.

    >>> from circlet.dialogue import Session
    >>> say(say(Session(), picture="beach.jpg"), "at night").history
    ('beach.jpg, at night',)
    """
    text = " ".join(text.split())
    last = session.turns[-1] if session.turns else None
    if picture is None and last and last.picture and not (last.text or last.without):
        return _revised(session, replace(last, text=text, without=without))
    instead = picture is None and new_wish(session.turns, text)
    return session.add(Turn(text=text, picture=picture, without=without, instead=instead))


def pick(
    session: "Session", picture: str, text: str = "", *, shown: tuple[str, ...] | None = None
) -> "Session":
    """Go on from a picture, with or without words; what was shown beside it counts as passed over.

    Where the caller does not say what was shown, the session's results are looked at.
    """
    if shown is None:
        shown = tuple(session.results.ids[:SHOWN]) if session.search and session.turns else ()
    text = " ".join(text.split())
    return session.add(Turn(picture=picture, text=text, shown=shown[:SHOWN] if picture in shown else ()))


def mark(session: "Session", pictures: tuple[str, ...], *, liked: bool) -> "Session":
    """Like or dislike pictures, or take that back; marks made one after another are one turn.

    >>> from circlet.dialogue import Session
    >>> session = mark(Session().say("a beach"), ("a.jpg",), liked=True)
    >>> mark(session, ("b.jpg",), liked=False).turns[-1]
    Turn(liked=('a.jpg',), disliked=('b.jpg',))
    >>> mark(session, ("a.jpg",), liked=True) == Session().say("a beach")
    True
    """
    last = session.turns[-1] if session.turns else Turn()
    marking = bool(last.liked or last.disliked) and Turn(liked=last.liked, disliked=last.disliked) == last
    ups, downs = (last.liked, last.disliked) if marking else ((), ())
    for picture in dict.fromkeys(pictures):
        before = picture in (ups if liked else downs)
        ups, downs = _less(ups, picture), _less(downs, picture)
        if not before:
            ups, downs = (*ups, picture) if liked else ups, downs if liked else (*downs, picture)
    rest = session.undo() if marking else session
    return rest.add(Turn(liked=ups, disliked=downs)) if ups or downs else rest


def edit(session: "Session", turn: int, text: str) -> "Session":
    """A turn in other words, where it stands; one that then says nothing is gone.

    >>> from circlet.dialogue import Session
    >>> edit(Session().say("a beach").say("at night"), 1, "a lake").history
    ('a lake', 'at night')
    """
    before = _numbered(session, turn)
    return _changed(session, turn - 1, reworded(before, " ".join(text.split()), before.without))


def drop(session: "Session", turn: int) -> "Session":
    """The session without one of its turns.

    >>> from circlet.dialogue import Session
    >>> drop(Session().say("a beach").say("at night"), 1).history
    ('at night',)
    """
    _numbered(session, turn)
    return _changed(session, turn - 1, Turn())


def join(session: "Session", turn: int, *, instead: bool) -> "Session":
    """A turn beside what was said before it, or instead of that; 0 is the last that says something.

    >>> from circlet.dialogue import Session
    >>> session = Session().say("a red car").say("a dog")
    >>> len(session.query.turns), len(join(session, 2, instead=False).query.turns)
    (1, 2)
    """
    at = (
        turn - 1
        if turn
        else _last(session, lambda one: bool(one.picture or one.text), "nothing was said yet")
    )
    return _changed(session, at, replace(_numbered(session, at + 1), instead=instead))


def back(session: "Session", turn: int) -> "Session":
    """To an earlier turn; the steps after it stay as a path of their own, one step away.

    >>> from circlet.dialogue import Session
    >>> session = back(Session().say("a beach").say("at night"), 1)
    >>> session.history, [len(turns) for turns in session.branches.values()]
    (('a beach',), [2, 1])
    """
    if turn == len(session.turns):
        return session
    cut = session.until(turn)
    numbers = (str(number) for number in range(2, len(session.branches) + 3))
    return session.branch(next(name for name in numbers if name not in session.branches), cut.turns)


def balance(session: "Session", share: float | None) -> "Session":
    """How much the last picture with words counts against them, from 0 to 1; None for the method's own."""
    at = _last(session, lambda turn: turn.both, "no picture to weigh yet: add or pick one, with words")
    return _changed(session, at, replace(session.turns[at], balance=share))


def weigh(session: "Session", phrase: str, *, more: bool) -> "Session":
    """More or less of a phrase that was said.

    >>> from circlet.dialogue import Session
    >>> weigh(Session().say("red, at night"), "red", more=True).turns[-1].emphasis
    (('red', 1.5),)
    """
    at = _last(
        session, lambda turn: phrase in phrases(turn.text), "this phrase was not said: weigh one that was"
    )
    turn = session.turns[at]
    weights = dict(turn.emphasis)
    weight = weights.pop(phrase, 1.0) * (STEP if more else 1 / STEP)
    weight = round(min(_MOST, max(_LEAST, weight)), 2)
    if abs(weight - 1) > 0.01:
        weights[phrase] = weight
    return _changed(session, at, replace(turn, emphasis=tuple(weights.items())))


def change_heard(session: "Session", words: str, *, round: bool) -> "Session":
    """What was heard is left out, or turned round: wanted becomes unwanted, and the other way.

    The latest turn that said it is worded anew; one that says nothing else is gone.

    >>> from circlet.dialogue import Session
    >>> session = Session().say("a beach").say("at night, without the people")
    >>> change_heard(session, "no people", round=False).history
    ('a beach', 'at night')
    >>> change_heard(session, "people", round=True).query.last.without
    ()
    """
    every = [one for one in heard(session.turns) if one.changeable]
    # What was said in full goes before what is only named: "people" may be wanted here, unwanted there.
    meant = sorted((one for one in every if one.named(words)), key=lambda one: str(one) == words.strip())
    if not meant:
        there = ", ".join(map(str, every)) or "nothing that could be changed"
        raise UsageError(f"{words.strip()!r} is not what was heard: there is {there}")
    at = meant[-1].turn
    return _changed(session, at, (turned if round else struck)(session.turns[at], meant[-1]))


def _pick(session: "Session", move: Move) -> "Session":
    return pick(session, move.pictures[0], move.text, shown=move.shown)


_PLAYED: dict[MoveName, "Callable[[Session, Move], Session]"] = {
    "say": lambda session, move: say(session, move.text, picture=move.picture, without=move.without),
    "pick": _pick,
    "like": lambda session, move: mark(session, move.pictures, liked=True),
    "dislike": lambda session, move: mark(session, move.pictures, liked=False),
    "undo": lambda session, move: session.undo(),
    "back": lambda session, move: back(session, move.turn),
    "branch": lambda session, move: session.branch(move.path),
    "switch": lambda session, move: session.switch(move.path),
    "balance": lambda session, move: balance(session, move.balance),
    "more": lambda session, move: weigh(session, move.text, more=True),
    "less": lambda session, move: weigh(session, move.text, more=False),
    "strike": lambda session, move: change_heard(session, move.text, round=False),
    "turn": lambda session, move: change_heard(session, move.text, round=True),
    "edit": lambda session, move: edit(session, move.turn, move.text),
    "drop": lambda session, move: drop(session, move.turn),
    "also": lambda session, move: join(session, move.turn, instead=False),
    "instead": lambda session, move: join(session, move.turn, instead=True),
}


def _last(session: "Session", fits: Callable[[Turn], bool], otherwise: str) -> int:
    for at in reversed(range(begins(session.turns), len(session.turns))):
        if fits(session.turns[at]):
            return at
    raise UsageError(otherwise)


def _numbered(session: "Session", turn: int) -> Turn:
    """Turn number `turn`, counted from one."""
    if not 1 <= turn <= len(session.turns):
        raise UsageError(f"no turn {turn}: the session has {len(session.turns)}")
    return session.turns[turn - 1]


def _changed(session: "Session", at: int, turn: Turn) -> "Session":
    """The session with turn number `at`, counted from zero, said differently, or gone if it says nothing."""
    changed = session.until(at)
    for each in (turn, *session.turns[at + 1 :]):
        changed = changed if each.empty else changed.add(each)
    return changed


def _revised(session: "Session", turn: Turn) -> "Session":
    return _changed(session, len(session.turns) - 1, turn)


def _less(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(id for id in ids if id != gone)
