"""Turns, galleries, ranks and the three operators, on cases small enough to check by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.core import (
    Beside,
    Composer,
    Contributions,
    DataError,
    Gallery,
    Label,
    MismatchError,
    Pictures,
    Query,
    Scorer,
    Turn,
    UsageError,
    Vectors,
    best,
    ranks,
    unit,
)


class Same(Composer):
    """The query is its last turn's picture."""

    def __init__(self, fingerprint: str = "toy:1") -> None:
        self.fingerprint = fingerprint

    def turns(self, turns: list[Turn], pictures: Pictures) -> Vectors:
        return pictures.vectors_of([turn.picture or "" for turn in turns])


class Longest(Scorer):
    def score(self, queries, candidates, pictures):
        return [np.array([len(id) for id in ids], np.float32) for ids in candidates]


@pytest.fixture
def gallery() -> Gallery:
    rows = unit([[1, 0], [0.9, 0.1], [0, 1], [-1, 0]])
    return Gallery(["a", "bb", "ccc", "dddd"], rows, "toy:1")


def ask(picture: str) -> list[Query]:
    return [Query("q", (Turn(picture=picture),))]


def test_a_turn_survives_a_round_trip_through_json_values() -> None:
    turn = Turn(picture="p", text="t", without=("people",), emphasis=(("night", 2.0),), liked=("x",))
    assert Turn.from_dict(turn.to_dict()) == turn
    assert eval(repr(turn)) == turn
    with pytest.raises(UsageError, match="no colour"):
        Turn.from_dict({"colour": "red"})


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


def test_a_query_is_immutable_history() -> None:
    first = Query("q") + Turn(picture="a")
    second = first + Turn(text="at night", liked=("b",), disliked=("a",))
    assert (len(first.turns), len(second.turns)) == (1, 2)
    assert second.undo() == first == second.until(1)
    assert second.pictures == ("a", "b")
    with pytest.raises(UsageError, match="no turn yet"):
        _ = Query("q").last


def test_rank_excludes_and_keeps_order(gallery: Gallery) -> None:
    ranking = Same().rank(ask("a"), gallery, exclude=[["a", "stranger"]], top=2)[0]
    assert ranking.ids == ("bb", "ccc")


def test_cut_then_rerank_scores_only_what_was_kept(gallery: Gallery) -> None:
    ranking = (Same() % 3 >> Longest()).rank(ask("a"), gallery)[0]
    assert ranking.ids == ("ccc", "bb", "a")
    with pytest.raises(UsageError, match="at least one"):
        Same() % 0


def test_fusing_a_method_with_itself_keeps_its_order(gallery: Gallery) -> None:
    assert (Same() + Same()).rank(ask("a"), gallery)[0].ids == Same().rank(ask("a"), gallery)[0].ids


def test_fusing_gives_the_worst_score_to_what_one_method_cut(gallery: Gallery) -> None:
    ranking = (Same() % 1 + Same() % 2).rank(ask("a"), gallery)[0]
    assert ranking.ids == ("a", "bb")


def test_vectors_of_two_encoders_never_meet(gallery: Gallery) -> None:
    with pytest.raises(MismatchError, match="index it again"):
        Same("other:2").rank(ask("a"), gallery)
    with pytest.raises(MismatchError):
        Beside(gallery, Gallery(["x"], np.ones((1, 2), np.float32), "other:2"))


def test_unknown_and_doubled_ids_are_named(gallery: Gallery) -> None:
    with pytest.raises(DataError, match="not in the gallery: zebra"):
        gallery.subset(["a", "zebra"])
    with pytest.raises(DataError, match="more than once: a"):
        Gallery(["a", "a"], np.ones((2, 2), np.float32), "toy:1").rows_of(["a"])
    with pytest.raises(DataError, match="not in the gallery: zebra"):
        Beside(gallery).vectors_of(["a", "zebra"])


def test_a_target_without_a_number_ranks_last() -> None:
    scores = np.array([[np.nan, 1, 2], [-np.inf, 1, 2], [3, 1, 2]], np.float32)
    assert ranks(scores, np.array([0, 0, 0])).tolist() == [3, 3, 1]


scores_strategy = st.lists(
    st.one_of(st.just(-np.inf), st.integers(-3, 3).map(float)), min_size=1, max_size=30
).map(lambda row: np.array(row, np.float32))


@given(scores_strategy, st.integers(0, 40))
def test_best_agrees_with_a_stable_sort(row: Vectors, k: int) -> None:
    order = [i for i in sorted(range(len(row)), key=lambda i: (-row[i], i)) if row[i] > -np.inf]
    assert best(row, k).tolist() == order[:k]


@given(scores_strategy)
def test_ranks_agree_with_counting_one_by_one(row: Vectors) -> None:
    for target in range(len(row)):
        ahead = sum(other >= row[target] for i, other in enumerate(row) if i != target)
        expected = ahead + 1 if row[target] > -np.inf else len(row)
        assert ranks(row[None], np.array([target])).tolist() == [expected]


def test_what_leads_away_is_no_part_of_what_is_wanted() -> None:
    terms = [(0, Label("words", "dog")), (0, Label("without", "cat")), (1, Label("disliked", "a.jpg"))]
    parts = Contributions.of(2, terms, np.array([[2.0, 1.0], [0.0, -1.0], [-1.0, 0.0]]))
    assert parts.sums().tolist() == [[2, 0], [-1, 0]]
    assert parts.wanted().tolist() == [[2, 1], [0, 0]]
