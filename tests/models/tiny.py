"""Tiny checkpoints with random weights, made and saved with the real classes."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import sentence_transformers.base.modules.transformer as inner
import torch
import transformers
from PIL import Image
from sentence_transformers import CrossEncoder, SentenceTransformer
from sentence_transformers.base.modules import Normalize
from sentence_transformers.cross_encoder.modules import LogitScore
from sentence_transformers.sentence_transformer.modules import Pooling
from tokenizers import Tokenizer, models, pre_tokenizers

from circlet.models.encoders.sentence_models import without_videos

SPECIAL = (
    "<pad>", "<unk>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
    "<|video_pad|>",
)  # fmt: skip
WORDS = (
    *SPECIAL, "system", "user", "query", "document", "yes", "no", "a", "photo", "of", "dog", "cat", "red",
    "blue", "two", "night", "at", "find", "represent", "without", "people", "/", ".", ",", "png",
)  # fmt: skip
# As the models' own: a message has its role, pictures stand where they were said.
TEMPLATE = (
    "{% for message in messages %}<|im_start|> {{ message.role }} {% for part in message.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif part.type == 'text' %} {{ part.text }} {% endif %}{% endfor %}<|im_end|>{% endfor %}"
)
PROMPTS = {"query": "find a photo", "document": "represent a photo"}
# Both read and see with so many numbers.
WIDTH = 32


def words() -> Any:
    made = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="<pad>",
        unk_token="<unk>",
        additional_special_tokens=list(SPECIAL[2:]),
        padding_side="left",
    )


def randomised(model: Any, seed: int) -> Any:
    """The model with weights wide enough that inputs differ in what comes of them."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in model.parameters():
            weights.copy_(torch.randn(weights.shape, generator=random) * 0.3)
    return model.eval()


def _qwen(kind: Any, folder: Path, seed: int) -> Path:
    """A Qwen3-VL of this class, with the processor as far as it needs no torchvision."""
    config = transformers.Qwen3VLConfig(
        text_config={
            "vocab_size": len(WORDS), "hidden_size": WIDTH, "intermediate_size": 64, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0,
            "rope_scaling": {"rope_type": "default", "mrope_section": [2, 1, 1], "mrope_interleaved": True},
        },
        vision_config={
            "depth": 2, "hidden_size": WIDTH, "intermediate_size": 64, "num_heads": 4, "patch_size": 8,
            "out_hidden_size": WIDTH, "num_position_embeddings": 16, "deepstack_visual_indexes": [0],
        },
        image_token_id=6, video_token_id=7, vision_start_token_id=4, vision_end_token_id=5,
    )  # fmt: skip
    processor = without_videos(transformers.Qwen3VLProcessor)(
        image_processor=transformers.Qwen2VLImageProcessorPil(
            patch_size=8, merge_size=2, size={"shortest_edge": 16 * 16, "longest_edge": 64 * 64}
        ),
        tokenizer=words(),
        chat_template=TEMPLATE,
    )
    for part in (randomised(kind(config), seed), processor):
        part.save_pretrained(folder)
    return folder


def _transformer(folder: Path, **options: Any) -> Any:
    with patch.object(inner, "AutoProcessor", without_videos(transformers.Qwen3VLProcessor)):
        return inner.Transformer(str(folder), **options)


def embedder(folder: Path) -> Any:
    """A universal embedder as Qwen3-VL-Embedding is one: the last token, at unit length; and its folder."""
    tower = _transformer(_qwen(transformers.Qwen3VLModel, folder / "tower", 1))
    model = SentenceTransformer(
        modules=[tower, Pooling(WIDTH, pooling_mode="lasttoken"), Normalize()], prompts=PROMPTS, device="cpu"
    )
    model.save_pretrained(str(folder / "st"))
    return model


def reranker(folder: Path) -> Any:
    """A reranker as Qwen3-VL-Reranker is one: how much likelier yes is than no."""
    tower = _transformer(
        _qwen(transformers.Qwen3VLForConditionalGeneration, folder / "tower", 2),
        transformer_task="any-to-any",
    )
    score = LogitScore(true_token_id=WORDS.index("yes"), false_token_id=WORDS.index("no"))
    model = CrossEncoder(modules=[tower, score], device="cpu")
    model.save_pretrained(str(folder / "st"))
    return model


def pictures() -> list[Image.Image]:
    random = np.random.default_rng(5)
    shapes = [(40, 60, 3), (64, 33, 3), (32, 32, 3)]
    return [Image.fromarray(random.integers(0, 255, shape, dtype=np.uint8)) for shape in shapes]
