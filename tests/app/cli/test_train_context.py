"""`circlet train context` on sets of its own, and what came of it in an evaluation."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.jsonl import write_benchmark

COLOURS = ("red", "green", "blue", "yellow", "black", "white")


@pytest.fixture
def sets(tmp_path: Path) -> str:
    """Sets of three colours each, every other one a film; the text names one of them."""
    for split, amount in (("train", 12), ("val", 4)):
        queries, truths, subsets, aspects, images = [], {}, {}, {}, {}
        for number in range(amount):
            ids = tuple(f"{split}-{number}-{at}" for at in range(3))
            for at, id in enumerate(ids):
                images[id] = tmp_path / f"{id}.png"
                Image.new("RGB", (64, 64), COLOURS[(number * 2 + at) % 6]).save(images[id])
            for at in range(2):
                queries.append(Query(ids[at], (Turn(text=f"the {COLOURS[(number * 2 + at) % 6]} one"),)))
                truths[ids[at]], subsets[ids[at]] = (ids[at],), ids
                aspects[ids[at]] = ("video" if number % 2 else "static",)
        bench = Benchmark(
            name="tableaux-frames",
            split=split,
            cases=cases_of(queries, truths=truths, subsets=subsets, aspects=aspects),
            galleries={},
            measures=("Accuracy", "Within('video', Accuracy)"),
            images=images,
        )
        write_benchmark(bench, tmp_path / f"frames.{split}.jsonl")
    return f"tableaux:frames:{tmp_path}"


def test_train_then_evaluate(command: Any, sets: str, tmp_path: Path) -> None:
    out = tmp_path / "which"
    small = ("--encoder", "builtin", "--epochs", 1, "--hidden", 0.2, "--out", out)
    done = command("train", "context", "--data", sets, *small)
    assert "of 100 found, video" in done.stdout
    assert f"circlet eval --bench {sets}:test --encoder builtin --method {out}" in done.stdout
    assert "context-batch, epoch 1: loss" in done.stderr
    assert "temporal, epoch 1: loss" in done.stderr
    config = json.loads((out / "config.json").read_text())
    assert (config["variant"], config["base"]) == ("temporal", "builtin")
    assert (config["training"]["epochs"], config["training"]["hidden"]) == (1, 0.2)

    row = command("eval", "--bench", f"{sets}:val", "--encoder", "builtin", "--method", out, "--json")
    measured = json.loads(row.stdout)["measures"]
    assert measured["Accuracy"] == pytest.approx(config["val"]["all"], abs=0.01)
    assert measured["Within('video', Accuracy)"] == pytest.approx(config["val"]["video"], abs=0.01)

    again = command("train", "context", "--data", sets, *small, code=2)
    assert "already holds a finished context model" in again.stderr
    other = command("eval", "--bench", f"{sets}:val", "--encoder", "fine", "--method", out, code=1)
    assert "--encoder builtin" in other.stderr
