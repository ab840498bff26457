"""Hugging Face datasets as others make them, written by the real package and read by the real command."""

import io
import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from PIL import Image

from circlet.core import DataError, UsageError
from circlet.data import load_benchmark

datasets = pytest.importorskip("datasets")
COLOURS = ("red", "green", "blue")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))


def drawn(colour: str) -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(held, "PNG")
    return held.getvalue()


def test_an_edit_dataset_under_its_own_names_is_measured_by_the_command(tmp_path: Path, command: Any) -> None:
    """As instruction-editing sets have it: decoded pictures, one column each, train and validation."""
    rows = {
        "input_image": [Image.open(io.BytesIO(drawn("red"))), Image.open(io.BytesIO(drawn("green")))],
        "edit_prompt": ["in blue", "in red"],
        "edited_image": [Image.open(io.BytesIO(drawn("blue"))), Image.open(io.BytesIO(drawn("red")))],
    }
    features = datasets.Features(
        input_image=datasets.Image(), edit_prompt=datasets.Value("string"), edited_image=datasets.Image()
    )
    made = datasets.Dataset.from_dict(rows, features=features)
    (tmp_path / "edits/data").mkdir(parents=True)
    made.to_parquet(str(tmp_path / "edits/data/validation-00000-of-00001.parquet"))
    made.select([0]).to_parquet(str(tmp_path / "edits/data/train-00000-of-00001.parquet"))
    bench = load_benchmark(f"hf:{tmp_path}/edits")
    assert [bench.split, len(bench.cases), len(bench.galleries[""])] == ["validation", 2, 3]
    first = bench.cases[0]
    assert first.query.last.text == "in blue"
    assert bench.images[first.truths[0]].read_bytes() == drawn("blue")
    assert first.query.last.picture == bench.cases[1].truths[0], "the same bytes are the same picture"
    told = command("eval", "--bench", f"hf:{tmp_path}/edits:val", "--method", "default", "--format", "csv")
    assert "100.0" in told.stdout


def test_captions_classes_and_folders_of_pictures(tmp_path: Path, command: Any) -> None:
    pictures = [{"bytes": drawn(colour), "path": None} for colour in COLOURS]
    several = {
        "img": pictures,
        "sentences": [
            [{"raw": f"a {c} wall", "sentid": 1}, {"raw": f"{c} paint", "sentid": 2}] for c in COLOURS
        ],
    }
    datasets.Dataset.from_dict(several).save_to_disk(str(tmp_path / "several"))
    bench = load_benchmark(f"hf:{tmp_path}/several")
    assert [case.query.last.text for case in bench.cases][:2] == ["a red wall", "red paint"]
    assert bench.cases[0].truths == bench.cases[1].truths
    numbered = {
        "image": [one["bytes"] for one in pictures],
        "caption_0": ["a", "b", "c"],
        "caption_1": ["d", "", "f"],
    }
    datasets.Dataset.from_dict(numbered).to_parquet(str(tmp_path / "numbered.parquet"))
    bench = load_benchmark(f"hf:{tmp_path}/numbered.parquet")
    assert sorted(case.query.last.text for case in bench.cases) == list("abcdf")
    features = datasets.Features(image=datasets.Image(), label=datasets.ClassLabel(names=["hot_dog", "cat"]))
    labelled = datasets.Dataset.from_dict({"image": pictures, "label": [0, 1, 0]}, features=features)
    datasets.DatasetDict(dev=labelled, test=labelled.select([1])).save_to_disk(str(tmp_path / "classes"))
    bench = load_benchmark(f"hf:{tmp_path}/classes:val")
    assert {case.query.last.text: len(case.truths) for case in bench.cases} == {"hot dog": 2, "cat": 1}
    for name in ("cat", "dog"):
        (tmp_path / "folders" / name).mkdir(parents=True)
        (tmp_path / "folders" / name / "one.png").write_bytes(drawn("red" if name == "cat" else "blue"))
    bench = load_benchmark(f"hf:{tmp_path}/folders")
    assert [case.query.last.text for case in bench.cases] == ["cat", "dog"]
    assert len(bench.images) == 2
    command("gather", tmp_path / "folders", "--into", tmp_path / "out")
    assert (tmp_path / "out/train/dog/one.png").read_bytes() == drawn("blue")
    assert (tmp_path / "out/train/dog/one.txt").read_text() == "dog"
    assert not list((tmp_path / "folders").rglob("*.txt")), "what was given is left as it was"


def test_ids_of_pictures_that_lie_elsewhere(tmp_path: Path, picture: Any) -> None:
    rows = {"reference": ["dev-1"], "target_hard": ["dev-2"], "caption": ["at night"]}
    datasets.Dataset.from_dict(rows).to_parquet(str(tmp_path / "cirr.parquet"))
    files = [picture(f"{name}.png", "red") for name in ("dev-1", "dev-2")]
    bench = load_benchmark(f"hf:{tmp_path}/cirr.parquet?images={files[0].parent}")
    assert (bench.cases[0].query.last.picture, bench.cases[0].truths) == ("dev-1", ("dev-2",))
    assert dict(bench.images) == {"dev-1": files[0], "dev-2": files[1]}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """A server of one picture."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/red").write_bytes(drawn("red"))
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "site"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_paths_and_addresses_in_a_column(tmp_path: Path, site: str, command: Any) -> None:
    place = tmp_path / "shop"
    (place / "pictures").mkdir(parents=True)
    (place / "pictures/b.png").write_bytes(drawn("blue"))
    rows = [
        {"photo_link": f"{site}/red", "title": "a red wall"},
        {"photo_link": "pictures/b.png", "title": "a blue wall"},
        {"photo_link": f"{site}/gone.png", "title": "a lost wall"},
        {"photo_link": "../outside.png", "title": "not ours"},
    ]
    (tmp_path / "outside.png").write_bytes(drawn("green"))
    datasets.Dataset.from_list(rows).to_parquet(str(place / "items.parquet"))
    bench = load_benchmark(f"hf:{place}/items.parquet")
    assert len(bench.cases) == 4
    assert bench.images[f"{site}/red"].read_bytes() == drawn("red")
    assert f"{site}/gone.png" not in bench.images
    told = command("gather", place / "items.parquet", "--into", tmp_path / "out", code=1)
    assert "2 pictures new, 0 there already, 2 failed" in told.stdout
    assert "outside of the folder" in told.stderr
    assert "404" in told.stderr
    assert (tmp_path / "out/train/pictures/b.txt").read_text() == "a blue wall"
    again = command("gather", place / "items.parquet", "--into", tmp_path / "out", code=1)
    assert "0 pictures new, 2 there already" in again.stdout


def test_what_is_unclear_is_said_with_the_columns_and_the_option(tmp_path: Path) -> None:
    made = datasets.Dataset.from_dict(
        {"left": [drawn("red")], "right": [drawn("blue")], "a": ["in blue"], "b": ["more blue"], "n": [3]}
    )
    made.to_parquet(str(tmp_path / "odd.parquet"))
    name = f"hf:{tmp_path}/odd.parquet"
    with pytest.raises(
        UsageError, match=r"left \(binary\), right .*n \(int64\).*\?reference=COLUMN&text=COLUMN"
    ):
        load_benchmark(name)
    with pytest.raises(UsageError, match="no column 'middle'; there are left, right, a, b, n"):
        load_benchmark(f"{name}?target=middle")
    bench = load_benchmark(f"{name}?reference=left&target=right&text=a,b")
    assert [case.query.last.text for case in bench.cases] == ["in blue", "more blue"]
    assert bench.cases[0].exclude == (bench.cases[0].query.last.picture,)
    with pytest.raises(UsageError, match="no split test; there is train"):
        load_benchmark(f"{name}:test?reference=left&target=right&text=a")
    with pytest.raises(UsageError, match="no option colour; there are config, reference, text, target"):
        load_benchmark(f"{name}?colour=left")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match=r"cannot read it .*name a folder"):
        load_benchmark(f"hf:{tmp_path}/broken.parquet")
    two = tmp_path / "two"
    for part in ("first", "second"):
        (two / part).mkdir(parents=True)
        made.to_parquet(str(two / part / "test.parquet"))
    configs = [{"config_name": part, "data_files": f"{part}/*.parquet"} for part in ("first", "second")]
    (two / "README.md").write_text(f"---\nconfigs: {json.dumps(configs)}\n---\n")
    with pytest.raises(UsageError, match=r"which part\? There are first, second; .*\?config=NAME"):
        load_benchmark(f"hf:{two}")
    assert load_benchmark(f"hf:{two}?config=second&reference=left&target=right&text=a").split in {
        "test",
        "train",
    }
