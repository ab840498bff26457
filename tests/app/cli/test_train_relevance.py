"""`circlet train relevance` on one's own judgements, and what came of it in a search and an evaluation."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from circlet.core import Gallery, Query, Turn
from circlet.models import load_encoder, load_method, load_scorer
from circlet.models.scorers.relevance import Relevance

COLOURS = ("red", "green", "blue", "yellow")
SMALL = ("--epochs", 2, "--width", 16, "--batch", 12)


@pytest.fixture
def own(picture: Any) -> Path:
    """Pictures of four colours, and which of two is better when another colour is asked for."""
    folder: Path | None = None
    lines = ["reference,text,better,worse,split"]
    for shape, size in {"wide": (320, 200), "high": (200, 320), "flat": (300, 120)}.items():
        for colour in COLOURS:
            folder = picture(f"{shape}-{colour}.png", colour, size=size).parent
            split = "val" if shape == "flat" else "train"
            for other in COLOURS:
                third = next(one for one in COLOURS if one not in (colour, other))
                if other != colour:
                    row = (f"{shape}-{colour}.png", f"make it {other}", f"{shape}-{other}.png")
                    lines.append(",".join((*row, f"{shape}-{third}.png", split)))
    assert folder is not None
    (folder / "triplets.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_train_on_judgements_then_score(command: Any, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "rel"
    done = command("train", "relevance", "--data", own, "--out", out, *SMALL)
    assert "probabilities fitted on" in done.stdout
    assert "beginning, epoch 1: loss" in done.stderr
    assert "preferring, epoch 1: loss" in done.stderr
    config = json.loads((out / "config.json").read_text())
    assert config["model"] == "qformer"
    assert config["training"]["negatives of"] == "the file"
    assert len(config["relevance"]["odds"]) == 2

    again = command("train", "relevance", "--data", own, "--out", out, *SMALL, code=2)
    assert "already holds a finished scorer" in again.stderr

    encoder = load_encoder("builtin")
    scorer = load_scorer(str(out), encoder)
    assert isinstance(scorer, Relevance)
    names = [f"wide-{colour}.png" for colour in COLOURS]
    from circlet.images import open_picture

    gallery = Gallery(
        names, encoder.images([open_picture(own / name) for name in names]), encoder.fingerprint
    )
    query = Query("q", (Turn(picture="wide-red.png", text="make it blue"),))
    [scores] = scorer.score([query], [names], gallery)
    likely = scorer.likely(scores)
    assert likely is not None
    assert ((likely > 0) & (likely < 1)).all()
    assert (np.diff(likely[scores.argsort()]) >= 0).all(), "a higher score is no lower probability"
    # The same folder is a method of its own, and stands behind >>.
    composed = load_method(str(out), encoder).scores([query], gallery)[0]
    assert (composed.argsort() == scores.argsort()).all()
    command("index", own)
    found = command("search", own / "wide-red.png", "make it blue", "--method", f"sum % 8 >> {out}", "--json")
    assert len(json.loads(found.stdout)["results"]) > 1


def test_what_is_worse_must_be_another_picture(command: Any, own: Path, tmp_path: Path) -> None:
    file = own / "triplets.csv"
    file.write_text(file.read_text() + "wide-red.png,make it blue,wide-blue.png,wide-blue.png,train\n")
    refused = command("train", "relevance", "--data", own, "--out", tmp_path / "rel", code=1)
    assert "what is worse is the reference or the better picture itself" in refused.stderr


def test_negatives_are_one_of_three(command: Any, own: Path, tmp_path: Path) -> None:
    said = command(
        "train", "relevance", "--data", own, "--out", tmp_path / "r", "--negatives", "hard", code=2
    )
    assert "self-paced" in said.stderr
