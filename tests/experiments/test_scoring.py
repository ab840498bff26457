"""A scorer's word on results: which pictures it is asked about, and what becomes of its scores."""

from collections.abc import Sequence

import numpy as np
import pytest

from circlet.core import (
    Benchmark,
    Case,
    DataError,
    Gallery,
    Key,
    Pictures,
    Query,
    Ranking,
    Run,
    Scorer,
    Turn,
    Vectors,
)
from circlet.experiments.scoring import score_run, score_sets

GALLERY = Gallery("abcdr", np.eye(5, dtype=np.float32), "toy:1")


class Letters(Scorer):
    """a is worth 4, b 3, c 2, d 1; calibrated or not."""

    def __init__(self, *, likely: bool = False) -> None:
        self.fitted, self.asked = likely, list[list[str]]()

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        self.asked += [list(ids) for ids in candidates]
        return [np.array([ord("e") - ord(id) for id in ids], np.float32) for ids in candidates]

    def likely(self, scores: Vectors) -> Vectors | None:
        return scores / 4 if self.fitted else None


def bench(*pictures: str | None, exclude: tuple[str, ...] = ("r",)) -> Benchmark:
    cases = [
        Case(query=Query(str(number), (Turn(picture=picture, text="x"),)), truths=("a",), exclude=exclude)
        for number, picture in enumerate(pictures)
    ]
    return Benchmark(name="toy", split="val", cases=tuple(cases), galleries={"": tuple("abcdr")})


def run(**orders: str) -> Run:
    falling = np.arange(9, 0, -1)
    return Run(
        method="m",
        rankings={Key(id[1:]): Ranking(order, falling[: len(order)]) for id, order in orders.items()},
    )


def test_the_first_that_count_are_scored() -> None:
    scorer = Letters()
    found = score_run(run(q0="rbac", q1="dc"), bench("r", "r"), scorer, GALLERY, depth=3)
    # The reference is excluded and takes no place.
    assert scorer.asked == [["b", "a", "c"], ["d", "c"]]
    # A place that the run leaves empty has the worst score that anything got.
    assert found.table.tolist() == [[3, 4, 2], [1, 2, 1]]
    assert not found.likely


def test_probabilities_are_taken_where_they_were_fitted() -> None:
    found = score_run(run(q0="ab", q1="c"), bench("r", "r"), Letters(likely=True), GALLERY, depth=2)
    assert found.likely
    # Of a probability, nothing is 0.
    assert found.table.tolist() == [[1, 0.75], [0.5, 0]]


def test_a_query_that_is_not_ranked_scores_nothing_and_a_small_gallery_ends() -> None:
    found = score_run(run(q0="abcd"), bench("r", "r"), Letters(likely=True), GALLERY, depth=9)
    assert found.table[0, :4].tolist() == [1, 0.75, 0.5, 0.25]
    assert np.isnan(found.table[:, 4:]).all()
    assert found.first(9).tolist() == [0.625, 0]


def test_what_is_missing_is_left_out_and_told() -> None:
    part = GALLERY.subset("bcd")
    found = score_run(run(q0="abcd", q1="abcd"), bench(None, "r"), Letters(), part, depth=2)
    assert found.table[0].tolist() == [3, 2]
    assert np.isnan(found.table[1]).all()
    assert found.remarks == ("1 of 2 queries show a missing picture and are not scored",)


def test_a_run_of_subsets_has_no_first() -> None:
    apart = Run(method="m", subsets={Key("0"): Ranking("ab", [2, 1])})
    with pytest.raises(DataError, match="ranks no gallery"):
        score_run(apart, bench("r"), Letters(), GALLERY, depth=2)


def test_scores_that_are_none_are_refused() -> None:
    class Silent(Letters):
        def score(self, queries, candidates, pictures):  # type: ignore[no-untyped-def]
            return [np.full(len(ids), np.nan, np.float32) for ids in candidates]

    with pytest.raises(DataError, match="no number for each of 2 candidates of query 0"):
        score_run(run(q0="ab"), bench("r"), Silent(), GALLERY, depth=2)


def test_sets_are_scored_picture_by_picture() -> None:
    case = Case(query=Query("0", (Turn(picture="r"), Turn(text="x"))), truths=("a",), subset=tuple("dab"))
    toy = Benchmark(name="toy", split="val", cases=(case,), galleries={})
    found = score_sets(toy, Letters(), GALLERY, name="letters")
    assert found.method == "letters"
    assert found.subsets[Key("0", 2)] == Ranking("abd", [4, 3, 1])
