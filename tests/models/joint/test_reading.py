"""How familiar words are to a head that was taught some."""

import numpy as np

from circlet.models.joint.reading import embedded, familiar, taught


def test_taught_words_are_familiar_and_so_are_their_kin_but_no_strangers() -> None:
    known = embedded(taught(["a pair of shoes", "two red boats, on the sea"]))
    said = ["shoes", "a shoe", "sneakers", "the boat", "a Tamworth pig", "violins", "shoes and a violin", ""]
    shoes, shoe, sneakers, boat, pig, violins, half, nothing = familiar(said, known)
    assert shoes == nothing == 1
    assert min(shoe, boat) > 0.9
    assert 0.5 < sneakers < 1
    assert max(pig, violins) < 0.2
    np.testing.assert_allclose(half, (1 + violins) / 2, atol=0.1)


def test_what_is_said_most_often_is_kept_first() -> None:
    assert taught(["dogs", "dogs and cats"], 1) == taught(["dogs"])
    assert len(taught([])) == 0
    assert familiar(["dogs"], embedded(taught([]))).tolist() == [0]
