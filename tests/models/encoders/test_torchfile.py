"""A torch checkpoint without torch: the same tensors, and nothing in the file is ever run."""

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from circlet.core import WeightsError
from circlet.models.encoders.convnet import weights_file
from circlet.models.encoders.torchfile import read_tensors


def test_the_tensors_are_those_that_torch_reads() -> None:
    torch = pytest.importorskip("torch")
    expected = torch.load(weights_file(), map_location="cpu", weights_only=True)
    read = read_tensors(weights_file())
    assert list(read) == list(expected)
    for name, tensor in expected.items():
        assert read[name].dtype == tensor.numpy().dtype
        np.testing.assert_array_equal(read[name], tensor.numpy())


def test_views_of_one_storage_are_read(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    whole = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    tensors = {"turned": whole.T, "part": whole[1:, 2], "half": whole.half(), "none": torch.zeros(0, 3)}
    torch.save(tensors, tmp_path / "old.pth", _use_new_zipfile_serialization=False)
    read = read_tensors(tmp_path / "old.pth")
    assert {name: array.tolist() for name, array in read.items()} == {
        name: tensor.tolist() for name, tensor in tensors.items()
    }


class _Runs:
    """Unpickled by a careless reader, it makes a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.place),)


def test_code_in_a_checkpoint_is_refused_and_not_run(tmp_path: Path) -> None:
    whole = weights_file().read_bytes()
    start = len(pickle.dumps(0x1950A86A20F9469CFC6C, 2))
    for at, file in ((0, "first.pth"), (start, "second.pth")):
        path, trap = tmp_path / file, tmp_path / f"{file} was run"
        path.write_bytes(whole[:at] + pickle.dumps(_Runs(trap), 2) + whole[at:])
        with pytest.raises(
            WeightsError, match=r"mkdir, and only tensors are read\): install its package again"
        ):
            read_tensors(path)
        assert not trap.exists()


def test_a_file_that_is_damaged_is_one_sentence(tmp_path: Path) -> None:
    whole = weights_file().read_bytes()
    damaged = tmp_path / "damaged.pth"
    for content in (b"", b"PK\x03\x04 a newer kind", pickle.dumps(1), whole[:1000], whole[:-7]):
        damaged.write_bytes(content)
        with pytest.raises(WeightsError, match=r"damaged.pth is no readable checkpoint \(.*install its"):
            read_tensors(damaged)
