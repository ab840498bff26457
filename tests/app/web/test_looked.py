"""People and text on the page: what was seen beside a result, and what was not."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.core.marks import PEOPLE, TEXT, Mark
from circlet.index import marking
from circlet.models.seeing.watchers import Way


@pytest.fixture
def looked(homes: tuple[Path, Path], tmp_path: Path) -> Iterator[TestClient]:
    """The album, in which two people were seen with the castle and words on the bus."""
    folder, home = homes
    shutil.copytree(home, tmp_path / "home", symlinks=True)
    collection = Collection.open(folder, home=tmp_path / "home")
    with collection.open_store(write=True) as store:
        paths = [path for path, _ in store.walk(str(folder))]
        two = Mark("faces:1", 2, detail="[[0.9, 0.2], [0.9, 0.2]]")
        seen = {path: two if path.endswith("castle.png") else Mark("faces:1", 0) for path in paths}
        marking(store).mark(PEOPLE, seen)
        bus = Mark("text:1", 1, "school bus", json.dumps([["school bus", 0.9]]))
        marking(store).mark(TEXT, {path: bus for path in paths if path.endswith("/bus.png")})
    with TestClient(create_app(collection, ServerConfig()), base_url="http://127.0.0.1:8000") as client:
        yield client


def asked(client: TestClient, words: str) -> Any:
    return client.post("/api/v1/search", json={"turns": [{"text": words}]}).json()


def test_what_was_seen_orders_the_page_and_is_told_by_why(looked: TestClient) -> None:
    page = looked.get("/act", params={"text": "two people"})
    assert re.findall(r'data-name="([^"]+)"', page.text)[0] == "castle.png"
    assert "not checked" not in page.text
    answer = asked(looked, "two people")
    [check] = answer["results"][0]["checks"]
    assert (answer["results"][0]["name"], check["clause"]) == ("castle.png", "two people")
    assert check["probability"] == pytest.approx(0.95, abs=0.03)
    why = looked.get(f"/why/{answer['results'][0]['key']}", params={"s": answer["session"]})
    assert re.search(r"two people: 0\.9\d of 1", why.text)
    assert "by its clauses" in why.text


def test_what_was_seen_in_no_picture_is_no_match(looked: TestClient) -> None:
    for words, matched in (
        ("two people", True),
        ("nobody", True),
        ("three people", False),
        ("a portrait", False),
    ):
        assert asked(looked, words)["matched"] is matched, words
        page = looked.get("/act", params={"text": words}).text
        assert ("Nothing matches well; these come closest" in page) is not matched, words


def test_words_in_quotes_are_looked_up_and_what_is_not_read_yet_is_said(looked: TestClient) -> None:
    answer = asked(looked, '"school bus"')
    assert answer["results"][0]["name"] == "bus.png"
    [note] = answer["notes"]
    assert re.fullmatch(r"text: looked for in 1 of \d+ pictures so far; circlet index goes on", note)
    assert note in looked.get("/act", params={"text": '"school bus"'}).text


def test_what_is_not_checked_is_said_beside_the_results(
    inside: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Way, "installed", False)
    remedy = "people: not checked by this encoder; pip install &#39;circlet[people]&#39;, then circlet index"
    for words in ("nobody", "a beach without people", "two people", "a group", "a portrait"):
        there = inside.get("/act", params={"text": words}, follow_redirects=True).text
        assert remedy in there, words
        assert asked(inside, words)["notes"] == [remedy.replace("&#39;", "'")]
    assert "not checked" not in inside.get("/act", params={"text": "a red car"}, follow_redirects=True).text


def test_the_status_page_says_how_far_looking_is(looked: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Way, "installed", True)
    monkeypatch.setenv("CIRCLET_LOOK", "people,text")
    told = " ".join(re.sub(r"<[^>]+>", " ", looked.get("/status").text).split())
    assert re.search(r"Counting people \d+ pictures looked at", told)
    assert "Reading text 1 pictures looked at" in told
