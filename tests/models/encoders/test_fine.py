"""The built-in encoder with a grid beside it: the same where words speak, places where they do not."""

import numpy as np
import pytest
from PIL import Image

from circlet.models import load_encoder
from circlet.models.encoders.builtin import DIM, Builtin
from circlet.models.encoders.fine import PLACES, Fine


@pytest.fixture(scope="module")
def encoder() -> Fine:
    return Fine()


def drawn(*corners: tuple[int, int]) -> Image.Image:
    picture = Image.new("RGB", (224, 224), "white")
    for corner in corners:
        picture.paste("red", (*corner, corner[0] + 60, corner[1] + 60))
    return picture


def test_its_rows_are_the_builtin_ones_with_places_beside_them(encoder: Fine) -> None:
    pictures = [drawn((10, 80)), drawn((150, 80))]
    rows, plain = encoder.images(pictures), Builtin().images(pictures)
    assert rows.shape == (2, encoder.dim) == (2, DIM + PLACES)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(rows[:, :DIM], plain * np.sqrt(0.9), atol=1e-4)


def test_words_find_what_they_find_with_builtin(encoder: Fine) -> None:
    words, pictures = ["red", "a dog", ""], [drawn((10, 80)), Image.new("RGB", (50, 50), "blue")]
    found, plain = encoder.texts(words) @ encoder.images(pictures).T, Builtin().texts(words)
    np.testing.assert_allclose(found, plain @ Builtin().images(pictures).T * np.sqrt(0.9), atol=1e-4)
    np.testing.assert_allclose(
        encoder.cutoffs(encoder.texts(words)), Builtin().cutoffs(plain) * np.sqrt(0.9), atol=1e-5
    )
    assert not encoder.texts(words)[:, DIM:].any()


def test_a_thing_elsewhere_is_seen_elsewhere(encoder: Fine) -> None:
    """Places are in reading order: what changes is where the thing was and where it went."""
    pictures = [drawn((10, 80)), drawn((150, 80)), drawn()]
    left, right, none = encoder.images(pictures)[:, DIM:].reshape(3, -1, 4, 4)
    at_left, at_right = (np.square(seen - none).sum(axis=(0, 1)) for seen in (left, right))
    assert at_left[:2].sum() > 2 * at_left[2:].sum()
    assert at_right[2:].sum() > 2 * at_right[:2].sum()


def test_it_goes_by_its_name_and_its_own_fingerprint(encoder: Fine) -> None:
    assert load_encoder("fine").fingerprint == encoder.fingerprint != Builtin().fingerprint
    assert encoder.images([]).shape == encoder.texts([]).shape == (0, encoder.dim)
    vectors, tokens = encoder.both_prepared(encoder.prepare(drawn())[None])
    assert vectors.shape == (1, encoder.dim)
    assert tokens.shape == (1, 49, 1280)
