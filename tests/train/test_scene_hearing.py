"""Hearing that was learned understands writers whom it never read, text by text."""

import math

import pytest

from circlet.core import Query, Turn
from circlet.models.scenes.listening import Listener
from circlet.models.scenes.needs import SceneNeed
from circlet.models.scenes.scene_words import Token, tokens
from circlet.models.scenes.splitting import Splitting
from circlet.train.scene_hearing import Lattices, clauses_heard, learn_listening, texts_heard
from circlet.train.scenes import known


@pytest.fixture(scope="module")
def listener() -> Listener:
    return learn_listening(known(), ("one", "six", "train"))


def test_another_writer_is_heard(listener: Listener) -> None:
    assert clauses_heard(listener, "two") > 80
    assert texts_heard(listener, "two", 60) > 55
    assert texts_heard(listener, "val", 60) > 85


def test_clauses_are_told_as_they_were_said_and_what_states_nothing_is_left_out(listener: Listener) -> None:
    said = listener.said("Like this, but remove the dog and add a cat on the right; the rest is perfect.")
    assert [(one.words, one.need) for one in said] == [
        ("remove the dog", SceneNeed("remove", "dog")),
        ("add a cat on the right", SceneNeed("add", "cat", count=1, column="right")),
    ]
    assert listener.said("") == ()


def test_it_is_the_thing_of_the_clause_before(listener: Listener) -> None:
    _, turned = listener.said("move the horse to the left; turn it to the right")
    assert turned.need == SceneNeed("facing", "horse", value="right")


def test_it_is_the_picture_where_the_whole_is_spoken_of(listener: Listener) -> None:
    *_, night = listener.said("remove the horse, and make it night")
    assert night.need == SceneNeed("time", value="night")


def asked(listener: Listener, *turns: Turn) -> set[SceneNeed]:
    query = Query("q")
    for turn in turns:
        query += turn
    return {one.need for one in listener.asked(query)}


def test_of_several_turns_the_later_one_counts(listener: Listener) -> None:
    assert asked(listener, Turn(text="remove the dog"), Turn(text="change the time to night")) == {
        SceneNeed("remove", "dog"),
        SceneNeed("time", value="night"),
    }
    assert asked(listener, Turn(text="add two red dogs"), Turn(text="make the dogs blue")) == {
        SceneNeed("add", "dog", count=2),
        SceneNeed("colour", "dog", value="blue"),
    }
    assert asked(listener, Turn(text="add a dog"), Turn(text="replace the dog with a cat")) == {
        SceneNeed("replace", "cat", "dog", count=1)
    }
    assert asked(listener, Turn(text="make the dog red"), Turn(text="remove the dog")) == {
        SceneNeed("remove", "dog")
    }


def test_what_is_to_be_away_is_a_clause_of_its_own(listener: Listener) -> None:
    turn = Turn(text="change the time to night", without=("dogs", "writing", "worries"))
    said = listener.asked(Query("q") + turn)
    assert [one.words for one in said[1:]] == ["dogs", "writing", "worries"]
    assert all(one.absent for one in said[1:])
    dogs, writing, worries = (set(one.heard) for one in said[1:])
    assert (dogs, writing, worries) == ({SceneNeed("remove", "dog")}, {SceneNeed("no sign")}, set())


def test_odd_texts_are_heard_as_nothing_or_as_far_as_they_go(listener: Listener) -> None:
    for text in ("", "???", "_ = _", "9" * 5000, "s\u0131x dogs \u017fheep at n\u0131ght"):
        listener.said(text)
    assert listener.said("???") == ()
    assert len(listener.said("remove the dog, " * 300)) <= 24
    said = listener.said("remove the dog\nchange the time to night")
    assert [one.words for one in said] == ["remove the dog", "change the time to night"]


def test_signs_of_addition_join_as_words_do(listener: Listener) -> None:
    for mark in ("&", "+", "and"):
        said = listener.said(f"remove the dog {mark} change the time to night")
        assert [one.words for one in said] == ["remove the dog", "change the time to night"]


def test_what_leads_to_the_next_clause_is_no_part_of_one(listener: Listener) -> None:
    said = listener.said("remove the dog; next, change the time to night, then")
    assert [one.words for one in said] == ["remove the dog", "change the time to night"]


def test_what_names_no_writing_asks_for_none_to_be_away(listener: Listener) -> None:
    for text in ("without the people", "get rid of the people", "no people at all"):
        assert SceneNeed("no sign") not in {need for one in listener.said(text) for need in one.heard}
    (said,) = listener.said("get rid of the sign")
    assert said.need == SceneNeed("no sign")


def test_clauses_that_meet_at_no_joint_teach_nothing() -> None:
    def text(between: str) -> tuple[list[Token], list[tuple[int, int]]]:
        whole = f"remove the dog{between}at night"
        return tokens(whole, known()), [(0, 14), (len(whole) - 8, len(whole))]

    both = Lattices([text(", "), text(" ~ ")])
    assert both.fair.tolist() == [True, False]
    assert both.loss(Splitting()).item() == pytest.approx(math.log(2))
