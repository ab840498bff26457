"""Texts to vectors: what was encoded once is not encoded again."""

import numpy as np

from circlet.models.encoders import sentences
from circlet.models.encoders.sentences import Sentences


def test_a_text_keeps_its_vector_whoever_asks_beside_it(monkeypatch) -> None:
    encoder = Sentences()
    first = encoder.texts(["a dog", "a red car", "a dog"])
    assert np.array_equal(first[0], first[2])
    assert not np.array_equal(first[0], first[1])
    monkeypatch.setattr(encoder, "_batch", lambda words: 1 / 0)
    assert np.array_equal(encoder.texts(["a red car", "a dog"]), first[[1, 0]])
    assert encoder.texts([]).shape == (0, sentences.DIM)


def test_what_is_kept_is_bounded() -> None:
    encoder = Sentences(kept=2)
    encoder.texts(["one", "two", "three"])
    encoder.texts(["four"])
    assert list(encoder._kept) == ["four"]
