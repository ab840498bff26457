"""The Python client against a server in a process of its own."""

from pathlib import Path
from typing import Any

import pytest

from circlet.app.http.client import Client
from circlet.core import PictureError, ServiceError, UsageError


def test_a_talk_of_three_turns(site: Any, homes: tuple[Path, Path]) -> None:
    with Client(site.address) as client:
        talk = client.search(homes[0] / "food/red-apple.png", "green", top=5)
        assert len(talk.results) == 5
        further = talk.pick(talk.results[1]["key"], "yellow").like(talk.results[2]["key"])
        assert len(further.answer["turns"]) == 3
        assert further.undo().undo().answer["turns"] == talk.answer["turns"]
        assert client.session(talk.session).say("on a tree").answer["turns"][0] == talk.answer["turns"][0]
        assert client.thumbnail(talk.results[0]["key"])[8:12] == b"WEBP"


def test_a_search_takes_the_method_and_filters(site: Any, homes: tuple[Path, Path]) -> None:
    client = Client(site.address)
    red = homes[0] / "food/red-apple.png"
    plain, text = client.search(red, "a dog", top=8), client.search(red, "a dog", top=8, method="text")
    assert len(text.results) == 8
    assert [hit["key"] for hit in text.results] != [hit["key"] for hit in plain.results]
    inside = client.search("a dog", folder="animals", fold=False, options={"orientation": "square"})
    assert {hit["place"].partition("/")[0] for hit in inside.results} == {"animals"}
    with pytest.raises(UsageError, match="unknown method 'sun'"):
        client.search("a dog", method="sun")


def test_errors_are_circlets_own(site: Any, homes: tuple[Path, Path], tmp_path: Path) -> None:
    client = Client(site.address)
    with pytest.raises(UsageError, match="at most 500"):
        client.search("x" * 501)
    with pytest.raises(PictureError, match="this picture"):
        client.search(homes[0] / "broken.jpg")
    with pytest.raises(PictureError, match="No such file"):
        client.search(tmp_path / "none.png")
    with pytest.raises(UsageError, match="one picture a turn"):
        client.search(tmp_path / "a.png", tmp_path / "b.png")
    with pytest.raises(ServiceError, match="is circlet serve running"):
        Client("http://127.0.0.1:9").search("a dog")


def test_a_server_with_a_token(sites: Any) -> None:
    served = sites("--token", "long-enough-for-a-test")
    with pytest.raises(UsageError, match="asks for its token"):
        Client(served.address).search("a dog")
    assert Client(served.address, token="long-enough-for-a-test").search("a dog", top=3).results
