"""Features are made once, go on after a stop, are never stale, and ask for no lock to be read."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from circlet.core import BusyError, DataError, Vectors, unit
from circlet.index import open_store
from circlet.models import BaseEncoder
from circlet.models.features import Features, FeatureStore


class Counting(BaseEncoder):
    """An encoder of widths that counts what it was shown."""

    dim, size, name = 3, 8, "counting"

    def __init__(self, fingerprint: str = "count:1", breaks_at: int | None = None) -> None:
        self.fingerprint = fingerprint
        self.shown = 0
        self.breaks_at = breaks_at

    def prepare(self, picture: Image.Image) -> Any:
        return np.array([picture.width, 1, 7], np.float32)

    def encode_prepared(self, pictures: Vectors) -> Vectors:
        self.shown += len(pictures)
        if self.breaks_at is not None and self.shown > self.breaks_at:
            raise KeyboardInterrupt
        return unit(pictures)

    def tokens_prepared(self, pictures: Vectors) -> Vectors:
        return np.repeat(pictures[:, None, :2], 2500, axis=1)

    def texts(self, words: Any) -> Vectors:
        return np.zeros((len(words), 3), np.float32)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    folder = tmp_path / "pictures"
    folder.mkdir()
    paths = {f"p{number}": folder / f"{number}.png" for number in range(70)}
    for number, path in enumerate(paths.values()):
        Image.new("RGB", (number + 10, 9)).save(path)
    return paths


@pytest.fixture
def store(tmp_path: Path) -> FeatureStore:
    return FeatureStore(tmp_path / "kept")


def made(store: FeatureStore, files: dict[str, Path], encoder: Counting, **options: Any) -> Features:
    features, lost = store.features(files, encoder, **options)
    assert not lost
    return features


def test_made_once_and_read_again(store: FeatureStore, files: dict[str, Path]) -> None:
    encoder = Counting()
    told: list[tuple[int, int | None]] = []
    first = made(store, files, encoder, progress=lambda done, of: told.append((done, of)))
    again = made(store, files, encoder)
    assert encoder.shown == 70
    assert told == [(32, 70), (64, 70), (70, 70)]
    assert np.array_equal(first.vectors, again.vectors)
    assert np.allclose(again.vectors_of(["p3"]), unit([[13, 1, 7]]))
    assert again.open("p3").size == (13, 9)
    assert np.allclose(again.tokens_of(["p3"]), [[[13, 1]] * 16]), "made from the file, where none are kept"


def test_what_is_there_is_read_while_somebody_writes(store: FeatureStore, files: dict[str, Path]) -> None:
    made(store, files, Counting())
    with open_store(store.folder, write=True):
        encoder = Counting()
        assert len(made(store, files, encoder)) == 70
        assert encoder.shown == 0
        with pytest.raises(BusyError):
            store.features(files, Counting("count:2"))


def test_tokens_are_added_later_at_sixteen_places(store: FeatureStore, files: dict[str, Path]) -> None:
    encoder = Counting()
    made(store, files, encoder)
    more = made(store, files, encoder, tokens=True)
    assert encoder.shown == 70, "the vectors were there"
    assert np.allclose(more.tokens_of(["p9", "p0"]), [[[19, 1]] * 16, [[10, 1]] * 16])
    assert more.tokens is not None
    assert more.tokens[np.array([0])].dtype == np.float16
    fewer = more.subset(["p9", "p1"])
    assert np.allclose(fewer.tokens_of(["p1"]), [[[11, 1]] * 16]), "a subset keeps its tokens"


def test_vectors_and_tokens_of_other_sets_of_pictures_come_from_the_same_store(
    store: FeatureStore, files: dict[str, Path]
) -> None:
    made(store, files, Counting(), tokens=True)
    encoder = Counting()
    some = made(store, {"one": files["p3"], "two": files["p50"]}, encoder, tokens=True)
    assert encoder.shown == 0
    assert np.allclose(some.tokens_of(["two"]), [[[60, 1]] * 16])


def test_a_stopped_build_goes_on_where_it_was(store: FeatureStore, files: dict[str, Path]) -> None:
    with pytest.raises(KeyboardInterrupt):
        store.features(files, Counting(breaks_at=64))
    encoder = Counting()
    features = made(store, files, encoder)
    assert encoder.shown == 6
    assert np.allclose(features.vectors_of(["p0", "p69"]), unit([[10, 1, 7], [79, 1, 7]]))


def test_half_written_tokens_are_written_over(store: FeatureStore, files: dict[str, Path]) -> None:
    made(store, {"p0": files["p0"]}, Counting(), tokens=True)
    (file,) = store.folder.glob("tokens-*.f16")
    with file.open("ab") as cut:
        cut.write(b"half a row")
    more = made(store, files, Counting(), tokens=True)
    assert np.allclose(more.tokens_of(["p0", "p40"]), [[[10, 1]] * 16, [[50, 1]] * 16])


def test_another_encoder_or_a_changed_picture_is_made_again(
    store: FeatureStore, files: dict[str, Path]
) -> None:
    made(store, files, Counting())
    other = Counting("count:2")
    made(store, files, other)
    assert other.shown == 70
    Image.new("RGB", (99, 9)).save(files["p0"])
    changed = Counting()
    assert np.allclose(made(store, files, changed).vectors_of(["p0"]), unit([[99, 1, 7]]))
    assert changed.shown == 1


def test_what_cannot_be_opened_is_named_and_the_rest_is_there(
    store: FeatureStore, files: dict[str, Path]
) -> None:
    files["p4"].write_bytes(b"no picture")
    features, lost = store.features(files, Counting())
    assert len(features) == 69
    assert list(lost) == ["p4"]
    assert "4.png" in lost["p4"]


def test_a_gallery_of_vectors_says_what_it_does_not_have() -> None:
    bare = Features(["a"], np.ones((1, 3), np.float32), "count:1")
    with pytest.raises(DataError, match="known by their vectors alone"):
        bare.tokens_of(["a"])
    with pytest.raises(DataError, match="nobody said where this picture's file is"):
        bare.open("a")
