"""Several sources of pictures as one, and the errors of pictures that are nowhere."""

from collections.abc import Sequence

import numpy as np
import pytest

from circlet.core import Beside, DataError, Gallery, MismatchError, Pictures, Vectors, missing


class Drawn(Gallery):
    """A gallery that can show its pictures: every number in it is the source's own."""

    def __init__(self, number: int, *ids: str) -> None:
        super().__init__(ids, np.full((len(ids), 2), number, np.float32), "toy:1")
        self.number = number

    def tokens_of(self, ids: Sequence[str]) -> Vectors:
        self.rows_of(ids)
        return np.full((len(ids), 3, 1), self.number, np.float32)

    def open(self, id: str, side: int | None = None) -> object:
        return self.number, id, side


@pytest.fixture
def both() -> Beside:
    return Beside(Drawn(1, "new", "shared"), Drawn(2, "a", "shared", "b"))


def test_the_first_source_that_has_a_picture_answers_for_it(both: Beside) -> None:
    assert both.vectors_of(["a", "shared", "new"]).tolist() == [[2, 2], [1, 1], [1, 1]]
    assert both.tokens_of(["shared", "b"])[:, :, 0].tolist() == [[1, 1, 1], [2, 2, 2]]
    assert both.open("shared", 64) == (1, "shared", 64)
    assert both.open("b") == (2, "b", None)


def test_rows_come_in_the_order_of_the_ids_however_often_they_are_asked_for() -> None:
    first = Gallery(["a", "b"], np.array([[1, 0], [2, 0]], np.float32), "toy:1")
    second = Gallery(["c", "d"], np.array([[3, 0], [4, 0]], np.float32), "toy:1")
    both = Beside(first, second)
    assert both.vectors_of(["d", "a", "c", "b", "d"])[:, 0].tolist() == [4, 1, 3, 2, 4]
    assert both.vectors_of(["d", "c"])[:, 0].tolist() == [4, 3], "all from one source"


def test_no_ids_give_no_rows(both: Beside) -> None:
    assert both.vectors_of([]).shape == (0, 2)
    assert both.tokens_of([]).shape == (0, 3, 1)


def test_pictures_of_any_source_are_there(both: Beside) -> None:
    assert [id for id in ("new", "shared", "a", "b", "zebra") if id in both] == ["new", "shared", "a", "b"]


def test_a_picture_that_no_source_has_is_named(both: Beside, gallery: Gallery) -> None:
    for ids in (["zebra"], ["new", "zebra"], ["a", "zebra"], ["new", "a", "zebra"]):
        with pytest.raises(DataError, match="not in the gallery: zebra"):
            both.vectors_of(ids)
    with pytest.raises(DataError, match="not in the gallery: zebra"):
        Beside(gallery).vectors_of(["a", "zebra"])


def test_what_the_first_source_cannot_give_is_not_taken_from_the_second(gallery: Gallery) -> None:
    both = Beside(gallery, Drawn(1, "a", "new"))
    with pytest.raises(DataError, match="known by their vectors alone"):
        both.tokens_of(["a"])
    assert both.tokens_of(["new"]).shape == (1, 3, 1)


def test_vectors_of_two_encoders_are_never_beside_each_other(gallery: Gallery) -> None:
    with pytest.raises(MismatchError):
        Beside(gallery, Gallery(["x"], np.ones((1, 2), np.float32), "other:2"))
    with pytest.raises(MismatchError, match=r"other:2.*toy:1"):
        Beside(gallery, gallery, Gallery(["x"], np.ones((1, 2), np.float32), "other:2"))


def test_sources_beside_each_other_are_a_source(both: Beside, gallery: Gallery) -> None:
    assert isinstance(both, Pictures)
    assert both.fingerprint == "toy:1"
    assert Beside(both, gallery).vectors_of(["new", "ccc"]).tolist() == [[1, 1], [0, 1]]


def test_missing_pictures_are_named_once_each_and_no_more_than_five() -> None:
    assert str(missing(["a", "x", "y", "x"], {"a"})) == "not in the gallery: x, y"
    assert str(missing(list("tuvwxyz"), "z")) == "not in the gallery: t, u, v, w, x and 1 more"
