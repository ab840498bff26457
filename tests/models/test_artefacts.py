"""Files made once: built, reused, rebuilt when damaged; and errors that say what to do."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from circlet.core import WeightsError
from circlet.models import artefacts


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_an_array_is_made_once(own_home: Path) -> None:
    made = []

    def make() -> np.ndarray:
        made.append(1)
        return np.arange(3)

    assert artefacts.kept_array("numbers", make).tolist() == [0, 1, 2]
    assert artefacts.kept_array("numbers", make).tolist() == [0, 1, 2]
    assert len(made) == 1
    assert [file.name for file in (own_home / "models").iterdir()] == ["numbers.npy"]


def test_a_damaged_file_is_made_again(own_home: Path) -> None:
    artefacts.kept_array("numbers", lambda: np.arange(3))
    (own_home / "models" / "numbers.npy").write_bytes(b"torn")
    assert artefacts.kept_array("numbers", lambda: np.arange(4)).tolist() == [0, 1, 2, 3]


def test_several_may_make_the_same_file_at_once(own_home: Path) -> None:
    meet = Barrier(4)

    def make() -> np.ndarray:
        meet.wait(timeout=10)
        return np.arange(1000)

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: artefacts.kept_array("numbers", make), range(4)))
    assert all(one.tolist() == list(range(1000)) for one in made)
    assert [file.name for file in (own_home / "models").iterdir()] == ["numbers.npy"]


def test_a_maker_that_fails_leaves_nothing_behind(own_home: Path) -> None:
    def fail() -> np.ndarray:
        raise ValueError("no weights")

    with pytest.raises(ValueError, match="no weights"):
        artefacts.kept_array("numbers", fail)
    assert list((own_home / "models").iterdir()) == []


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "file" / "below"))
    with pytest.raises(WeightsError, match="set CIRCLET_HOME"):
        artefacts.kept_array("numbers", lambda: np.arange(3))


def test_a_digest_follows_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = artefacts.digest(file)
    assert artefacts.digest(file) == first
    file.write_bytes(b"two")
    os.utime(file, ns=(1, 1))
    assert artefacts.digest(file) != first


def test_a_digest_is_remembered_without_reading_again(tmp_path: Path, own_home: Path) -> None:
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    first = artefacts.digest(file)
    state = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert artefacts.digest(file) == first, "same size and time: not read again"
    (own_home / "models" / "digests.json").write_text("{torn")
    assert artefacts.digest(file) != first, "a damaged memory is no memory"
