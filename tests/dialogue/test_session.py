"""A session is a value: undo gives back what was, branches do not touch each other, JSON keeps it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.core import DataError, Turn, UsageError
from circlet.dialogue import Feedback, Session
from circlet.models import load_method

names = st.text(min_size=1, max_size=12)
ids = st.lists(names, max_size=3).map(tuple)
turns = st.builds(
    Turn,
    picture=st.none() | names,
    text=st.text(max_size=20),
    without=ids,
    emphasis=st.lists(st.tuples(names, st.floats(-5, 5)), max_size=2).map(tuple),
    balance=st.none() | st.floats(0, 1),
    shown=ids,
    liked=ids,
    disliked=ids,
).filter(lambda turn: not turn.empty)


@st.composite
def sessions(draw) -> Session:
    session = Session()
    for _ in range(draw(st.integers(0, 6))):
        if draw(st.integers(0, 3)) == 0:
            name = draw(names.filter(str.strip))
            session = session.switch(name) if name in session.branches else session.branch(name)
        else:
            session = session.add(draw(turns))
    return session


@given(sessions(), turns)
def test_undo_after_any_turn_is_what_was(session: Session, turn: Turn) -> None:
    assert session.add(turn).undo() == session


@given(sessions())
def test_saved_and_loaded_is_the_same(session: Session) -> None:
    assert Session.from_dict(json.loads(json.dumps(session.to_dict()))) == session


@given(sessions(), turns, names.filter(str.strip))
def test_branches_do_not_touch_each_other(session: Session, turn: Turn, name: str) -> None:
    if name in session.branches:
        return
    there = session.branch(name).add(turn)
    assert there.turns == (*session.turns, turn)
    assert there.switch(session.current).turns == session.turns


@given(sessions(), st.integers(0, 6))
def test_back_to_a_turn_keeps_the_turns_until_it(session: Session, turn: int) -> None:
    if turn <= len(session.turns):
        assert session.back(turn).turns == session.turns[:turn]
    else:
        with pytest.raises(UsageError, match=f"no turn {turn}"):
            session.back(turn)


@pytest.fixture
def session(toy, album) -> Session:
    return Session.over(Feedback(load_method("sum", toy)), album)


def test_three_turns_over_a_gallery(session: Session) -> None:
    session = session.say("people", picture="beach").say("night")
    assert session.results.ids[0] == "beach night people"
    liked = session.like(1)
    assert liked.turns[-1] == Turn(liked=("beach night people",))
    assert session.results.ids[1] not in session.dislike(2).results.ids
    picked = session.pick("city night", "people")
    assert picked.turns[-1].picture == "city night"
    assert len(session.turns) == 2, "the old session is still what it was"


def test_a_pick_from_the_results_passes_over_the_others(session: Session) -> None:
    session = session.say("dog")
    shown = session.results.ids[:10]
    turn = session.pick(3).turns[-1]
    assert (turn.picture, turn.shown) == (shown[2], tuple(shown))
    assert session.pick("elsewhere.jpg").turns[-1] == Turn(picture="elsewhere.jpg")


def test_it_reads_as_it_was_said(session: Session) -> None:
    session = session.say("at night", picture="a/beach.jpg", without=("people",)).branch("cats").say("cat")
    assert session.history == ("beach.jpg, at night, not people", "cat")
    assert repr(session) == "Session(cats: 'beach.jpg, at night, not people' → 'cat', 1 more branch)"


def test_words_that_cannot_be_meant_are_errors(session: Session) -> None:
    with pytest.raises(UsageError, match="nothing to undo"):
        session.undo()
    with pytest.raises(UsageError, match="empty turn"):
        session.say("  ")
    with pytest.raises(UsageError, match="no result 99: there are 14"):
        session.say("dog").like(99)
    with pytest.raises(UsageError, match="no branch 'x': there are main"):
        session.switch("x")
    with pytest.raises(UsageError, match="already"):
        session.branch("main")
    with pytest.raises(UsageError, match="nothing to search"):
        _ = Session().say("dog").results


def test_the_file_is_readable_and_loads_with_its_search(session: Session, tmp_path: Path) -> None:
    session = session.say("dög", without=("red",)).branch("two").dislike(1)
    file = tmp_path / "s.json"
    session.save(file)
    assert '"text": "dög"' in file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]
    again = Session.load(file, search=session.search)
    assert again == session
    assert again.results == session.results


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ("[]", "not a saved session"),
        ('{"circlet": "session", "version": 99}', "version 99, and this circlet reads version 1"),
        ('{"circlet": "session", "version": 1}', "branches are not there"),
        ('{"circlet": "session", "version": 1, "branches": {"main": [{"colour": 1}]}}', "no colour"),
        ('{"circlet": "session", "version": 1, "branches": {"main": [3]}}', "cannot be read"),
        ('{"circlet": "session", "version": 1, "branches": {"x": []}}', "branch 'main' is not there"),
    ],
)
def test_a_damaged_file_says_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "s.json"
    file.write_text(content)
    with pytest.raises(DataError, match=message) as caught:
        Session.load(file)
    assert str(caught.value).startswith(str(file))


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone\.json: the session cannot be read"):
        Session.load(tmp_path / "gone.json")
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(DataError, match="cannot be saved there"):
        Session().save(tmp_path / "file" / "s.json")
