"""ImageCoDe's phenomena: the authors' notes as aspects of the queries, and the paper's shares."""

import json
from pathlib import Path

import pytest
from tests.data.shared import real

from circlet.core import DataError, Key, Ranking, Run
from circlet.data import load_benchmark
from circlet.data.readers.phenomena import FILE, read_phenomena, shares
from circlet.evaluate import measure

NOTES = """"video-1":
  "4":
    "description": "It says \\"annotation\\": \\"s\\", and goes on over the line\\
      \\ to the end"
    "annotation": "con, n"
    "visualization_id": "0"
  "0":
    "description": "a dog"
    "annotation": ""
    "visualization_id": "1"
open-images-2:
  '9':
    description: two dogs
    annotation: q
    visualization_id: '2'
"""


def test_notes_are_aspects_and_accuracy_is_told_by_them(tmp_path: Path) -> None:
    said = {"video-1": {"4": "a", "0": "a dog"}, "open-images-2": {"9": "two dogs"}}
    (tmp_path / "valid_data.json").write_text(json.dumps(said))
    plain = load_benchmark(f"imagecode:{tmp_path}")
    (tmp_path / FILE).write_text(NOTES)
    bench = load_benchmark(f"imagecode:{tmp_path}")
    assert bench.revision != plain.revision
    assert [case.aspects for case in bench.cases] == [
        ("video", "context", "nuances"),
        ("video",),
        ("static", "quantities"),
    ]
    picked = {"video-1/4": "video-1/4", "video-1/0": "video-1/3", "open-images-2/9": "open-images-2/1"}
    run = Run(method="m", subsets={Key(id): Ranking([first], [1]) for id, first in picked.items()})
    found = measure(run, bench).measures
    assert found["Within('video', Accuracy)"] == 50
    assert found["Within('context', Accuracy)"] == 100
    assert found["Within('quantities', Accuracy)"] == 0
    assert "Within('temporal', Accuracy)" not in found
    assert list(measure(run, plain).measures) == list(found)[:3]


def test_notes_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_text(NOTES.replace("con, n", "con, zz"))
    with pytest.raises(DataError, match="line 5: no phenomenon is marked 'zz'"):
        read_phenomena(path)
    path.write_text("nothing\n")
    with pytest.raises(DataError, match="no annotation in it; fetch it again"):
        read_phenomena(path)


def test_the_papers_table_is_counted_again() -> None:
    notes = read_phenomena(real("imagecode") / FILE)
    assert len(notes) == 2275
    table = {
        "context": 47.3, "temporal": 15.0, "quantities": 48.5, "spatial_relations": 70.5, "negation": 17.9,
        "visibility": 45.5, "nuances": 26.3, "coreference": 41.5, "meta_properties": 12.0,
    }  # fmt: skip
    found = shares(notes)
    for name, share in table.items():
        assert round(abs(found[name] - share), 6) <= 0.1, name
    bench = load_benchmark(f"imagecode:{real('imagecode')}")
    assert "Within('context', Accuracy)" in bench.measures
    assert "2 of 2,275 records of phenomena are of no description here" in bench.extra["findings"]
