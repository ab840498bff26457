"""A checkpoint comes back as the method it was, or is refused with the reason."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from circlet.core import Gallery, MismatchError, Query, Turn, WeightsError, unit
from circlet.models import load_method
from circlet.models.features import Features
from circlet.models.learned import MODELS
from circlet.models.learned.composer import Learned
from circlet.models.learned.folder import save
from circlet.models.learned.network import Network, QueryBatch, Shape, build
from circlet.models.learned.words import Language


class Six:
    """An encoder of six axes that says something of every text and picture."""

    fingerprint = "six:1"
    dim = 6
    size = 8

    def texts(self, words: list[str]) -> Any:
        return unit(np.array([[len(text), text.count("e"), text.count("t"), 1, 2, 3] for text in words]))

    def prepare(self, picture: Any) -> Any:
        return np.full((4, 5), picture.getpixel((0, 0))[0] / 255, np.float32)

    def tokens_prepared(self, pictures: Any) -> Any:
        return pictures


@pytest.fixture
def gallery() -> Gallery:
    rows = np.random.default_rng(0).normal(size=(7, 6)).astype(np.float32)
    return Gallery([f"p{number}" for number in range(7)], unit(rows), "six:1")


def kept(name: str, folder: Path, shape: Shape, language: Language, asked: QueryBatch) -> Network:
    torch.manual_seed(5)
    network = build(name, shape, language).eval()
    network.prepare(asked.vectors, asked)
    save(folder, network, language, name=name, options={}, fingerprint="six:1", training={"seed": 5})
    return network


QUERY = Query("q", (Turn(picture="p1", text="red night"),))


@pytest.mark.parametrize("name", [name for name in MODELS if name not in {"maaf-it", "maaf-rp"}])
def test_a_checkpoint_ranks_as_the_network_it_was(
    name: str, tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    network = kept(name, tmp_path, shape, language, asked)

    class Seen(Gallery):
        def tokens_of(self, ids: list[str]) -> Any:
            return np.ones((len(ids), 4, 5), np.float32)

    pictures = Seen(gallery.ids, gallery.vectors, gallery.fingerprint)
    before = Learned(network, language, Six(), name=name).scores([QUERY], pictures)
    method = load_method(str(tmp_path), Six())
    assert np.array_equal(method.scores([QUERY], pictures), before)
    assert method.rank([QUERY], pictures, top=3)[0].ids


def test_a_gallery_is_projected_once_by_one_product(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    image = kept("tirg", tmp_path, shape, language, asked).image
    method = load_method(str(tmp_path), Six())
    assert isinstance(method, Learned)
    expected = unit(
        (gallery.vectors - image.centre.numpy()) / image.spread.numpy() @ image.weight.detach().numpy().T
        + image.bias.detach().numpy()
    )
    assert np.allclose(method.project(gallery).vectors, expected, atol=1e-6)
    assert method.project(gallery) is method.project(gallery)


def test_tokens_come_from_the_pictures_file(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    from PIL import Image

    kept("film", tmp_path / "ckpt", shape, language, asked)
    paths = {}
    for name, grey in (("p1", 10), ("p2", 200)):
        paths[name] = tmp_path / f"{name}.png"
        Image.new("RGB", (8, 8), (grey, 0, 0)).save(paths[name])
    method = load_method(str(tmp_path / "ckpt"), Six())
    seen = Features(gallery.ids, gallery.vectors, gallery.fingerprint, files=paths, encoder=Six())
    dark, light = (method.scores([Query("q", (Turn(picture=p, text="red"),))], seen) for p in paths)
    assert not np.allclose(dark, light)


def test_balance_leans_to_the_picture_or_to_the_words(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    kept("concat", tmp_path, shape, language, asked)
    method = load_method(str(tmp_path), Six())
    assert isinstance(method, Learned)

    def at(balance: float | None, picture: str | None = "p1") -> Any:
        return method.turns([Turn(picture=picture, text="red night", balance=balance)], gallery)[0]

    assert np.allclose(at(None), at(0.5), atol=1e-6)
    assert np.allclose(at(1.0), method.project(gallery).vectors_of(["p1"])[0], atol=1e-6)
    assert np.allclose(at(0.0), at(None, picture=None), atol=1e-6)
    assert np.linalg.norm(at(0.75)) == pytest.approx(1, abs=1e-5)


def test_a_turn_that_says_nothing_adds_nothing(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    kept("concat", tmp_path, shape, language, asked)
    method = load_method(str(tmp_path), Six())
    assert isinstance(method, Learned)
    rows = method.turns([Turn(liked=("p1",)), Turn(text="red")], gallery)
    assert not rows[0].any()
    assert rows[1].any()


def test_the_combiner_compares_the_gallery_as_it_stands(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch, gallery: Gallery
) -> None:
    kept("combiner", tmp_path, shape, language, asked)
    method = load_method(str(tmp_path), Six())
    assert isinstance(method, Learned)
    assert method.project(gallery) is gallery


def test_another_encoder_is_refused(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    kept("tirg", tmp_path, shape, language, asked)
    other = Six()
    other.fingerprint = "seven:1"  # type: ignore[misc]
    with pytest.raises(MismatchError, match=r"trained on vectors of six:1, not of seven:1"):
        load_method(str(tmp_path), other)


def test_damaged_and_foreign_files_are_refused_with_the_reason(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    kept("tirg", tmp_path / "whole", shape, language, asked)

    def copy(name: str) -> Path:
        return Path(shutil.copytree(tmp_path / "whole", tmp_path / name))

    cut = copy("cut") / "weights.safetensors"
    cut.write_bytes(cut.read_bytes()[:-100])
    with pytest.raises(WeightsError, match=r"weights.safetensors is damaged or cut short"):
        load_method(str(cut.parent), Six())

    bare = copy("bare")
    (bare / "weights.safetensors").unlink()
    with pytest.raises(WeightsError, match="is missing: the checkpoint is incomplete"):
        load_method(str(bare), Six())

    changed = copy("changed")
    config = json.loads((changed / "config.json").read_text())
    (changed / "config.json").write_text(json.dumps({**config, "model": "concat"}))
    with pytest.raises(WeightsError, match=r"does not fit config.json"):
        load_method(str(changed), Six())

    (changed / "config.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(WeightsError, match="not a circlet checkpoint of format 1"):
        load_method(str(changed), Six())


def test_pickles_are_refused_unopened(tmp_path: Path) -> None:
    pickled = tmp_path / "model.pt"
    pickled.write_bytes(b"not even read")
    for path in (tmp_path, pickled):
        with pytest.raises(WeightsError, match=r"model.pt is a pickle, and loading one can run any code"):
            load_method(str(path), Six())


def test_an_empty_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"it has no config.json; make one with `circlet train`"):
        load_method(str(tmp_path), Six())


def test_the_same_network_gives_the_same_bytes(
    tmp_path: Path, shape: Shape, language: Language, asked: QueryBatch
) -> None:
    for name in ("first", "second"):
        kept("tirg", tmp_path / name, shape, language, asked)
    for file in ("weights.safetensors", "config.json", "tokenizer.json"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
