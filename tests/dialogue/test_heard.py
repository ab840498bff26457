"""What was heard, struck and turned round: the turn that said it is worded anew."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from circlet.core import Turn, UsageError
from circlet.dialogue import Move, Session, heard, play
from circlet.testing.user import WORDS


def told(session: Session) -> list[str]:
    return [str(one) for one in heard(session.turns)]


def test_a_strike_leaves_out_one_thing_and_keeps_the_rest_as_it_was_said() -> None:
    session = Session().say("a beach").say("at night, without the people", without=("dogs",))
    assert told(session) == ["beach", "at night", "no people", "no dogs"]
    assert session.strike("at night").turns[1] == Turn(text="without the people", without=("dogs",))
    assert session.strike("no people").turns[1] == Turn(text="at night", without=("dogs",))
    assert session.strike("dogs").turns[1] == Turn(text="at night, without the people")
    assert session.strike("beach").turns == session.turns[1:], "a turn that says nothing is gone"
    assert Session().say("red").strike("in red").turns == ()


def test_turned_round_wanted_is_unwanted_and_the_other_way() -> None:
    session = Session().say("at night, without the people", picture="beach.jpg")
    lively = session.turn_round("people")
    assert told(lively) == ["at night", "people"]
    assert not any(one.edit.replaces for one in heard(lively.turns) if one.edit), "the beach stays"
    day = session.turn_round("at night")
    assert day.turns == (Turn(picture="beach.jpg", text="without the people", without=("at night",)),)
    assert told(day) == ["no people", "not at night"]
    assert set(told(day.turn_round("not at night"))) == set(told(session))
    swapped = Session().say("a cat instead of the dog")
    assert told(swapped) == ["cat, no dog"]
    assert told(swapped.turn_round("cat, no dog")) == ["dog, no cat"]


def test_one_of_a_list_goes_and_the_others_stay() -> None:
    session = Session().say("remove the water, the trees and the log")
    assert sorted(told(session.strike("no trees"))) == ["no log", "no water"]
    assert sorted(told(session.turn_round("no trees"))) == ["no log", "no water", "trees"]


def test_the_latest_turn_that_said_it_is_changed_and_weights_go_along() -> None:
    session = Session().say("a hat").say("at night").say("a hat, at noon")
    assert told(session.strike("at noon")) == ["hat", "at night"], "what it had taken the place of is back"
    weighed = Session().say("without people; at night", emphasis=(("at night", 1.5), ("sea", 2.0)))
    assert weighed.strike("at night").turns[-1].emphasis == (("sea", 2.0),)
    assert weighed.strike("no people").turns[-1].emphasis == weighed.turns[-1].emphasis


def test_what_is_kept_or_left_over_cannot_be_changed() -> None:
    session = Session().say("keep the dog, at night")
    kept, night = heard(session.turns)
    assert (str(kept), kept.changeable, night.changeable) == ("same dog", False, True)
    with pytest.raises(UsageError, match="'dog' is not what was heard: there is at night"):
        session.strike("dog")
    with pytest.raises(UsageError, match="turn needs the words"):
        Move(name="turn")


PIECES = [
    *WORDS,
    "no dogs or cats",
    "a cat instead of the dog",
    "but don't show the sea",
    "add a hat and a tie",
]


def all_struck(session: Session) -> Session:
    """Strike the first thing that was heard until there is none."""
    for _ in range(200):
        first = next((one for one in heard(session.turns) if one.changeable), None)
        if first is None:
            return session
        session = play(session, Move(name="strike", text=str(first)))
    raise AssertionError(f"no end of {session}")


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4), st.sampled_from([", ", "; ", " and "]))
@example(["no dogs or cats", "but don't show the sea"], " and ")
def test_everything_can_be_struck(words: list[str], joint: str) -> None:
    assert told(all_struck(Session().say(joint.join(words)))) == []


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4, unique=True))
def test_what_is_turned_round_is_heard_the_other_way(words: list[str]) -> None:
    session = Session().say("; ".join(words))
    for one in heard(session.turns):
        after = heard(session.turn_round(str(one)).turns)
        assert not one.wanted or any(one.wanted == other.unwanted for other in after)
        assert not one.unwanted or any(one.unwanted == other.wanted for other in after)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_words_can_be_heard_struck_and_turned(text: str) -> None:
    session = Session(branches={"main": (Turn(text=text),)})
    all_struck(session)
    for one in heard(session.turns):
        if one.changeable:
            session.turn_round(str(one))
