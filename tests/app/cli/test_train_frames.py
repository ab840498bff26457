"""`circlet train frames`: what is wrong is said before anything is drawn."""

from pathlib import Path
from typing import Any


def test_a_finished_reader_is_not_written_over_and_nothing_is_drawn_for_it(
    command: Any, tmp_path: Path
) -> None:
    out = tmp_path / "reader"
    out.mkdir()
    (out / "config.json").write_text("{}")
    said = command("train", "frames", "--data", f"tableaux:{tmp_path / 'world'}", "--out", out, code=2).stderr
    assert f"{out} already holds a finished reader: name another folder, or delete it" in said


def test_a_set_without_films_is_named(command: Any, tmp_path: Path) -> None:
    world = tmp_path / "world"
    said = command("train", "frames", "--data", f"tableaux:{world}", "--out", tmp_path / "out", code=2).stderr
    assert f"{world} holds no films: make them with `circlet data make tableaux`" in said
    said = command("train", "frames", "--data", "cirr:here", "--out", tmp_path / "out", code=2).stderr
    assert "make a set with `circlet data make tableaux --out world`" in said
