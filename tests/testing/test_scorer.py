"""The toy scorer: all turns are heard, and a probability rises with the score."""

import numpy as np

from circlet.core import Gallery, Query, Turn
from circlet.models import Sum
from circlet.testing import ToyEncoder, ToyScorer


def test_it_reranks_by_all_that_was_said_and_tells_how_likely(toy: ToyEncoder, album: Gallery) -> None:
    query = Query("q") + Turn(text="a dog") + Turn(text="in red")
    [found] = (Sum(toy) % 5 >> ToyScorer(toy, even=0.6)).rank([query], album)
    assert found.ids[0] == "dog red"
    assert found.relevance is not None
    assert list(found.relevance) == sorted(found.relevance, reverse=True)
    assert found.relevance[0] > 0.99
    assert np.array_equal(found[1:3].relevance, found.relevance[1:3])  # type: ignore[arg-type]
