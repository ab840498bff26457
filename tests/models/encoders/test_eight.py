"""The built-in encoder in eight bits: nearly the same vectors, never taken for the same."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from PIL import Image, ImageDraw

from circlet.collection import Collection
from circlet.models import load_encoder
from circlet.models.encoders import convnet
from circlet.models.encoders.builtin import Builtin
from circlet.models.encoders.eight import Eight, ranges
from circlet.models.encoders.torchfile import read_tensors


@pytest.fixture(scope="module")
def encoder() -> Eight:
    return Eight()


def drawn() -> list[Image.Image]:
    """A gradient, a ball on grass, stripes, soft noise."""
    across, down = np.meshgrid(np.arange(224), np.arange(224))
    gradient = np.stack([across, down, 255 - across], axis=2).astype(np.uint8)
    ball = Image.new("RGB", (300, 224), "green")
    ImageDraw.Draw(ball).ellipse((60, 60, 160, 160), fill="orange", outline="black", width=4)
    stripes = np.repeat(((across // 20 % 2) * 255).astype(np.uint8)[:, :, None], 3, axis=2)
    noise = np.random.default_rng(1).integers(0, 255, (14, 14, 3), dtype=np.uint8)
    soft = Image.fromarray(noise).resize((224, 224), Image.Resampling.BICUBIC)
    return [Image.fromarray(gradient), ball, Image.fromarray(stripes), soft]


def test_its_vectors_are_nearly_those_of_float_and_words_the_same(encoder: Eight) -> None:
    plain, words = Builtin(), ["a ball", "red", ""]
    cosines = (encoder.images(drawn()) * plain.images(drawn())).sum(axis=1)
    assert cosines.min() > 0.98
    assert cosines.max() < 0.99999
    np.testing.assert_array_equal(encoder.texts(words), plain.texts(words))
    queries = plain.texts(words)
    np.testing.assert_array_equal(encoder.cutoffs(queries), plain.cutoffs(queries))


def test_it_gives_every_outcome_that_the_network_in_float_gives() -> None:
    pixels = np.stack([Builtin().prepare(one) for one in drawn()])
    names = ["logits", "features", "map", "grid", "middle", "thumb"]
    for name, ours, plain in zip(
        names,
        convnet.load(ranges()).run(names, {"pixels": pixels}),
        convnet.load().run(names, {"pixels": pixels}),
        strict=True,
    ):
        assert ours.shape == plain.shape
        ours, plain = ours.ravel(), plain.ravel()
        assert ours @ plain > 0.95 * np.linalg.norm(ours) * np.linalg.norm(plain), name


def test_the_runtime_computes_it_in_whole_numbers(tmp_path: Path) -> None:
    convnet.build(read_tensors(convnet.weights_file()), tmp_path / "eight.onnx", ranges())
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "run.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(tmp_path / "eight.onnx"), options, providers=["CPUExecutionProvider"])
    run = [node.op_type for node in onnx.load(tmp_path / "run.onnx").graph.node]
    # The stem and two blocks are in float: six convolutions.
    assert run.count("QLinearConv") == 43
    assert run.count("Conv") + run.count("FusedConv") == 6


def test_its_fingerprint_is_its_own_and_stable(encoder: Eight) -> None:
    assert encoder.fingerprint == load_encoder("builtin:int8").fingerprint
    assert encoder.fingerprint != load_encoder("builtin").fingerprint
    assert encoder.name == "builtin:int8"


def test_other_ranges_are_another_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path))
    convnet.load(ranges())
    convnet.load({name: (low, high * 2) for name, (low, high) in ranges().items()})
    assert len(list((tmp_path / "models").glob("convnet-*.onnx"))) == 2


def test_an_index_keeps_both_beside_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for name, picture in zip(("gradient", "ball", "stripes", "soft"), drawn(), strict=True):
        picture.save(folder / f"{name}.png")
    for name in ("builtin", "builtin:int8"):
        with Collection.open(folder, home=tmp_path / "home", encoder=name) as collection:
            collection.index()
            found = collection.search("an orange ball on green").hits
            assert len(found) == 4
            assert Path(found[0].path).name == "ball.png"
            spaces = collection.store.fingerprints()
    assert set(spaces) >= {load_encoder(name).fingerprint for name in ("builtin", "builtin:int8")}


def test_other_bits_are_unknown(tmp_path: Path, at_home: Any) -> None:
    said = at_home(tmp_path / "home")("index", tmp_path, "--encoder", "builtin:int4", code=2).stderr
    assert "unknown encoder 'builtin:int4': pick builtin, builtin:int8, fine" in said
    assert said.count("\n") == 1
