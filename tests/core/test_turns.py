"""What a turn may say, and that a query is a history which nobody can change."""

import pytest

from circlet.core import Query, Turn, UsageError


def test_a_turn_survives_a_round_trip_through_json_values() -> None:
    turn = Turn(picture="p", text="t", without=("people",), emphasis=(("night", 2.0),), liked=("x",))
    assert Turn.from_dict(turn.to_dict()) == turn
    assert eval(repr(turn)) == turn
    with pytest.raises(UsageError, match="no colour"):
        Turn.from_dict({"colour": "red"})


def test_what_was_not_said_is_not_written() -> None:
    assert Turn(text="at night", balance=0.0).to_dict() == {"text": "at night", "balance": 0.0}
    assert Turn().to_dict() == {}
    assert repr(Turn()) == "Turn()"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("picture", 3),
        ("text", ["a"]),
        ("text", None),
        ("balance", "half"),
        ("liked", "a.jpg"),
        ("shown", [1]),
        ("without", {}),
        ("emphasis", [["night"]]),
        ("emphasis", [["night", "much"]]),
        ("emphasis", 2),
    ],
)
def test_a_turn_of_the_wrong_shape_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"a turn's {field}"):
        Turn.from_dict({field: value})


def test_a_weight_is_a_number() -> None:
    with pytest.raises(UsageError, match="the weight of 'night' is a number"):
        Turn(text="night", emphasis=(("night", float("nan")),))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_balance_is_a_share(share: float) -> None:
    with pytest.raises(UsageError, match=r"balance is a share from 0 \(words\) to 1 \(picture\)"):
        Turn(picture="a", balance=share)


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_all_words_and_all_picture_are_shares(share: float) -> None:
    assert Turn(picture="a", balance=share).balance == share


@pytest.mark.parametrize(
    "said", [{"text": "\udcff"}, {"without": ("\udcff",)}, {"emphasis": (("\udcff", 2.0),)}]
)
def test_bytes_that_are_no_text_are_refused_wherever_they_stand(said: dict) -> None:
    with pytest.raises(UsageError, match="not valid text: write it in UTF-8"):
        Turn(**said)


@pytest.mark.parametrize("said", [{}, {"text": " \n"}, {"shown": ("a",)}, {"balance": 0.5}])
def test_a_turn_that_asks_for_nothing_is_empty(said: dict) -> None:
    assert Turn(**said).empty


@pytest.mark.parametrize("field", ["picture", "text", "without", "liked", "disliked"])
def test_a_turn_that_asks_for_anything_is_not_empty(field: str) -> None:
    assert not Turn(**{field: "a" if field in ("picture", "text") else ("a",)}).empty


def test_a_query_is_immutable_history() -> None:
    first = Query("q") + Turn(picture="a")
    second = first + Turn(text="at night", liked=("b",), disliked=("a",))
    assert (len(first.turns), len(second.turns)) == (1, 2)
    assert second.undo() == first == second.until(1)
    assert second.pictures == ("a", "b")
    with pytest.raises(UsageError, match="no turn yet"):
        _ = Query("q").last


def test_undoing_an_empty_query_leaves_it_empty() -> None:
    assert Query("q").undo() == Query("q") == (Query("q") + Turn(text="a")).until(0)


def test_a_query_names_each_of_its_pictures_once_in_the_order_they_came() -> None:
    first = Turn(picture="c", shown=("e", "a"), disliked=("d",), liked=("b",))
    assert Query("q", (first, Turn(picture="a", text="red"), Turn(liked=("f",)))).pictures == tuple("cbdeaf")


def test_a_query_without_history_is_plain() -> None:
    first = Query("q") + Turn(picture="a", text="red", without=("people",))
    assert first.plain
    assert not (first + Turn(text="at night")).plain
    assert not Query("q", (Turn(text="red", liked=("a",)),)).plain
    assert not Query("q", (Turn(text="red", disliked=("a",)),)).plain
    assert not Query("q").plain
