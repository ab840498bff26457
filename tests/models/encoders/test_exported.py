"""Picture towers in ONNX Runtime: the same vectors, kept, and only where it is worth it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.models.encoders.test_hub import FAMILIES, pictures, plain, saved

from circlet.models import load_encoder
from circlet.models.encoders import exported as module


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "models"


@pytest.fixture
def faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs without torch is taken to be faster."""
    times = iter(range(1, 1000))
    monkeypatch.setattr(module, "seconds", lambda run, stack: next(times))


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "siglip2"])
@pytest.mark.usefixtures("faster")
def test_a_graph_gives_the_vectors_of_torch_and_is_made_once(
    family: str, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = saved(family, tmp_path / family)
    encoder = load_encoder(str(folder))
    images, _ = plain(folder)
    np.testing.assert_allclose(encoder.images(pictures()), images, atol=1e-4)
    assert [file.suffix for file in home.glob("tower-*")] == [".onnx"]

    def never(*about: Any) -> None:
        raise AssertionError("exported twice")

    monkeypatch.setattr(module, "_write", never)
    np.testing.assert_allclose(load_encoder(str(folder)).images(pictures()[:1]), images[:1], atol=1e-4)


def test_torch_stays_where_it_is_faster_or_where_vectors_would_differ(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = saved("clip", tmp_path / "clip")
    images, _ = plain(folder)
    times = iter((2.0, 1.0))
    monkeypatch.setattr(module, "seconds", lambda run, stack: next(times))
    np.testing.assert_allclose(load_encoder(str(folder)).images(pictures()), images, atol=1e-4)
    (note,) = home.glob("tower-*")
    assert note.read_text() == "it takes 2.00 of torch's time here\n"
    note.unlink()
    monkeypatch.setattr(module, "ALLOWED", -1.0)
    np.testing.assert_allclose(load_encoder(str(folder)).images(pictures()), images, atol=1e-4)
    (note,) = home.glob("tower-*")
    assert note.read_text().startswith("it differs from torch by")
    # Who has the note does not try again.
    np.testing.assert_allclose(load_encoder(str(folder)).images(pictures()), images, atol=1e-4)


def test_pictures_of_free_shape_are_left_to_torch(tmp_path: Path, home: Path) -> None:
    folder = saved("siglip2", tmp_path / "siglip2")
    images, _ = plain(folder)
    np.testing.assert_allclose(load_encoder(str(folder)).images(pictures()), images, atol=1e-4)
    assert not list(home.glob("tower-*"))
