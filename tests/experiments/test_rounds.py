"""What rounds are measured by: ranks as they were counted, and a belief's Brier score by hand."""

import numpy as np
import pytest

from circlet.core import Benchmark, Case, Gallery, Method, Query, Turn
from circlet.dialogue.rounds import Played, Rules
from circlet.evaluate import FinalRecall, measure
from circlet.experiments.rounds import brier, judged_rounds


class Sure(Method):
    """Believes in the first picture with three quarters."""

    def scores(self, queries, gallery, *, pictures=None):  # type: ignore[no-untyped-def]
        return np.log(np.array([[0.75, 0.25]] * len(queries), np.float32)) + 5


def test_brier_is_the_squared_distance_to_the_truth() -> None:
    gallery = Gallery(["a", "b"], np.eye(2, dtype=np.float32), "toy:1")
    queries = [Query("1", (Turn(text="x"),)), Query("2", (Turn(text="y"),))]
    right, wrong = 2 * 0.25**2, 2 * 0.75**2
    assert brier(Sure(), queries[:1], ["a"], gallery) == pytest.approx(right)
    assert brier(Sure(), queries, ["a", "b"], gallery) == pytest.approx((right + wrong) / 2)


def test_the_best_of_several_truths_counts_once() -> None:
    case = Case(query=Query("1", (Turn(text="x"), Turn(text="y"))), truths=("b", "c"))
    bench = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "c")}, cases=(case,))
    played = Played(bench, Rules(), {"1": (3, 2)}, {})
    judged = judged_rounds(played)
    told = measure(judged, bench, [FinalRecall(turn=1) @ 2, FinalRecall @ 1, FinalRecall @ 2]).measures
    assert list(told.values()) == [0, 0, 100]
