"""`circlet train` and `circlet eval` on the real layouts, with real annotations and stand-in pictures.

A test of the path, not of quality: the pictures have the right names and nothing else of the originals.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from tests.data.shared import real


def stand_ins(paths: Iterable[Path]) -> None:
    """A small picture of seeded noise blocks for each path."""
    for number, path in enumerate(sorted(set(paths))):
        path.parent.mkdir(parents=True, exist_ok=True)
        blocks = np.random.default_rng(number).integers(0, 255, (4, 4, 3), np.uint8)
        Image.fromarray(blocks).resize((48, 48), Image.Resampling.NEAREST).save(path)


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def few_of_cirr(source: Path, root: Path, sets: int = 6) -> None:
    """The first subsets of CIRR's validation split, under their own names."""
    records = json.loads((source / "captions" / "cap.rc2.val.json").read_text())
    files = json.loads((source / "image_splits" / "split.rc2.val.json").read_text())
    chosen = list(dict.fromkeys(record["img_set"]["id"] for record in records))[:sets]
    kept = [record for record in records if record["img_set"]["id"] in chosen]
    names = {name for record in kept for name in record["img_set"]["members"]}
    write(root / "captions" / "cap.rc2.val.json", kept)
    write(root / "image_splits" / "split.rc2.val.json", {name: files[name] for name in sorted(names)})
    stand_ins(root / files[name] for name in names)


def few_of_fashioniq(source: Path, root: Path, pairs: int = 6) -> None:
    """The first pairs of each category and split."""
    for split in ("train", "val"):
        for category in ("dress", "shirt", "toptee"):
            records = json.loads((source / "captions" / f"cap.{category}.{split}.json").read_text())[:pairs]
            names = sorted({record[side] for record in records for side in ("candidate", "target")})
            write(root / "captions" / f"cap.{category}.{split}.json", records)
            write(root / "image_splits" / f"split.{category}.{split}.json", names)
            stand_ins(root / "images" / f"{name}.png" for name in names)


def test_cirr(command: Any, tmp_path: Path) -> None:
    root, out = tmp_path / "cirr", tmp_path / "ckpt"
    few_of_cirr(real("cirr"), root)
    how = ("--epochs", 2, "--width", 16, "--batch", 16, "--split", "val", "--out", out)
    done = command("train", "tirg-lastconv", "--data", f"cirr:{root}", *how)
    assert "Mean(Recall @ 5, SubsetRecall @ 1)" in done.stdout
    said = command("eval", "--method", out, "--bench", f"cirr:{root}", "--no-baselines", "--json").stdout
    measured = json.loads(said)
    assert "SubsetRecall @ 1" in json.dumps(measured)


def test_fashioniq(command: Any, tmp_path: Path) -> None:
    root, out = tmp_path / "fashioniq", tmp_path / "ckpt"
    few_of_fashioniq(real("fashioniq"), root)
    how = ("--epochs", 1, "--width", 16, "--batch", 6, "--out", out)
    done = command("train", "concat", "--data", f"fashioniq:{root}", *how)
    assert "Mean(ByGroup(Recall @ 10), ByGroup(Recall @ 50))" in done.stdout
    said = command("eval", "--method", out, "--bench", f"fashioniq:{root}", "--no-baselines", "--json").stdout
    assert "ByGroup(Recall @ 10)" in said
