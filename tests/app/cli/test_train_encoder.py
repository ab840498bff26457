"""`circlet train encoder` from a stranger's side: train, kill, go on, index and search with it."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from circlet.models import load_encoder

# Names that no model has ever read, so that only training can tell what they mean.
NAMES = {
    "zorp": ("ellipse", "red"),
    "blick": ("rectangle", "blue"),
    "fendle": ("ellipse", "green"),
    "quast": ("rectangle", "orange"),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 drawings of four things with made-up names, and a file that says which is which."""
    folder = tmp_path_factory.mktemp("shop")
    rng = random.Random(0)
    lines = ["picture,caption"]
    for number in range(120):
        name = list(NAMES)[number % 4]
        shape, colour = NAMES[name]
        picture = Image.new("RGB", (96, 96), (rng.randrange(200, 256),) * 3)
        left, top, side = rng.randrange(30), rng.randrange(30), rng.randrange(30, 60)
        getattr(ImageDraw.Draw(picture), shape)((left, top, left + side, top + side), fill=colour)
        picture.save(folder / f"{number:03d}.png")
        lines.append(f"{number:03d}.png,a {name}")
    (folder / "captions.csv").write_text("\n".join([*lines, "gone.png,a zorp"]) + "\n", encoding="utf-8")
    return folder


def test_words_it_was_taught_find_pictures_that_it_never_saw(
    command: Any, shop: Path, tmp_path: Path
) -> None:
    checked = command("train", "encoder", "--data", shop, "--check", code=1)
    assert "pictures in train" in checked.stdout
    assert "'gone.png' is no picture of the folder" in checked.stderr
    out = tmp_path / "encoder"
    done = command("train", "encoder", "--data", shop, "--out", out, "--epochs", "8")
    assert "pictures held back" in done.stdout
    again = command("train", "encoder", "--data", shop, "--out", out, code=2)
    assert "already holds a finished encoder" in again.stderr
    command("index", shop, "--encoder", os.path.relpath(out))
    found = json.loads(command("search", "a fendle", "--json", "--top", "10", cwd=tmp_path).stdout)
    named = [list(NAMES)[int(Path(hit["path"]).stem) % 4] for hit in found["results"]]
    assert named.count("fendle") >= 9
    # Whoever only searches needs no torch: here it cannot be imported.
    (tmp_path / "torch.py").write_text("raise ImportError('there is no torch here')\n", encoding="utf-8")
    without = {
        **command.environment,
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{command.environment['PYTHONPATH']}",
    }
    asked = [sys.executable, "-m", "circlet", "search", "a fendle", "--json", "--top", "10"]
    done = subprocess.run(asked, env=without, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"] == found["results"]


def test_it_is_an_encoder_like_any_other(command: Any, shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "encoder"
    command(
        "train", "encoder", "--data", shop, "--out", out, "--epochs", "1", "--dim", "32", "--base", "builtin"
    )
    encoder = load_encoder(str(out))
    assert encoder.dim <= 768
    pictures = encoder.images([Image.open(shop / "000.png"), Image.open(shop / "001.png")])
    np.testing.assert_allclose(np.linalg.norm(pictures, axis=1), 1, atol=1e-5)
    assert encoder.texts([]).shape == (0, encoder.dim)
    (out / "pictures.onnx").write_bytes(b"cut short")
    assert "pictures.onnx is damaged" in command("index", shop, "--encoder", out, code=1).stderr
    (out / "words.onnx").unlink()
    assert "words.onnx is missing" in command("index", shop, "--encoder", out, code=1).stderr
