"""What to say next: the expected drop of entropy by hand, and silence where nothing would help."""

import math

import numpy as np
import pytest

from circlet.dialogue.suggest import entropy, expected_gain, suggest

EVEN = np.full(4, 0.25)
WORDS = ["in the snow", "at night", "dog"]


def test_the_gain_is_the_expected_drop_of_entropy() -> None:
    belief = np.array([0.5, 0.25, 0.25])
    holds = np.array([[0.9, 0.2, 0.2]])
    yes = 0.5 * 0.9 + 0.5 * 0.2
    after = {
        "yes": [0.45 / yes, 0.05 / yes, 0.05 / yes],
        "no": [0.05 / (1 - yes), 0.2 / (1 - yes), 0.2 / (1 - yes)],
    }

    def bits(row: list[float]) -> float:
        return -sum(p * math.log2(p) for p in row)

    expected = 1.5 - yes * bits(after["yes"]) - (1 - yes) * bits(after["no"])
    assert expected_gain(belief, holds)[0] == pytest.approx(expected)
    assert entropy(belief[None])[0] == pytest.approx(1.5)


def test_what_splits_best_is_suggested_unless_it_was_said() -> None:
    holds = np.array([[1.0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]])
    (one,) = suggest(EVEN, holds, WORDS)
    assert (one.kind, one.words, one.gain) == ("splits", "in the snow", pytest.approx(1.0))
    (other,) = suggest(EVEN, holds, WORDS, said=["in the SNOW please"])
    assert other.words == "at night"


def test_nothing_is_suggested_where_little_would_be_learned() -> None:
    assert suggest(EVEN, np.full((3, 4), 0.5), WORDS) == []
    sure = np.array([0.97, 0.01, 0.01, 0.01])
    assert suggest(sure, np.array([[1.0, 0, 0, 0]] * 3), WORDS) == []


def test_what_the_chosen_share_and_the_rest_lack() -> None:
    holds = np.array([[0.1, 0.1, 0.1, 0.1], [0.5, 0.5, 0.5, 0.5], [0.9, 0.9, 0.9, 0.9]])
    chosen = np.array([[0.9, 0.8], [0.6, 0.6], [0.9, 0.9]])
    (one,) = suggest(EVEN, holds, WORDS, chosen=chosen)
    assert (one.kind, one.words) == ("shared", "in the snow")
    assert one.gain == pytest.approx(0.75)
