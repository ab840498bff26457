"""`circlet train` on one's own pictures, and a search with what came of it."""

import json
from pathlib import Path
from typing import Any

import pytest

COLOURS = ("red", "green", "blue", "yellow")


@pytest.fixture
def own(picture: Any) -> Path:
    """Pictures of four colours, small and large, and triplets that ask for another colour."""
    folder: Path | None = None
    lines = ["reference,text,target,split"]
    for shape, size in {"wide": (320, 200), "high": (200, 320), "flat": (300, 120)}.items():
        for colour in COLOURS:
            folder = picture(f"{shape}-{colour}.png", colour, size=size).parent
            split = "val" if shape == "flat" else "train"
            lines += [
                f"{shape}-{colour}.png,make it {other},{shape}-{other}.png,{split}"
                for other in COLOURS
                if other != colour
            ]
    assert folder is not None
    (folder / "triplets.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_train_then_search(command: Any, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "ckpt"
    how = ("--data", own, "--out", out, "--epochs", 6, "--width", 32, "--batch", 12)
    done = command("train", "concat", *how, "--optimizer", "adamw")
    assert "Recall @ 10" in done.stdout
    assert "epoch 1: loss" in done.stderr
    config = json.loads((out / "config.json").read_text())
    assert config["model"] == "concat"
    assert config["encoder"].startswith("builtin")
    assert len(config["training"]["history"]) == 6
    assert (out / "training.svg").read_text().startswith("<svg")
    assert not (out / "resume.safetensors").exists()

    again = command("train", "concat", *how, code=2)
    assert "already holds a finished checkpoint: name another folder, or delete it" in again.stderr

    command("index", own)
    found = command("search", own / "wide-red.png", "make it blue", "--method", out, "--json").stdout
    assert "blue" in found


def test_a_wrong_file_is_explained_line_by_line(command: Any, own: Path) -> None:
    file = own / "triplets.csv"
    file.write_text(file.read_text() + "wide-rad.png,make it blue,wide-blue.png,train\n")
    said = command("train", "concat", "--data", own, "--check", code=1).stdout
    assert "line 38: reference 'wide-rad.png' is no picture of the folder; is it 'wide-red.png'?" in said
    assert "36 good triplets (24 train, 12 val, 0 test), 1 problem(s)" in said
    refused = command("train", "concat", "--data", own, "--out", own / "ckpt", code=1)
    assert "1 problem(s) to mend first" in refused.stderr


def test_wrong_usage_is_one_line(command: Any, own: Path, tmp_path: Path) -> None:
    assert (
        "name the checkpoint's folder: --out ckpt" in command("train", "tirg", "--data", own, code=2).stderr
    )
    nowhere = command("train", "tirg", "--data", own, "--out", tmp_path / "x", "--device", "cuda", code=2)
    assert "no device 'cuda' here: pick cpu" in nowhere.stderr
    assert (
        "has no file of triplets" in command("train", "tirg", "--data", tmp_path, "--out", "x", code=2).stderr
    )
