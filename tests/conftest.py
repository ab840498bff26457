"""A toy encoder whose space can be read off: one axis a word, a picture is the words it shows."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from circlet.core import Gallery, Vectors, unit
from tests.command import at_home, command, picture  # noqa: F401 (fixtures for every room)
from tests.worlds import world  # noqa: F401 (a fixture for every room)

WORDS = ("beach", "night", "people", "dog", "cat", "red", "blue", "city")


class Toy:
    """Texts and pictures (strings too) are counted word by word, on the axes of `WORDS`."""

    fingerprint = "toy:words"
    dim = len(WORDS)

    def texts(self, words: Sequence[str]) -> Vectors:
        return unit(
            np.array([[re.findall(r"\w+", text.lower()).count(word) for word in WORDS] for text in words])
        )

    images = texts

    def gallery(self, *scenes: str) -> Gallery:
        """A gallery in which every picture is named by what it shows."""
        return Gallery(scenes, self.images(scenes), self.fingerprint)


@pytest.fixture
def toy() -> Toy:
    return Toy()


@pytest.fixture
def album(toy: Toy) -> Gallery:
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
