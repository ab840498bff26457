"""Models of sentence-transformers as encoders: a tiny Qwen3-VL, a tiny CLIP, against the package itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from PIL import Image
from sentence_transformers import SentenceTransformer
from tests.models.tiny import PROMPTS, WIDTH, embedder, pictures

from circlet.core import JointEncoder, UsageError, WeightsError, unit
from circlet.models import load_encoder
from circlet.models.devices import in_batches
from circlet.models.encoders.load import anywhere, shortened

TEXTS = ["a dog", "two red cat", "a photo of a blue dog at night"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, str]:
    folder = tmp_path_factory.mktemp("universal")
    return embedder(folder), f"st:{folder / 'st'}"


def asked(*parts: str | Image.Image) -> list[dict[str, Any]]:
    kinds = [("text" if isinstance(part, str) else "image", part) for part in parts]
    return [{"role": "user", "content": [{"type": kind, kind: part} for kind, part in kinds]}]


def test_vectors_are_the_packages_own(made: tuple[Any, str]) -> None:
    model, name = made
    encoder = load_encoder(name)
    seen = model.encode([{"image": one} for one in pictures()], prompt=PROMPTS["document"])
    read = model.encode([{"text": text} for text in TEXTS], prompt=PROMPTS["query"])
    np.testing.assert_allclose(encoder.images(pictures()), seen, atol=1e-5)
    np.testing.assert_allclose(encoder.texts(TEXTS), read, atol=1e-5)
    assert encoder.dim == WIDTH == seen.shape[1]
    assert len({tuple(row.round(4)) for row in np.concatenate([seen, read])}) == 6, "inputs differ"


def test_picture_and_words_are_read_in_one_pass_in_their_order(made: tuple[Any, str]) -> None:
    model, name = made
    encoder = load_encoder(name)
    assert isinstance(encoder, JointEncoder)
    one, other, _ = pictures()
    queries = [[one, "a dog"], ["a dog", one], [one, "a dog", other, "at night"], ["a dog"]]
    rows = encoder.together(queries, instruction="find two cat")
    plain = model.encode([asked(*query) for query in queries], prompt="find two cat")
    np.testing.assert_allclose(rows, plain, atol=1e-5)
    assert len({tuple(row.round(4)) for row in rows}) == 4, "each order and each picture counts"
    own = encoder.together(queries[:1])
    np.testing.assert_allclose(own, model.encode([asked(*queries[0])], prompt=PROMPTS["query"]), atol=1e-5)
    assert np.abs(own - rows[:1]).max() > 1e-3, "the instruction counts"


def test_fewer_numbers_are_the_first_ones_at_unit_length(made: tuple[Any, str]) -> None:
    _, name = made
    whole, cut = load_encoder(name), load_encoder(shortened(name, 8))
    assert (cut.dim, cut.texts(TEXTS).shape) == (8, (3, 8))
    np.testing.assert_allclose(cut.texts(TEXTS), unit(whole.texts(TEXTS)[:, :8]), atol=1e-5)
    np.testing.assert_allclose(cut.images(pictures()), unit(whole.images(pictures())[:, :8]), atol=1e-5)
    assert cut.fingerprint != whole.fingerprint
    with pytest.raises(UsageError, match=f"has {WIDTH} numbers a vector"):
        load_encoder(shortened(name, 64)).texts(TEXTS)
    with pytest.raises(UsageError, match="--dim cuts vectors of models of sentence-transformers"):
        shortened("clip", 64)
    with pytest.raises(UsageError, match="has no option size; it has dim"):
        load_encoder(f"{name}?size=3")
    with pytest.raises(UsageError, match="dim is a whole number of at least 1, not 'few'"):
        load_encoder(f"{name}?dim=few")


def test_a_text_that_names_a_file_is_a_text(made: tuple[Any, str], tmp_path: Path) -> None:
    model, name = made
    file = tmp_path / "dog.png"
    pictures()[0].save(file)
    shown = model.encode([{"image": pictures()[0]}], prompt=PROMPTS["query"])
    row = load_encoder(name).texts([str(file)])
    assert np.abs(row - shown).max() > 1e-2
    np.testing.assert_allclose(row, model.encode([{"text": str(file)}], prompt=PROMPTS["query"]), atol=1e-5)


def test_the_name_is_found_from_any_folder(made: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(made[1].removeprefix("st:"))
    monkeypatch.chdir(folder.parent)
    assert anywhere("st:st?dim=8") == f"st:{folder}?dim=8"
    assert anywhere("st:owner/model") == "st:owner/model"


def test_where_memory_ends_fewer_go_at_once(made: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    _, name = made
    encoder = load_encoder(name)
    rows = encoder.texts(TEXTS * 3)
    sizes: list[int] = []
    whole = SentenceTransformer.encode_query

    def small(self: Any, inputs: Any, **options: Any) -> Any:
        sizes.append(len(inputs))
        if len(inputs) > 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(self, inputs, **options)

    monkeypatch.setattr(SentenceTransformer, "encode_query", small)
    np.testing.assert_allclose(encoder.texts(TEXTS * 3), rows, atol=1e-5)
    assert sizes[-1] <= 4 < sizes[0]
    with pytest.raises(RuntimeError, match="something else"):
        in_batches(lambda some: (_ for _ in ()).throw(RuntimeError("something else")), "ab", 2)


def test_a_clip_of_sentence_transformers_is_an_encoder_and_reads_the_halves_apart(tmp_path: Path) -> None:
    from tests.models.encoders.test_hub import saved

    model = SentenceTransformer(str(saved("clip", tmp_path / "tower")), device="cpu")
    model.save_pretrained(str(tmp_path / "st"))
    encoder = load_encoder(f"st:{tmp_path / 'st'}")
    np.testing.assert_allclose(encoder.images(pictures()), unit(model.encode(pictures())), atol=1e-5)
    np.testing.assert_allclose(encoder.texts(TEXTS), unit(model.encode(TEXTS)), atol=1e-5)
    assert (encoder.dim, encoder.size) == (8, 32)
    assert isinstance(encoder, JointEncoder)
    with pytest.raises(UsageError, match="reads a picture or words, never both in one pass"):
        encoder.together([[pictures()[0], "a dog"]])


def test_a_model_of_words_alone_is_refused(tmp_path: Path) -> None:
    config = transformers.BertConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    from tests.models.tiny import words

    transformers.BertModel(config).save_pretrained(tmp_path)
    words().save_pretrained(tmp_path)
    with pytest.raises(UsageError, match="reads no pictures"):
        load_encoder(f"st:{tmp_path}").texts(["a dog"])


def test_what_is_no_model_is_said(tmp_path: Path, made: tuple[Any, str]) -> None:
    with pytest.raises(WeightsError, match="has no weights"):
        _ = load_encoder(f"st:{tmp_path}").fingerprint
    (tmp_path / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(WeightsError, match="cannot be loaded"):
        load_encoder(f"st:{tmp_path}").texts(["a dog"])


def test_a_device_that_is_not_there_is_said(made: tuple[Any, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_DEVICE", "warp:9")
    with pytest.raises(UsageError, match=r"the device warp:9 cannot be used .*--device cpu"):
        load_encoder(made[1]).texts(["a dog"])
    monkeypatch.setenv("CIRCLET_DEVICE", "cpu")
    assert load_encoder(made[1]).texts(["a dog"]).dtype == np.float32
