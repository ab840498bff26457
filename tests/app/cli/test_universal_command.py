"""`--encoder st:NAME`, `--dim`, `--device` and `joint` through the real command, with tiny models."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.models.tiny import embedder, pictures, reranker


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, at_home: Any) -> Any:
    place = tmp_path_factory.mktemp("universal")
    embedder(place / "embedder")
    reranker(place / "reranker")
    command, folder = at_home(place / "home"), place / "pictures"
    folder.mkdir()
    for name, picture in zip("abc", pictures(), strict=True):
        picture.save(folder / f"{name}.png")
    command.folder, command.place = folder, place
    command.encoder = f"st:{place / 'embedder' / 'st'}"
    command("index", folder, "--encoder", command.encoder, "--dim", "8", "--device", "cpu")
    return command


def test_a_search_uses_the_encoder_with_its_length_and_reads_both_at_once(indexed: Any) -> None:
    assert json.loads((indexed.home / "settings.json").read_text())["encoder"] == f"{indexed.encoder}?dim=8"
    asked = ("search", indexed.folder / "a.png", "two red dog", "--json")
    found = {
        name: [
            Path(hit["path"]).name for hit in json.loads(indexed(*asked, "--method", name).stdout)["results"]
        ]
        for name in (
            "joint",
            "joint?instruction=find a cat",
            f"joint % 2 >> st-rerank:{indexed.place / 'reranker' / 'st'}",
        )
    }
    assert all(sorted(names) == ["b.png", "c.png"] for names in found.values()), found


def test_several_turns_are_read_at_once_in_a_session(indexed: Any) -> None:
    said = indexed("session", "--method", "joint?turns=all", feed="a dog\nat night\n:quit\n")
    assert "b.png" in said.stdout


def test_what_cannot_be_is_one_sentence(indexed: Any) -> None:
    said = indexed("search", "dog", "--dim", "4", code=2)
    assert "--dim needs --encoder st:NAME" in said.stderr
    said = indexed("search", "dog", "--encoder", "builtin", "--dim", "4", code=2)
    assert "--dim cuts vectors of models of sentence-transformers" in said.stderr
    said = indexed("search", "dog", "--device", "warp", code=2)
    assert "the device warp cannot be used" in said.stderr
