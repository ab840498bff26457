"""Ids with scores: pairs, slices, equality."""

import numpy as np
import pytest

from circlet.core import Ranking


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
