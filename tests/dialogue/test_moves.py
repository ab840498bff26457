"""One definition of each move: what it does to a session, whoever plays it."""

import pytest

from circlet.core import Turn, UsageError
from circlet.dialogue import Session, moves
from circlet.dialogue.moves import MOVE_NAMES, Move, play
from circlet.testing import ScriptedUser


def test_marks_are_taken_back_one_by_one() -> None:
    session = Session().say("a beach")
    for id in ("a", "b"):
        session = moves.mark(session, (id,), liked=True)
    assert moves.mark(session, ("a",), liked=False).turns[-1] == Turn(liked=("b",), disliked=("a",))
    assert moves.mark(session, ("b",), liked=True).turns[-1] == Turn(liked=("a",))


def test_weights_have_ends_and_come_back_to_one() -> None:
    session = Session().say("red, at night")
    for _ in range(9):
        session = moves.weigh(session, "red", more=True)
    assert dict(session.turns[-1].emphasis)["red"] == pytest.approx(3.375, abs=0.01)
    for _ in range(3):
        session = moves.weigh(session, "red", more=False)
    assert session.turns[-1].emphasis == ()
    with pytest.raises(UsageError, match="was not said"):
        moves.weigh(session, "blue", more=True)
    with pytest.raises(UsageError, match="no picture to weigh"):
        moves.balance(session, 0.5)


def test_every_name_has_a_move_and_nothing_else_has() -> None:
    assert set(moves._PLAYED) == set(MOVE_NAMES)
    with pytest.raises(UsageError, match="no move 'jump': there are say, pick"):
        Move(name="jump")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="like needs a picture"):
        Move(name="like")
    with pytest.raises(UsageError, match="one picture a turn"):
        Move(name="say", pictures=("a", "b"))


def test_a_pick_keeps_what_it_was_picked_from(toy, album) -> None:
    from circlet.models import load_method

    session = Session.over(load_method("sum", toy), album).say("dog")
    shown = session.results.ids[:10]
    assert session.pick(2).turns[-1] == Turn(picture=shown[1], shown=shown)
    told = play(session, Move(name="pick", pictures=(shown[1],), shown=shown[:3]))
    assert told.turns[-1].shown == shown[:3], "whoever knows what was shown says so"
    assert session.pick("city").turns[-1] == Turn(picture="city"), "it was not among what was shown"


def test_going_back_keeps_the_later_turns_on_their_branch() -> None:
    session = Session().say("a").say("b").say("c").back(1)
    assert session.history == ("a",)
    assert session.branches["main"] == Session().say("a").say("b").say("c").turns
    assert session.switch("main").history == ("a", "b", "c")
    assert session.back(1) is session, "it is there already"


@pytest.mark.parametrize("seed", range(20))
def test_a_random_user_never_asks_for_what_is_not_there(toy, album, seed: int) -> None:
    from circlet.models import load_method

    user = ScriptedUser.at_random(seed, length=12)
    states = list(user.sessions(Session.over(load_method("default", toy), album)))
    assert len(states) == 12
    assert ScriptedUser.at_random(seed, length=12) == user
