"""Ids with scores: pairs, slices, equality."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from circlet.core import Ranking
from circlet.core.ranking import all_as_written


def test_a_ranking_iterates_as_pairs() -> None:
    assert list(Ranking(["b", "a"], [0.5, 0.25])) == [("b", 0.5), ("a", 0.25)]
    assert len(Ranking(["b", "a"], [0.5, 0.25])) == 2


def test_every_id_has_a_score() -> None:
    with pytest.raises(ValueError, match="2 ids but 1 scores"):
        Ranking(["b", "a"], [0.5])


def test_a_slice_keeps_what_was_wanted() -> None:
    wanted = np.array([1, 0], np.float32)
    first = Ranking(["b", "a"], [0.5, 0.25], wanted=wanted)[:1]
    assert first == Ranking(["b"], [0.5])
    assert first.wanted is wanted
    assert Ranking(["b"], [0.5])[:1].wanted is None


def test_a_slice_keeps_how_likely_each_is() -> None:
    likely = np.array([0.75, 0.25], np.float32)
    ranking = Ranking(["b", "a"], [0.5, 0.25], relevance=likely)
    last = ranking[1:].relevance
    assert last is not None
    assert last.tolist() == [0.25]
    assert Ranking(["b"], [0.5])[:1].relevance is None
    with pytest.raises(ValueError, match=r"2 ids but probabilities \(1,\)"):
        Ranking(["b", "a"], [0.5, 0.25], relevance=likely[:1])


def test_rankings_are_equal_by_ids_and_scores() -> None:
    ranking = Ranking(["b", "a"], [0.5, 0.25])
    assert ranking == Ranking(("b", "a"), np.array([0.5, 0.25]))
    assert ranking != Ranking(["a", "b"], [0.5, 0.25])
    assert ranking != Ranking(["b", "a"], [0.5, 0.5])
    assert ranking != ["b", "a"]


def test_a_ranking_is_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Ranking([], []))


def test_a_ranking_pastes_back() -> None:
    ranking = Ranking(["b", "it's"], [0.5, -0.25])
    assert repr(ranking) == """Ranking(['b', "it's"], [0.5, -0.25])"""
    assert eval(repr(ranking)) == ranking


finite = st.floats(allow_nan=False)
singles = st.floats(allow_nan=False, width=32).map(lambda value: float(str(np.float32(value))))
short = st.builds(lambda value, digits: float(f"{value:.{digits}e}"), finite, st.integers(4, 10))
powers = st.integers(-140, 120).map(lambda power: float(f"{2.0**power:.8g}"))


@given(st.lists(st.lists(finite | singles | short | powers, max_size=4), max_size=4))
@example([[1290425.125], [0.1, 0.05], [], [-3.0, 0.0, 1e-45], [16777217.0]])
def test_many_lists_are_read_as_each_by_its_decimals(lists: list[list[float]]) -> None:
    for values, scores in zip(lists, all_as_written(lists), strict=True):
        with np.errstate(over="ignore"):
            single = np.array(values, np.float64).astype(np.float32)
        said = [float(str(value)) for value in single] == values
        assert scores.dtype == (np.float32 if said else np.float64)
        assert scores.tolist() == (single.tolist() if said else values)
