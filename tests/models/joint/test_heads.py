"""The heads as torch learns them and as ONNX Runtime runs them are the same."""

from pathlib import Path

import numpy as np
import pytest
import torch

from circlet.models.artefacts import session
from circlet.models.joint.export import write_heads
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.reading import read

TEXTS = ["two red boats, left of a house", "a dog", "", "x" * 2000, "雪, at night, " * 12]


@pytest.mark.parametrize("meanings", [True, False])
def test_both_graphs_say_what_the_network_says(tmp_path: Path, meanings: bool) -> None:
    torch.manual_seed(0)
    heads = Heads(
        Sizes(vector=20, places=4, channels=3, dim=12, width=32, hidden=16, meanings=meanings)
    ).eval()
    heads.prepare(torch.randn(50, 20) * 3 + 1, TEXTS)
    write_heads(heads, tmp_path / "p.onnx", tmp_path / "w.onnx")
    vectors = np.random.default_rng(0).normal(size=(5, 20)).astype(np.float32)
    with torch.inference_mode():
        pictures, words = heads.picture(torch.from_numpy(vectors)).numpy(), heads.texts(TEXTS).numpy()
    by_onnx = session(tmp_path / "p.onnx").run(["learned"], {"vectors": vectors})[0]
    np.testing.assert_allclose(by_onnx, pictures, atol=1e-5)
    inputs = read(TEXTS, meanings=meanings)._asdict()
    if not meanings:
        del inputs["phrases"], inputs["phrase_mask"]
    np.testing.assert_allclose(session(tmp_path / "w.onnx").run(["learned"], inputs)[0], words, atol=1e-5)


def test_a_text_means_the_same_whatever_stands_beside_it_in_a_batch() -> None:
    torch.manual_seed(0)
    heads = Heads(Sizes(vector=20)).eval()
    with torch.inference_mode():
        alone = heads.texts(TEXTS[:1]).numpy()
        among = heads.texts(TEXTS).numpy()[:1]
    np.testing.assert_allclose(alone, among, atol=1e-4)
