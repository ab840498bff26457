"""`circlet reproduce composers` through the real command, on a world of twelve pictures."""

import json
from pathlib import Path
from typing import Any

import pytest

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data import write_benchmark

COLOURS = ("red", "green", "blue", "yellow")


@pytest.fixture
def tiny(picture: Any, tmp_path: Path) -> Path:
    """A set in the layout of a tableaux set: three shapes in four colours, a subset for each shape."""
    images = {
        f"{shape}-{colour}": picture(f"{shape}-{colour}.png", colour, size=size)
        for shape, size in {"wide": (320, 200), "high": (200, 320), "flat": (300, 150)}.items()
        for colour in COLOURS
    }
    pairs = [(a, b) for a in images for b in images if a != b and a.split("-")[0] == b.split("-")[0]]
    for split in ("train", "val", "test"):
        named = {f"{split}-{number}": pair for number, pair in enumerate(pairs)}
        bench = Benchmark(
            name="tiny",
            split=split,
            cases=cases_of(
                tuple(
                    Query(id, (Turn(picture=a, text=f"make it {b.split('-')[1]}"),))
                    for id, (a, b) in named.items()
                ),
                truths={id: (b,) for id, (_, b) in named.items()},
                exclusions={id: (a,) for id, (a, _) in named.items()},
                subsets={
                    id: tuple(n for n in images if n.startswith(a.split("-")[0]))
                    for id, (a, _) in named.items()
                },
            ),
            galleries={"": tuple(images)},
            measures=("Mean(Recall @ 5, SubsetRecall @ 1)",),
            images=images,
        )
        write_benchmark(bench, tmp_path / "tiny" / f"cir.{split}.jsonl")
    return tmp_path / "tiny"


def test_a_row_beside_the_papers_and_nothing_twice(command: Any, tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "composers"
    asked = ("reproduce", "composers", "--quick", "--root", tiny, "--out", out, "--workers", 1)
    done = command(*asked, "--only", "image-only")
    assert "| Image-only |" in done.stdout
    assert "| 48.46 | 20.93 | 34.70 |" in done.stdout
    assert "image-only is near chance within subsets" in done.stdout
    assert "Image-only, seed 0:" in done.stderr
    numbers = json.loads((out / "composers.json").read_text())
    assert set(numbers) == {"random", "image-only", "sum"}
    result = out / "results" / "image-only.0.json"
    before = result.stat().st_mtime_ns
    again = command(*asked, "--only", "image-only")
    assert again.stdout == done.stdout
    assert result.stat().st_mtime_ns == before, "a finished row is read back, not trained again"


def test_an_unknown_row_is_named_with_the_known_ones(command: Any, tmp_path: Path) -> None:
    done = command("reproduce", "composers", "--only", "cirplent", "--out", tmp_path, code=2)
    assert "no row cirplent: pick from random, init, image-only" in done.stderr
