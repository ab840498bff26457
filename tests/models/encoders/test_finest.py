"""The built-in encoder with 49 places beside it: colours where they are, and the same words as ever."""

import numpy as np
import pytest
from PIL import Image

from circlet.models import load_encoder
from circlet.models.encoders import colours
from circlet.models.encoders.builtin import DIM, Builtin
from circlet.models.encoders.finest import CHANNELS, Finest


@pytest.fixture(scope="module")
def encoder() -> Finest:
    return Finest()


def drawn(colour: str, left: int) -> Image.Image:
    picture = Image.new("RGB", (224, 224), "white")
    picture.paste(colour, (left, 96, left + 32, 128))
    return picture


def test_words_find_what_they_find_with_builtin(encoder: Finest) -> None:
    pictures, words = [drawn("red", 0), drawn("blue", 0)], ["red", "a dog", ""]
    rows = encoder.images(pictures)
    assert rows.shape == (2, encoder.dim)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    found = encoder.texts(words) @ rows.T
    plain = Builtin().texts(words) @ Builtin().images(pictures).T
    np.testing.assert_allclose(found, plain * np.sqrt(0.8), atol=1e-4)
    both, tokens = encoder.both_prepared(np.stack([encoder.prepare(one) for one in pictures]))
    np.testing.assert_allclose(both, rows, atol=1e-6)
    assert tokens.shape == (2, 49, 1280)
    assert load_encoder("finest").fingerprint == encoder.fingerprint


def test_a_colour_is_seen_where_it_is(encoder: Finest) -> None:
    left, right = encoder.images([drawn("red", 0), drawn("red", 192)])[:, DIM:].reshape(2, 49, CHANNELS)
    shades = slice(CHANNELS - colours.SHADES, None)
    changed = np.square(left - right)[:, shades].sum(axis=1).reshape(7, 7)
    assert set(np.argsort(-changed.ravel())[:2]) == {3 * 7, 3 * 7 + 6}
