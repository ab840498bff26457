"""Encoders of one's own over checkpoints of transformers: real, tiny ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.models.encoders.test_hub import saved

from circlet.core import MismatchError
from circlet.models import load_encoder

COLOURS = ("red", "blue")


@pytest.mark.parametrize("family", ["clip", "siglip"])
def test_a_checkpoint_is_a_base_like_any_other(command: Any, tmp_path: Path, family: str) -> None:
    base = saved(family, tmp_path / family)
    shop = tmp_path / "shop"
    shop.mkdir()
    rng = np.random.default_rng(0)
    lines = ["picture,caption"]
    for number in range(48):
        colour = np.asarray(Image.new("RGB", (32, 32), COLOURS[number % 2]), np.int16)
        noisy = (colour + rng.integers(-60, 60, colour.shape)).clip(0, 255).astype(np.uint8)
        Image.fromarray(noisy).save(shop / f"{number:02d}.png")
        lines.append(f"{number:02d}.png,a {('dog', 'cat')[number % 2]}")
    (shop / "captions.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "mine"
    command("train", "encoder", "--data", shop, "--base", base, "--out", out, "--dim", "8", "--epochs", "12")
    encoder = load_encoder(str(out))
    rows = encoder.images([Image.open(shop / f"{number:02d}.png") for number in range(48)])
    found = (-(encoder.texts(["a cat"])[0] @ rows.T)).argsort()[:8]
    assert sum(number % 2 for number in found) >= 7
    weights = next(base.glob("*.safetensors"))
    held = bytearray(weights.read_bytes())
    held[-1] ^= 1
    weights.write_bytes(bytes(held))
    with pytest.raises(MismatchError, match="train it again"):
        load_encoder(str(out)).texts(["a cat"])
