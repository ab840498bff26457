"""The default composer: negation in plain words is felt, and the change decides the picture's share."""

import numpy as np
import pytest

from circlet.core import Query, Turn
from circlet.models import load_method
from circlet.models.composers.edits import SHARES, hear


def top(method, gallery, **turn) -> str:
    return method.rank([Query("q", (Turn(**turn),))], gallery, top=1)[0].ids[0]


@pytest.mark.parametrize(
    ("picture", "text", "found"),
    [
        ("beach night people", "without the people", "beach night"),
        ("beach night people", "remove the people", "beach night"),
        ("city people", "no people, night", "city night"),
        ("dog red", "a cat instead of the dog", "cat"),
        ("dog red", "not red but blue", "dog blue"),
        ("beach", "add people", "beach people"),
        ("dog", "but a cat", "cat"),
    ],
)
def test_the_change_is_heard(toy, album, picture: str, text: str, found: str) -> None:
    ranking = load_method("edits", toy).rank(
        [Query("q", (Turn(picture=picture, text=text),))], album, top=1, exclude=[[picture]]
    )
    assert ranking[0].ids == (found,)


def test_words_alone_are_searched_as_said_unless_they_take_away(toy, album) -> None:
    method = load_method("edits", toy)
    assert hear(Turn(text="make it a red dog")) == Turn(text="make it a red dog")
    assert top(method, album, text="a city at night") == "city night"
    rows = method.scores([Query("q", (Turn(text="beach without people"),))], album)[0]
    assert dict(zip(album.ids, rows, strict=True))["beach people"] < rows[album.ids.index("beach")] - 0.4


def test_the_picture_still_decides_among_what_the_words_leave_open(toy, album) -> None:
    method = load_method("edits", toy)
    for colour, other in (("red", "blue"), ("blue", "red")):
        ranking = method.rank([Query("q", (Turn(picture=f"dog {colour}", text="but a cat"),))], album)[0]
        assert ranking.ids.index(f"cat {colour}") < ranking.ids.index(f"cat {other}")


def test_the_users_word_on_balance_and_avoidance_stays(toy, album) -> None:
    turn = hear(Turn(picture="dog", text="but a cat", balance=0.9, without=("red",)))
    assert (turn.balance, turn.without) == (0.9, ("red",))
    assert hear(Turn(picture="dog", text="remove the cat", without=("red",))).without == ("red", "cat")


def test_a_picture_with_words_that_ask_nothing_is_itself(toy, album) -> None:
    assert top(load_method("edits", toy), album, picture="dog red", text="the same") == "dog red"


def test_the_share_follows_the_kind_of_change() -> None:
    assert hear(Turn(picture="a", text="but a cat")).balance == SHARES["replace"]
    assert hear(Turn(picture="a", text="add a cat")).balance == SHARES["add"]
    both = hear(Turn(picture="a", text="add a cat and make it red")).balance
    assert both == pytest.approx((SHARES["add"] + SHARES["colour"]) / 2)


def test_emphasis_survives_hearing(toy, album) -> None:
    method = load_method("edits", toy)
    turn = Turn(picture="beach", text="add people and make it night")
    plain, strong = method.turns([turn, Turn(**{**turn.to_dict(), "emphasis": (("night", 3.0),)})], album)
    night = toy.texts(["night"])[0]
    assert strong @ night > plain @ night + 0.05
    assert np.linalg.norm(strong) == pytest.approx(1, abs=1e-5)
