"""`--store` and CIRCLET_STORE: an index somewhere else than at home, by every command that opens it."""

import json
from pathlib import Path
from typing import Any

import pytest


def test_an_index_in_another_folder_is_built_searched_verified_and_emptied(
    command: Any, picture: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = picture("red.jpg", "red").parent
    elsewhere = tmp_path / "elsewhere"
    assert command("index", folder, "--store", elsewhere, "--no-look").stdout == f"{folder}: 1 added\n"
    assert not (command.home / "index").exists()
    assert json.loads(command("info", "--json").stdout)["pictures"] == 0
    monkeypatch.setenv("CIRCLET_STORE", str(elsewhere))
    told = json.loads(command("info", "--json").stdout)
    assert (told["store"], told["pictures"]) == (str(elsewhere), 1)
    found = json.loads(command("search", folder / "red.jpg", "--keep-reference", "--json").stdout)
    assert [hit["path"] for hit in found["results"]] == [str(folder / "red.jpg")]
    assert command("verify").stdout == f"{elsewhere}: whole\n"
    assert command("forget", folder).stdout == f"{folder}: 1 picture forgotten\n"


def test_an_address_that_no_engine_answers_is_refused_without_its_token(command: Any, tmp_path: Path) -> None:
    said = command("index", tmp_path, "--store", "nowhere://me:secret@host/name", code=2).stderr
    assert "nowhere://host/name: no store is reached by nowhere://; name a folder" in said
    assert "secret" not in said
