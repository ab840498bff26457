"""Heads that were written as ONNX come back as a network that says the same and can learn on."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch

from circlet.core import WeightsError
from circlet.models.joint.encoder import CONFIG, KIND, PICTURES, WORDS
from circlet.models.joint.export import write_heads
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.restored import restored

TEXTS = ["two red boats, left of a house", "a dog", "x" * 200]


def written(folder: Path, sizes: Sizes) -> Heads:
    torch.manual_seed(0)
    heads = Heads(sizes).eval()
    heads.prepare(torch.randn(50, sizes.vector) * 3 + 1, TEXTS)
    write_heads(heads, folder / PICTURES, folder / WORDS)
    config = {"circlet_kind": KIND, "training": {"sizes": asdict(sizes)}}
    (folder / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    return heads


@pytest.mark.parametrize("meanings", [True, False])
@pytest.mark.parametrize("places", [0, 4])
def test_heads_come_back(tmp_path: Path, meanings: bool, places: int) -> None:
    sizes = Sizes(
        vector=20, places=places, channels=3 * bool(places), dim=12, width=32, hidden=16,
        meanings=meanings, layers=2,
    )  # fmt: skip
    heads, back = written(tmp_path, sizes), restored(tmp_path)
    vectors = torch.from_numpy(np.random.default_rng(0).normal(size=(5, 20)).astype(np.float32))
    with torch.inference_mode():
        np.testing.assert_allclose(back.picture(vectors), heads.picture(vectors), atol=1e-5)
        np.testing.assert_allclose(back.texts(TEXTS), heads.texts(TEXTS), atol=1e-5)
    assert all(part.requires_grad for part in back.parameters())


def test_what_is_no_encoder_or_does_not_fit_says_so(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="no trained encoder"):
        restored(tmp_path)
    written(tmp_path, Sizes(vector=20, dim=12, width=32, hidden=16))
    config = json.loads((tmp_path / CONFIG).read_text())
    for name, value in (("layers", 2), ("hidden", 17)):
        sizes = {**config["training"]["sizes"], name: value}
        (tmp_path / CONFIG).write_text(json.dumps({**config, "training": {"sizes": sizes}}), encoding="utf-8")
        with pytest.raises(WeightsError, match="does not fit"):
            restored(tmp_path)
    (tmp_path / CONFIG).write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / PICTURES).write_bytes(b"no graph at all")
    with pytest.raises(WeightsError, match="damaged"):
        restored(tmp_path)
