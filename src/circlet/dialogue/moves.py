"""What a visitor can do to a session, by name: the page's buttons and the API share this list."""

import re
from collections.abc import Callable
from dataclasses import replace

from circlet.core import Turn, UsageError
from circlet.dialogue import Session

# One press of "more" makes a phrase weigh half as much again; presses stop where nothing would change.
STEP = 1.5
_LEAST, _MOST = STEP**-3, STEP**3


def say(session: Session, text: str, *, picture: str | None = None, without: tuple[str, ...] = ()) -> Session:
    """Words, a picture or both. Words complete a picture that was picked and not yet spoken about.

    >>> [turn.text for turn in say(go_on(Session(), "beach.jpg"), "at night").turns]
    ['at night']
    """
    text = " ".join(text.split())
    last = session.turns[-1] if session.turns else None
    if picture is None and last and last.picture and not (last.text or last.without):
        return _revised(session, replace(last, text=text, without=without))
    return session.say(text, picture=picture, without=without)


def go_on(session: Session, picture: str, text: str = "") -> Session:
    """Go on from a picture, with or without words.

    Whoever looks through a page of forty and opens one has not turned the others down, so unlike
    `Session.pick` this does not count them as passed over.
    """
    return session.say(text, picture=picture)


def mark(session: Session, picture: str, *, liked: bool) -> Session:
    """Like or dislike a picture, or take that back; marks made one after another are one turn.

    >>> session = mark(Session().say("a beach"), "a.jpg", liked=True)
    >>> mark(session, "b.jpg", liked=False).turns[-1]
    Turn(liked=('a.jpg',), disliked=('b.jpg',))
    >>> mark(session, "a.jpg", liked=True) == Session().say("a beach")
    True
    """
    last = session.turns[-1] if session.turns else Turn()
    marking = (last.liked or last.disliked) and Turn(liked=last.liked, disliked=last.disliked) == last
    if not marking:
        return session.like(picture) if liked else session.dislike(picture)
    ups, downs = _without(last.liked, picture), _without(last.disliked, picture)
    if liked and picture not in last.liked:
        ups = (*ups, picture)
    if not liked and picture not in last.disliked:
        downs = (*downs, picture)
    before = session.undo()
    return before.add(Turn(liked=ups, disliked=downs)) if ups or downs else before


def balance(session: Session, share: float | None) -> Session:
    """How much the last picture counts against the words, from 0 to 1; None for the method's own."""
    turn = _last(session, lambda turn: bool(turn.picture), "no picture to weigh yet: add or pick one")
    return _changed(session, turn, replace(session.turns[turn], balance=share))


def weigh(session: Session, phrase: str, *, more: bool) -> Session:
    """More or less of a phrase that was said.

    >>> weigh(Session().say("red, at night"), "red", more=True).turns[-1].emphasis
    (('red', 1.5),)
    """
    at = _last(session, lambda turn: phrase in phrases(turn), "this phrase was not said: weigh one that was")
    turn = session.turns[at]
    weights = dict(turn.emphasis)
    weight = weights.pop(phrase, 1.0) * (STEP if more else 1 / STEP)
    weight = round(min(_MOST, max(_LEAST, weight)), 2)
    if abs(weight - 1) > 0.01:
        weights[phrase] = weight
    return _changed(session, at, replace(turn, emphasis=tuple(weights.items())))


def phrases(turn: Turn) -> tuple[str, ...]:
    """The pieces of a turn's text that can be weighed one by one.

    >>> phrases(Turn(text="at night, with a boat and two people"))
    ('at night', 'with a boat', 'two people')
    """
    pieces = re.split(r"\s*(?:[,;.]|\band\b|\bbut\b)\s*", turn.text)
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def back(session: Session, turn: int) -> Session:
    """To an earlier turn; the steps after it stay as a path of their own, one press away.

    >>> session = back(Session().say("a beach").say("at night"), 1)
    >>> session.history, [len(turns) for turns in session.branches.values()]
    (('a beach',), [2, 1])
    """
    if turn == len(session.turns):
        return session
    numbers = (str(number) for number in range(2, len(session.branches) + 3))
    return session.branch(next(name for name in numbers if name not in session.branches)).back(turn)


def _last(session: Session, fits: Callable[[Turn], bool], otherwise: str) -> int:
    for at in reversed(range(len(session.turns))):
        if fits(session.turns[at]):
            return at
    raise UsageError(otherwise)


def _changed(session: Session, at: int, turn: Turn) -> Session:
    """The session with turn number `at`, counted from zero, said differently."""
    changed = session.back(at)
    for each in (turn, *session.turns[at + 1 :]):
        changed = changed.add(each)
    return changed


def _revised(session: Session, turn: Turn) -> Session:
    return _changed(session, len(session.turns) - 1, turn)


def _without(ids: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(id for id in ids if id != gone)
