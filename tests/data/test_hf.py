"""Benchmarks as Hugging Face datasets and back, with the real package."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from circlet.core import Benchmark, DataError, JudgedSet, Judgement, Query, Turn, UsageError, cases_of
from circlet.data import load_benchmark, write_benchmark
from circlet.data.hf import read_datasets, write_datasets
from tests.data.test_jsonl import benchmarks

datasets = pytest.importorskip("datasets")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))


@settings(max_examples=12, deadline=None)
@given(benchmarks())
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, benchmark: Benchmark) -> None:
    there = replace(benchmark, split="val")
    for on_disk in (False, True):
        folder = tmp_path_factory.mktemp("hf")
        assert read_datasets(write_datasets(there, folder, on_disk=on_disk), "val", {}) == there


@pytest.fixture
def bench(tmp_path: Path, picture: Any) -> Benchmark:
    """Every kind of case: a composed query, a subset, grades, several turns, a judgement; with pictures."""
    images = {name: picture(f"{name}.png", name) for name in ("red", "green", "blue")}
    judged = Judgement((JudgedSet(("red",), 4), JudgedSet(("blue",), 2)), preferred=1)
    return Benchmark(
        name="colours",
        split="val",
        cases=cases_of(
            [
                Query("1", (Turn(picture="red", text="in blue", without=("green",)),)),
                Query("2", (Turn(text="green"), Turn(picture="blue", text="not so", liked=("red",)))),
            ],
            truths={"1": ("blue",), "2": ("green", "red")},
            exclusions={"1": ("red",)},
            subsets={"1": ("red", "blue", "green")},
            grades={"2": {"green": 1.0, "red": 0.5}},
            aspects={"1": ("change",)},
            judgements={"2": judged},
            notes={"1": {"who": "me", "pair": 3}},
        ),
        galleries={"": ("red", "green", "blue")},
        protocol={"reference": "removed"},
        measures=("Recall @ 1",),
        images=images,
    )


@pytest.mark.parametrize("form", ["parquet", "disk"])
def test_the_command_writes_what_eval_measures_alike(
    bench: Benchmark, tmp_path: Path, command: Any, form: str
) -> None:
    write_benchmark(bench, tmp_path / "colours.jsonl")
    out = tmp_path / "out"
    command("data", "convert", tmp_path / "colours.jsonl", out, "--form", form)
    again = load_benchmark(f"hf:{out}:val")
    assert replace(again, images={}) == replace(load_benchmark(str(tmp_path / "colours.jsonl")), images={})
    for id, file in again.images.items():
        assert file.read_bytes() == bench.images[id].read_bytes()


def test_datasets_itself_reads_it_pictures_included(bench: Benchmark, tmp_path: Path) -> None:
    write_datasets(bench, tmp_path / "out")
    write_datasets(replace(bench, split="test"), tmp_path / "out")
    cache = str(tmp_path / "cache")
    queries = datasets.load_dataset(str(tmp_path / "out"), "queries", cache_dir=cache)
    assert set(queries) == {"val", "test"}
    assert queries["val"]["text"] == ["in blue", "not so"]
    assert queries["val"][1]["truths"] == ["green", "red"]
    pictures = datasets.load_dataset(str(tmp_path / "out"), "pictures", split="val", cache_dir=cache)
    seen = pictures.cast_column("image", datasets.Image())[0]
    assert (seen["id"], seen["image"].size) == ("red", (320, 240))


def test_what_is_missing_is_said(bench: Benchmark, tmp_path: Path) -> None:
    write_datasets(bench, tmp_path / "out")
    with pytest.raises(UsageError, match=r"no such split .*there is val"):
        load_benchmark(f"hf:{tmp_path / 'out'}:train")
    with pytest.raises(UsageError, match="write it with `circlet data convert`"):
        load_benchmark(f"hf:{tmp_path / 'nothing'}:val")
    with pytest.raises(UsageError, match="takes no options"):
        load_benchmark(f"hf:{tmp_path / 'out'}:val?reference=kept")
    bench.images["red"].unlink()
    with pytest.raises(DataError, match=r"red\.png: no such file"):
        write_datasets(bench, tmp_path / "again")
