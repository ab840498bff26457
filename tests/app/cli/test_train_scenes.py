"""`circlet train scenes`: what is wrong is said before anything is drawn."""

from pathlib import Path
from typing import Any


def test_what_cannot_be_learned_from_is_named_with_the_remedy(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = command("train", "scenes", "--data", f"tableaux:{tmp_path / 'world'}", "--out", out, code=2).stderr
    assert f"{tmp_path / 'world'} holds no scenes: make them with `circlet data make tableaux`" in said
    said = command("train", "scenes", "--data", "cirr:here", "--out", out, code=2).stderr
    assert "make a set with `circlet data make tableaux --out world`" in said


def test_a_finished_reader_is_not_written_over(command: Any, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    said = command("train", "scenes", "--data", "tableaux:world", "--out", tmp_path, code=2).stderr
    assert f"{tmp_path} already holds a finished reader: name another folder, or delete it" in said
