"""Triplets from a benchmark, and batches that visit every query once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from circlet.core import Benchmark, DataError, Query, Turn
from circlet.models.features import Features
from circlet.train.tasks.triplets import Triplets, batches, hard_negatives


def test_a_benchmark_becomes_numbers(world: tuple[Benchmark, Features]) -> None:
    bench, features = world
    triplets = Triplets.of(bench, features.ids)
    assert len(triplets) == 24
    assert (triplets.references[4], triplets.targets[4], triplets.texts[4]) == (4, 6, ("night",))
    assert triplets.near[4].tolist() == [5, 7], "neither the reference nor the target is a negative"


def test_wordings_and_negatives_are_kept(world: tuple[Benchmark, Features]) -> None:
    bench, features = world
    first = replace(bench.cases[0], wordings=("now red", "red"), negatives=("5", "0-two"))
    more = replace(bench, cases=(first, *bench.cases[1:]))
    triplets = Triplets.of(more, features.ids)
    assert triplets.texts[0] == ("now red", "red")
    assert sorted(triplets.near[0].tolist()) == [2, 3, 20]
    assert triplets.near[1].tolist() == [1, 3, -1]


def test_a_query_without_words_cannot_be_trained_on(world: tuple[Benchmark, Features]) -> None:
    bench, features = world
    bare = replace(bench, cases=(replace(bench.cases[0], query=Query("0-red", (Turn(picture="0"),))),))
    with pytest.raises(DataError, match=r"query 0-red cannot be trained on; it needs a reference"):
        Triplets.of(bare, features.ids)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(2, 9), st.integers(0, 5))
def test_every_query_comes_once_and_batches_keep_to_one_group(
    groups: list[int], size: int, epoch: int
) -> None:
    made = batches(np.array(groups), size, seed=1, epoch=epoch)
    assert sorted(np.concatenate(made).tolist()) == list(range(len(groups)))
    for batch in made:
        assert len({groups[row] for row in batch}) == 1
        assert len(batch) < 2 * size


def test_queries_of_like_length_share_a_batch() -> None:
    lengths = np.tile([3, 30], 64)
    made = batches(np.zeros(128, np.int64), 8, seed=0, epoch=0, lengths=lengths)
    assert sorted(np.concatenate(made).tolist()) == list(range(128))
    assert sum(len(set(lengths[batch].tolist())) for batch in made) <= len(made) + 1


def test_the_order_is_the_seeds_and_the_epochs() -> None:
    groups = np.zeros(50, np.int64)
    first, again, later, other = (
        np.concatenate(batches(groups, 8, seed=seed, epoch=epoch)).tolist()
        for seed, epoch in ((0, 0), (0, 0), (0, 1), (1, 0))
    )
    assert first == again
    assert first != later
    assert first != other


def test_hard_negatives_are_drawn_from_the_row_without_repeats() -> None:
    near = np.array([[3, 4, 5, -1], [7, -1, -1, -1]])
    drawn = [hard_negatives(near, 2, np.random.default_rng(seed)) for seed in range(40)]
    assert {frozenset(one[0].tolist()) for one in drawn} == {frozenset(p) for p in ((3, 4), (3, 5), (4, 5))}
    assert all(one[1].tolist() == [7, -1] for one in drawn)
