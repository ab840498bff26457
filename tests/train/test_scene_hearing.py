"""Hearing that was learned understands writers whom it never read, text by text."""

import pytest

from circlet.models.scenes.listening import Listener
from circlet.models.scenes.needs import SceneNeed
from circlet.train.scene_hearing import clauses_heard, learn_listening, texts_heard
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
