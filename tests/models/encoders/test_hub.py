"""Checkpoints of transformers: real, tiny ones, compared with the plain forward."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from circlet.core import UsageError, WeightsError, unit
from circlet.models import load_encoder

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

WORDS = ("<pad>", "<unk>", "<s>", "</s>", "a", "photo", "of", "dog", "cat", "red", "blue", "two")
TEXTS = ["a dog", "two red cat", "a photo of a blue dog", "dog " * 60]
SMALL = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
SPECIAL = {"vocab_size": len(WORDS), "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
READS = SMALL | SPECIAL | {"max_position_embeddings": 16, "projection_size": 16}
SEES = SMALL | {"image_size": 32, "patch_size": 8}
SQUARE = {"height": 32, "width": 32}


def tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 2), ("</s>", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )


def parts(family: str) -> tuple[Any, Any]:
    """A tiny model of the family and its image processor."""
    if family == "clip":
        config = transformers.CLIPConfig(text_config=READS, vision_config=SEES, projection_dim=8)
        processor = transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size=SQUARE)
        return transformers.CLIPModel(config), processor
    if family == "siglip":
        config = transformers.SiglipConfig(text_config=READS, vision_config=SEES)
        return transformers.SiglipModel(config), transformers.SiglipImageProcessor(size=SQUARE)
    if family == "siglip2":
        config = transformers.Siglip2Config(
            text_config=READS, vision_config=SMALL | {"patch_size": 8, "num_patches": 16}
        )
        processor = transformers.Siglip2ImageProcessor(patch_size=8, max_num_patches=16)
        return transformers.Siglip2Model(config), processor
    if family == "blip-2":
        former = READS | {"encoder_hidden_size": 16}
        config = transformers.Blip2Config(
            qformer_config=former | {"use_qformer_text_input": True},
            vision_config=SEES,
            num_query_tokens=4,
            image_text_hidden_size=8,
        )
        return transformers.Blip2ForImageTextRetrieval(config), transformers.BlipImageProcessor(size=SQUARE)
    config = transformers.BlipConfig(
        text_config=READS | {"encoder_hidden_size": 16, "sep_token_id": 3},
        vision_config=SEES,
        projection_dim=8,
        image_text_hidden_size=8,
    )
    kind = transformers.BlipForImageTextRetrieval if family == "blip-retrieval" else transformers.BlipModel
    return kind(config), transformers.BlipImageProcessor(size=SQUARE)


FAMILIES = ("clip", "siglip", "siglip2", "blip-retrieval", "blip", "blip-2")


@pytest.fixture(scope="module", params=FAMILIES)
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(request.param, tmp_path_factory.mktemp("checkpoint") / request.param)


def saved(family: str, folder: Path) -> Path:
    torch.manual_seed(7)
    model, processor = parts(family)
    with torch.no_grad():
        for weights in model.parameters():  # wide enough that texts and pictures differ
            weights.copy_(torch.randn_like(weights) * 0.3)
    for part in (model, processor, tokenizer()):
        part.save_pretrained(folder)
    return folder


def pictures() -> list[Image.Image]:
    random = np.random.default_rng(5)
    shapes = [(40, 60, 3), (64, 33, 3), (32, 32, 3)]
    made = [Image.fromarray(random.integers(0, 255, shape, dtype=np.uint8)) for shape in shapes]
    return [*made, made[0].convert("L"), made[1].convert("RGBA")]


def plain(folder: Path) -> tuple[Any, Any]:
    """What transformers itself makes of the pictures and the texts."""
    kind = json.loads((folder / "config.json").read_text())["architectures"][0]
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(folder)
    reader = transformers.AutoTokenizer.from_pretrained(folder)
    seen = processor(images=[one.convert("RGB") for one in pictures()], return_tensors="pt")
    padding = "max_length" if "Siglip" in kind else True
    read = reader(TEXTS, padding=padding, truncation=True, max_length=16, return_tensors="pt")
    read.pop("token_type_ids", None)
    with torch.no_grad():
        if kind == "Blip2ForImageTextRetrieval":
            both = model(**seen, input_ids=read["input_ids"], attention_mask=read["attention_mask"])
            # The mean of what its queries found, each at unit length.
            images, texts = both.image_embeds.mean(dim=1), both.text_embeds
        elif kind == "BlipForImageTextRetrieval":
            images = model.vision_proj(model.vision_model(**seen).last_hidden_state[:, 0])
            texts = model.text_proj(model.text_encoder(**read).last_hidden_state[:, 0])
        else:
            images = model.get_image_features(**seen).pooler_output
            texts = model.get_text_features(**read).pooler_output
    return unit(images.numpy()), unit(texts.numpy())


def test_vectors_are_those_of_the_plain_forward(checkpoint: Path) -> None:
    encoder = load_encoder(str(checkpoint))
    images, texts = plain(checkpoint)
    np.testing.assert_allclose(encoder.images(pictures()), images, atol=1e-4)
    np.testing.assert_allclose(encoder.texts(TEXTS), texts, atol=1e-4)
    assert encoder.dim == images.shape[1] == texts.shape[1]
    assert len({tuple(row) for row in texts.round(4).tolist()}) == len(TEXTS), "texts differ"


def test_there_are_tokens_one_per_patch(checkpoint: Path) -> None:
    tokens = load_encoder(str(checkpoint)).tokens(pictures()[:2])
    assert tokens.shape == (2, 16, 16)
    assert tokens.dtype == np.float32


def test_nothing_in_nothing_out(checkpoint: Path) -> None:
    encoder = load_encoder(str(checkpoint))
    assert encoder.images([]).shape == encoder.texts([]).shape == (0, encoder.dim)


def test_the_fingerprint_follows_the_weights_not_the_place(tmp_path: Path) -> None:
    first = saved("clip", tmp_path / "one")
    again = saved("clip", tmp_path / "two")
    assert load_encoder(str(first)).fingerprint == load_encoder(str(again)).fingerprint
    changed = transformers.CLIPModel.from_pretrained(again)
    with torch.no_grad():
        changed.visual_projection.weight[0, 0] += 1
    changed.save_pretrained(again)
    assert load_encoder(str(first)).fingerprint != load_encoder(str(again)).fingerprint


def test_a_checkpoint_that_nobody_measured_has_no_cutoff(tmp_path: Path) -> None:
    encoder = load_encoder(str(saved("clip", tmp_path / "clip")))
    assert encoder.cutoffs(encoder.texts(["a dog"])) is None


def test_what_is_no_checkpoint_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown encoder 'clop': pick builtin, .*fine, finest, clip"):
        load_encoder("clop")
    with pytest.raises(WeightsError, match=r"has no config\.json"):
        _ = load_encoder(str(tmp_path)).fingerprint
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(WeightsError, match="has no weights"):
        _ = load_encoder(str(tmp_path)).fingerprint
    (tmp_path / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(UsageError, match="is a bert checkpoint: circlet encodes with clip, siglip"):
        _ = load_encoder(str(tmp_path)).fingerprint
    (tmp_path / "config.json").write_text('{"model_type": "clip"}')
    for missing, file in (("tokenizer", "tokenizer.json"), ("image processor", "preprocessor_config.json")):
        with pytest.raises(WeightsError, match=f"has no {missing}"):
            _ = load_encoder(str(tmp_path)).fingerprint
        (tmp_path / file).write_text("{}")
    with pytest.raises(WeightsError, match="cannot be loaded"):
        load_encoder(str(tmp_path)).texts(["a dog"])
    with pytest.raises(UsageError, match="neither a folder nor a hub name"):
        _ = load_encoder(str(tmp_path / "gone" / "away")).fingerprint


def test_an_unreachable_hub_is_one_sentence_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    def refuse(name: str, **options: Any) -> str:
        if options["local_files_only"]:
            raise huggingface_hub.errors.LocalEntryNotFoundError("not here")
        raise ConnectionError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", refuse)
    with pytest.raises(WeightsError, match=r"hub did not answer \(ConnectionError\).*--encoder builtin"):
        _ = load_encoder("clip").fingerprint
