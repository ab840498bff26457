"""Features are made once, go on after a stop, and are never stale."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from circlet.core import DataError, unit
from circlet.train import features as module
from circlet.train.features import cached


class Counting:
    """An encoder of file sizes that counts what it was shown."""

    def __init__(self, fingerprint: str = "count:1", breaks_at: int | None = None) -> None:
        self.fingerprint = fingerprint
        self.shown = 0
        self.breaks_at = breaks_at

    def images(self, pictures: list[bytes]) -> Any:
        self.shown += len(pictures)
        if self.breaks_at is not None and self.shown > self.breaks_at:
            raise KeyboardInterrupt
        return unit(np.array([[len(picture), 1, 7] for picture in pictures]))

    def both(self, pictures: list[bytes]) -> Any:
        return self.images(pictures), self.tokens(pictures)

    def tokens(self, pictures: list[bytes]) -> Any:
        return np.arange(len(pictures) * 50 * 50 * 2, dtype=np.float32).reshape(len(pictures), 2500, 2)


@pytest.fixture
def images(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.setattr(module, "BLOCK", 4)
    folder = tmp_path / "pictures"
    folder.mkdir()
    paths = {f"p{number}": folder / f"{number}.png" for number in range(10)}
    for number, path in enumerate(paths.values()):
        path.write_bytes(b"x" * (number + 1))
    return paths


def made(images: dict[str, Path], encoder: Counting, tmp_path: Path, **options: Any) -> Any:
    return cached(images, encoder, Path.read_bytes, folder=tmp_path / "cache", **options)


def test_made_once_and_read_again(images: dict[str, Path], tmp_path: Path) -> None:
    encoder = Counting()
    told: list[tuple[int, int]] = []
    first = made(images, encoder, tmp_path, progress=lambda done, of: told.append((done, of)))
    again = made(images, encoder, tmp_path)
    assert encoder.shown == 10
    assert told == [(4, 10), (8, 10), (10, 10)]
    assert np.array_equal(first.vectors, again.vectors)
    assert np.allclose(again.vectors_of(["p3"]), unit([[4, 1, 7]]), atol=1e-3)
    assert np.allclose(np.linalg.norm(again.vectors, axis=1), 1, atol=1e-6)
    with pytest.raises(DataError, match="made without spatial tokens"):
        again.tokens_of(["p3"])


def test_tokens_are_added_later_at_sixteen_places(images: dict[str, Path], tmp_path: Path) -> None:
    encoder = Counting()
    made(images, encoder, tmp_path)
    more = made(images, encoder, tmp_path, tokens=True)
    assert encoder.shown == 10, "the vectors were there"
    assert more.tokens_of(["p9", "p0"]).shape == (2, 16, 2)
    assert more.tokens.dtype == np.float16


def test_vectors_and_tokens_come_from_one_pass(images: dict[str, Path], tmp_path: Path) -> None:
    encoder = Counting()
    features = made(images, encoder, tmp_path, tokens=True)
    assert encoder.shown == 10
    assert features.tokens_of(["p3"]).shape == (1, 16, 2)
    assert np.allclose(features.vectors_of(["p3"]), unit([[4, 1, 7]]), atol=1e-3)


def test_a_stopped_build_goes_on_where_it_was(images: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        made(images, Counting(breaks_at=8), tmp_path)
    encoder = Counting()
    features = made(images, encoder, tmp_path)
    assert encoder.shown == 2
    assert np.allclose(features.vectors_of(["p0", "p9"]), unit([[1, 1, 7], [10, 1, 7]]), atol=1e-3)


def test_another_encoder_or_a_changed_picture_is_made_again(images: dict[str, Path], tmp_path: Path) -> None:
    made(images, Counting(), tmp_path)
    other = Counting("count:2")
    made(images, other, tmp_path)
    assert other.shown == 10
    images["p0"].write_bytes(b"x" * 99)
    changed = Counting()
    assert np.allclose(made(images, changed, tmp_path).vectors_of(["p0"]), unit([[99, 1, 7]]), atol=1e-3)
    assert changed.shown == 10


def test_a_missing_picture_is_named(images: dict[str, Path], tmp_path: Path) -> None:
    images["p4"].unlink()
    with pytest.raises(DataError, match=r"picture p4 is not at .*4\.png"):
        made(images, Counting(), tmp_path)
