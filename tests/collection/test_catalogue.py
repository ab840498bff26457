"""What is indexed as a table, through the real command."""

import csv
import json
from pathlib import Path
from typing import Any


def test_a_gathered_folder_is_indexed_and_written_out(tmp_path: Path, command: Any, picture: Any) -> None:
    import tarfile

    with tarfile.open(tmp_path / "few.tar", "w") as tar:
        for name in ("red", "blue"):
            tar.add(picture(f"{name}.png", name, size=(64, 48)), arcname=f"{name}.png")
    said = command("gather", tmp_path / "few.tar", "--into", tmp_path / "out")
    assert "2 pictures new" in said.stdout
    command("index", tmp_path / "out", "--no-look")
    command("info", "--catalogue", tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["path"])
    assert [Path(row["path"]).name for row in rows] == ["blue.png", "red.png"]
    assert {(row["width"], row["height"]) for row in rows} == {("64", "48")}
    assert rows[0]["bytes"] == str((tmp_path / "out/few/blue.png").stat().st_size)
    command("info", "--catalogue", tmp_path / "all.json")
    listed = json.loads((tmp_path / "all.json").read_text())
    assert {row["path"]: row["hash"] for row in listed} == {row["path"]: row["hash"] for row in rows}
    refused = command("info", "--catalogue", tmp_path / "all.xml", code=2)
    assert "a catalogue is a .csv or a .json file" in refused.stderr
