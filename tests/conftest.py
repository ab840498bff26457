"""What tests of every room share: a toy encoder with an album, a language small enough to follow."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from circlet.core import Gallery
from circlet.testing import ToyEncoder
from tests.command import at_home, command, picture  # noqa: F401 (fixtures for every room)
from tests.milvus import milvus, milvus_place  # noqa: F401 (fixtures for every room)
from tests.worlds import drawn, world  # noqa: F401 (fixtures for every room)

# How long an example takes says how busy the machine is, and nothing about the code.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


@pytest.fixture
def toy() -> ToyEncoder:
    return ToyEncoder()


@pytest.fixture
def album(toy: ToyEncoder) -> Gallery:
    return toy.gallery(
        "beach", "beach night", "beach people", "beach night people", "dog", "dog red", "dog blue",
        "cat", "cat red", "cat blue", "city", "city night", "city people", "night",
    )  # fmt: skip


PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "photo", "of", "red", "night", "two", "no"]


@pytest.fixture(scope="session")
def language_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language small enough to follow by hand: a few words, a transformer of two layers of width 16."""
    import torch
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("language")
    vocabulary = {word: number for number, word in enumerate(PIECES)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    config = BertConfig(
        vocab_size=len(PIECES),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=80,
    )
    (folder / "config.json").write_text(json.dumps(config.to_dict()), encoding="utf-8")
    torch.manual_seed(1)
    save_file(BertModel(config).state_dict(), folder / "model.safetensors")
    return folder


@pytest.fixture(scope="session")
def language(language_folder: Path) -> Any:
    from circlet.models.learned.words import Language

    return Language.load(language_folder).learning(["red night", "two", "a photo of red"])
