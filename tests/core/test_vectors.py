"""Arithmetic on rows against the slow way of doing the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.core import MismatchError, Vectors, best, blocks, ranks, same_space, unit


def test_rows_get_length_one_and_keep_their_direction() -> None:
    rows = unit(np.array([[3, 4], [0, -2]]))
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0, -1]], rtol=1e-6)
    assert rows.dtype == np.float32


def test_a_row_of_zeros_stays_zero() -> None:
    assert unit([[0.0, 0.0], [2.0, 0.0]]).tolist() == [[0, 0], [1, 0]]


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


@pytest.mark.parametrize("k", [0, -1])
def test_none_are_best_where_none_are_asked_for(k: int) -> None:
    assert best(np.array([1, 2], np.float32), k).tolist() == []


@given(st.integers(0, 50), st.integers(0, 40_000_000))
def test_blocks_cover_every_row_once_and_stay_small(rows: int, width: int) -> None:
    cut = blocks(rows, width)
    assert [row for part in cut for row in range(rows)[part]] == list(range(rows))
    for part in cut:
        count = part.stop - part.start
        assert count == 1 or count * width <= 16_000_000


def test_two_spaces_are_told_apart_with_the_remedy() -> None:
    same_space("toy:1", "toy:1")
    with pytest.raises(MismatchError) as refused:
        same_space("mine", "theirs")
    assert str(refused.value) == (
        "the gallery holds vectors of theirs, the method speaks mine: "
        "index it again with that encoder, or pick the encoder that made it"
    )


def test_what_has_no_number_for_a_score_is_no_candidate() -> None:
    scores = np.array([np.nan, 1, 2], np.float32)
    assert best(scores, 1).tolist() == [2]
    assert best(scores, 3).tolist() == [2, 1]
