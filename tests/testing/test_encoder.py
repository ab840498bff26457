"""An encoder whose space can be read off."""

import numpy as np

from circlet.core import Encoder, Gallery
from circlet.testing import ToyEncoder
from circlet.testing.encoder import WORDS


def test_every_word_has_an_axis_of_its_own(toy: ToyEncoder) -> None:
    assert toy.texts(WORDS).tolist() == np.eye(len(WORDS)).tolist()
    assert toy.dim == len(WORDS)


def test_words_are_counted_whatever_stands_between_them(toy: ToyEncoder) -> None:
    [row] = toy.texts(["A red dog, and another DOG!"])
    np.testing.assert_allclose(row[[WORDS.index("dog"), WORDS.index("red")]], [0.8**0.5, 0.2**0.5], rtol=1e-6)
    assert np.count_nonzero(row) == 2


def test_a_part_of_a_word_is_no_word(toy: ToyEncoder) -> None:
    assert not toy.texts(["cathedral, hotdog", "", "nothing that it knows"]).any()


def test_rows_have_length_one(toy: ToyEncoder) -> None:
    rows = toy.texts(["beach night people", "dog dog cat"])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)
    assert rows.dtype == np.float32


def test_no_texts_give_no_rows(toy: ToyEncoder) -> None:
    assert toy.texts([]).shape == toy.images([]).shape == (0, len(WORDS))


def test_a_picture_is_what_it_is_named_by(toy: ToyEncoder) -> None:
    np.testing.assert_array_equal(toy.images(["beach night"]), toy.texts(["beach night"]))


def test_a_gallery_shows_what_its_pictures_are_named_by(toy: ToyEncoder) -> None:
    gallery = toy.gallery("dog red", "cat")
    assert isinstance(gallery, Gallery)
    assert gallery.ids == ("dog red", "cat")
    assert gallery.fingerprint == toy.fingerprint
    assert gallery.search(toy.texts(["cat"]), top=1)[0].ids == ("cat",)


def test_it_is_an_encoder_that_pastes_back(toy: ToyEncoder) -> None:
    assert isinstance(toy, Encoder)
    assert repr(toy) == "ToyEncoder()"
