"""Probabilities that were fitted on single turns: a history is heard as one, so that they hold."""

import numpy as np
import pytest

from circlet.core import Gallery, Query, Turn
from circlet.dialogue import with_history
from circlet.dialogue.histories import HISTORIES
from circlet.models import Sum
from circlet.models.scorers.relevance import Relevance
from circlet.testing import ToyEncoder


@pytest.mark.parametrize("history", list(HISTORIES))
def test_a_history_is_judged_as_the_same_said_at_once(toy: ToyEncoder, album: Gallery, history: str) -> None:
    fitted = Relevance(Sum(toy), 0.5, odds=(4.0, -3.0))
    method = with_history(Sum(toy) % 6 >> fitted, history)
    talk = Query("q") + Turn(text="a dog") + Turn(picture="dog") + Turn(text="in red") + Turn(liked=("cat",))
    [found] = method.rank([talk], album)
    at_once = Query("q") + Turn(picture="dog", text="a dog, in red")
    [scores] = fitted.score([at_once], [found.ids], album)
    assert np.allclose(found.scores, scores)
    assert found.ids[0] == "dog red"
    assert found.relevance is not None
    assert np.allclose(found.relevance, 1 / (1 + np.exp(3 - 4 * scores)))
    assert Relevance(Sum(toy), 0.5).likely(scores) is None
