"""Both halves in deviations over the gallery: neither drowns the other because its scores spread wider."""

import numpy as np
import pytest

from circlet.core import Gallery, Query, Turn
from circlet.models.composers.balanced import Balanced
from circlet.models.standards import Standards, standards_of


class Loud:
    """Two axes of things that hardly differ between pictures, and one of a word that differs a lot."""

    fingerprint, dim = "loud:1", 3

    def texts(self, words):
        return np.array([[0, 0, 1.0]] * len(words), np.float32)

    def images(self, pictures):
        raise NotImplementedError

    def __repr__(self) -> str:
        return "Loud()"


@pytest.fixture
def gallery() -> Gallery:
    rng = np.random.default_rng(0)
    things = np.repeat([[0.9, 0.1], [0.1, 0.9]], 20, axis=0) * 0.1
    snow = rng.normal(0, 1, size=(40, 1))
    snow[0] = snow[20] = 0
    rows = np.concatenate([things, snow], axis=1).astype(np.float32)
    return Gallery([f"{'dog' if n < 20 else 'ski'} {n}" for n in range(40)], rows, "loud:1")


def test_a_picture_is_heard_beside_loud_words(gallery: Gallery) -> None:
    query = Query("q", (Turn(picture="dog 0", text="in the snow"),))
    ids = Balanced(Loud()).rank([query], gallery, top=6, exclude=[["dog 0"]])[0].ids
    assert sum(id.startswith("dog") for id in ids) >= 5
    snow = gallery.vectors_of(ids)[:, 2]
    assert snow.mean() > gallery.vectors[:20, 2].mean()


def test_parts_add_up_and_a_batch_is_what_each_turn_is_alone(toy, album) -> None:
    method = Balanced(toy)
    turns = [
        Turn(picture="beach", text="at night"),
        Turn(text="a dog"),
        Turn(picture="dog", without=("red",)),
    ]
    together = method.turns(turns, album)
    np.testing.assert_allclose(together, np.concatenate([method.turns([t], album) for t in turns]), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_a_gallery_of_a_few_has_no_standards(toy, album) -> None:
    assert standards_of(album.subset(["beach", "dog"])) is None
    here = standards_of(album)
    assert here is not None
    scores = here.scores(toy.texts(["night"]), album.vectors)
    np.testing.assert_allclose([scores.mean(), scores.std()], [0, 1], atol=1e-5)


def test_what_all_pictures_share_alike_does_not_divide_by_nothing() -> None:
    flat = Standards(np.ones((9, 2), np.float32))
    assert np.isfinite(flat.scores(np.ones((1, 2), np.float32), np.ones((3, 2), np.float32))).all()
