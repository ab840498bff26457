"""Folders of open_clip: a tiny model as its repository describes it, written out here with torch alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file
from tests.models.encoders.test_hub import TEXTS, tokenizer
from torch import nn

from circlet.core import UsageError, WeightsError, unit
from circlet.models import load_encoder

WIDTH, EMBEDS, SIDE, PATCH, LONGEST = 64, 8, 32, 8, 16
CONFIG: dict[str, Any] = {
    "model_cfg": {
        "embed_dim": EMBEDS,
        "quick_gelu": False,
        "vision_cfg": {
            "image_size": SIDE, "layers": 2, "width": WIDTH, "head_width": 32, "patch_size": PATCH,
        },
        "text_cfg": {"context_length": LONGEST, "vocab_size": 12, "width": WIDTH, "heads": 2, "layers": 2},
    },
    "preprocess_cfg": {
        "mean": [0.5, 0.4, 0.3], "std": [0.2, 0.3, 0.4], "interpolation": "bicubic",
        "resize_mode": "shortest",
    },
}  # fmt: skip


class Block(nn.Module):
    """A residual block: attention, then two layers, each after a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attn = nn.MultiheadAttention(WIDTH, 2, batch_first=True)
        self.mlp = nn.ModuleDict({"c_fc": nn.Linear(WIDTH, 4 * WIDTH), "c_proj": nn.Linear(4 * WIDTH, WIDTH)})

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        y = self.ln_1(x)
        x = x + self.attn(y, y, y, need_weights=False, attn_mask=mask)[0]
        return x + self.mlp["c_proj"](nn.functional.gelu(self.mlp["c_fc"](self.ln_2(x))))


class Stack(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.resblocks = nn.ModuleList([Block(), Block()])

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        for block in self.resblocks:
            x = block(x, mask)
        return x


class Sees(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, WIDTH, PATCH, PATCH, bias=False)
        self.class_embedding = nn.Parameter(torch.zeros(WIDTH))
        self.positional_embedding = nn.Parameter(torch.zeros((SIDE // PATCH) ** 2 + 1, WIDTH))
        self.ln_pre, self.ln_post = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.transformer = Stack()
        self.proj = nn.Parameter(torch.zeros(WIDTH, EMBEDS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv1(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_embedding.expand(len(x), 1, -1), x], dim=1) + self.positional_embedding
        return self.ln_post(self.transformer(self.ln_pre(x)))[:, 0] @ self.proj


class Clip(nn.Module):
    """CLIP with the parameters' names that open_clip saves."""

    def __init__(self) -> None:
        super().__init__()
        self.visual = Sees()
        self.transformer = Stack()
        self.token_embedding = nn.Embedding(12, WIDTH)
        self.positional_embedding = nn.Parameter(torch.zeros(LONGEST, WIDTH))
        self.ln_final = nn.LayerNorm(WIDTH)
        self.text_projection = nn.Parameter(torch.zeros(WIDTH, EMBEDS))
        self.logit_scale = nn.Parameter(torch.zeros([]))

    def read(self, ids: torch.Tensor) -> torch.Tensor:
        x = self.token_embedding(ids) + self.positional_embedding[: ids.shape[1]]
        mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf")).triu(1)
        x = self.ln_final(self.transformer(x, mask))
        return x[torch.arange(len(ids)), ids.argmax(dim=1)] @ self.text_projection


def written(folder: Path, **changes: Any) -> Clip:
    """The model, saved as a folder of open_clip."""
    torch.manual_seed(3)
    model = Clip().eval()
    with torch.no_grad():
        for weights in model.parameters():
            weights.copy_(torch.randn_like(weights) * 0.3)
    folder.mkdir(exist_ok=True)
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    (folder / "open_clip_config.json").write_text(json.dumps(CONFIG | changes))
    tokenizer().save_pretrained(folder)
    return model


def square() -> Image.Image:
    return Image.fromarray(np.random.default_rng(1).integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8))


def test_vectors_are_those_of_the_network_that_was_saved(tmp_path: Path) -> None:
    model = written(tmp_path)
    encoder = load_encoder(str(tmp_path))
    pixels = np.asarray(square(), np.float32) / 255
    pixels = (pixels - CONFIG["preprocess_cfg"]["mean"]) / CONFIG["preprocess_cfg"]["std"]
    ids = tokenizer()(TEXTS[:3], padding=True, return_tensors="pt")["input_ids"]
    # The highest id ends a text: the tiny tokenizer has none that high.
    ends = torch.where(ids == 3, 11, ids)
    with torch.no_grad():
        seen = model.visual(torch.from_numpy(pixels.transpose(2, 0, 1)[None].astype(np.float32)))
        read = model.read(ids)
        assert not torch.allclose(model.read(ends), read), "where a text ends counts"
    np.testing.assert_allclose(encoder.images([square()]), unit(seen.numpy()), atol=1e-4)
    np.testing.assert_allclose(encoder.texts(TEXTS[:3]), unit(read.numpy()), atol=1e-4)
    assert (encoder.dim, encoder.size, encoder.name) == (EMBEDS, SIDE, str(tmp_path))
    assert encoder.fingerprint == load_encoder(f"open_clip:{tmp_path}").fingerprint


def test_other_networks_and_missing_parts_are_said(tmp_path: Path) -> None:
    strange = {**CONFIG["model_cfg"], "vision_cfg": {"timm_model_name": "vit_base_patch16_siglip_224"}}
    written(tmp_path, model_cfg=strange)
    with pytest.raises(UsageError, match=r"is no plain CLIP .*timm_model_name"):
        _ = load_encoder(str(tmp_path)).fingerprint
    wide = {**CONFIG["model_cfg"], "text_cfg": CONFIG["model_cfg"]["text_cfg"] | {"layers": 3}}
    written(tmp_path, model_cfg=wide)
    with pytest.raises(WeightsError, match=r"cannot be read as a CLIP .*Missing key"):
        load_encoder(str(tmp_path)).texts(["a dog"])
    written(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(WeightsError, match="has no tokenizer"):
        _ = load_encoder(str(tmp_path)).fingerprint
    (tmp_path / "open_clip_config.json").write_text("{")
    with pytest.raises(WeightsError, match="is no JSON"):
        _ = load_encoder(str(tmp_path)).fingerprint
