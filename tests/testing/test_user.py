"""A user who follows a script, on a session over an album that can be read."""

import pytest

from circlet.core import Gallery, Turn, UsageError
from circlet.dialogue import Session
from circlet.dialogue.moves import Move
from circlet.models import load_method
from circlet.testing import ScriptedMove, ScriptedUser, ToyEncoder


@pytest.fixture
def session(toy: ToyEncoder, album: Gallery) -> Session:
    return Session.over(load_method("sum", toy), album)


def test_ranks_count_from_one() -> None:
    move = ScriptedMove(name="like", ranks=(1, 3)).move(["a", "b", "c"])
    assert move == Move(name="like", pictures=("a", "c"))


def test_a_scripted_move_says_all_that_a_move_says() -> None:
    scripted = ScriptedMove(name="pick", ranks=(2,), text="at night", turn=3, path="other")
    expected = Move(name="pick", pictures=("b",), text="at night", turn=3, path="other")
    assert scripted.move(["a", "b"]) == expected


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (ScriptedMove(name="say", text="at night"), "say at night"),
        (ScriptedMove(name="pick", ranks=(2,), text="at night"), "pick 2 at night"),
        (ScriptedMove(name="pick", ranks=(2,)), "pick 2"),
        (ScriptedMove(name="like", ranks=(1, 3)), "like 1 3"),
        (ScriptedMove(name="undo"), "undo"),
        (ScriptedMove(name="back", turn=2), "back to 2"),
        (ScriptedMove(name="branch", path="other"), "branch other"),
        (ScriptedMove(name="switch", path="main"), "switch main"),
    ],
)
def test_a_move_is_a_line_for_the_terminal(move: ScriptedMove, line: str) -> None:
    assert move.line == line


def test_a_user_goes_on_from_what_the_moves_before_have_found(session: Session) -> None:
    script = (
        ScriptedMove(name="say", text="dog"),
        ScriptedMove(name="pick", ranks=(2,), text="cat"),
        ScriptedMove(name="dislike", ranks=(1,)),
    )
    said, picked, disliked = ScriptedUser(script).sessions(session)
    assert said.results.ids[:3] == ("dog", "dog red", "dog blue")
    assert picked.turns[-1].picture == "dog red"
    assert disliked.turns[-1] == Turn(disliked=(picked.results.ids[0],))
    assert picked.results.ids[0] not in disliked.results.ids
    assert session.turns == (), "the session it began with is as it was"


def test_a_user_without_a_script_does_nothing(session: Session) -> None:
    assert list(ScriptedUser(()).sessions(session)) == []


def test_words_alone_need_no_results_and_ranks_do() -> None:
    words = ScriptedMove(name="say", text="dog")
    assert [after.history for after in ScriptedUser((words,)).sessions(Session())] == [("dog",)]
    with pytest.raises(UsageError, match="nothing to search"):
        list(ScriptedUser((words, ScriptedMove(name="like", ranks=(1,)))).sessions(Session()))


@pytest.mark.parametrize("seed", range(5))
def test_a_random_user_is_the_same_for_a_seed(seed: int) -> None:
    user = ScriptedUser.at_random(seed, length=10, results=3)
    assert user == ScriptedUser.at_random(seed, length=10, results=3)
    assert user != ScriptedUser.at_random(seed + 1, length=10, results=3)


@pytest.mark.parametrize("seed", range(20))
def test_a_random_user_begins_with_words_and_looks_at_no_more_than_the_results(seed: int) -> None:
    script = ScriptedUser.at_random(seed, length=10, results=3).script
    assert len(script) == 10
    assert script[0].name == "say"
    assert {rank for move in script for rank in move.ranks} <= {1, 2, 3}


def test_random_users_between_them_do_everything_there_is_to_do() -> None:
    done = {move.name for seed in range(20) for move in ScriptedUser.at_random(seed).script}
    marks = {"say", "pick", "like", "dislike", "strike", "turn", "also", "instead", "edit", "drop"}
    assert done == marks | {"undo", "back", "branch", "switch"}
