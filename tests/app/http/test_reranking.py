"""`circlet serve --rerank`: percentages in the API, and no visitor names a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.app.conftest import until_loaded

from circlet.app.http.config import ServerConfig
from circlet.app.http.reranking import Rerankers
from circlet.app.http.server import create_app
from circlet.collection import Collection

TOY = "circlet.testing:ToyScorer"


@pytest.fixture(scope="module")
def reranked(homes: tuple[Path, Path]) -> Iterator[TestClient]:
    """The album, served with a scorer that has percentages."""
    collection = Collection.open(homes[0], home=homes[1])
    app = create_app(collection, ServerConfig(rerank=TOY))
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False) as client:
        until_loaded(client)
        yield client


def asked(client: TestClient, *words: str, **options: Any) -> Any:
    turns = [{"text": one} for one in words]
    answer = client.post("/api/v1/search", json={"turns": turns, "options": options})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_result_has_its_relevance_turn_after_turn(reranked: TestClient) -> None:
    for words in (["an apple"], ["a fruit", "red"]):
        said = asked(reranked, *words)
        relevance = [hit["relevance"] for hit in said["results"]]
        assert relevance == sorted(relevance, reverse=True)
        assert all(0 < one < 1 for one in relevance)
        assert [hit["below"] for hit in said["results"]] == [one < 0.5 for one in relevance]
        assert (said["cutoff"], said["relevance_cutoff"]) == (None, 0.5)
    moved = reranked.post(f"/api/v1/sessions/{said['session']}/moves", json={"move": "say", "text": "small"})
    assert all(hit["relevance"] is not None for hit in moved.json()["results"])
    where = f"/api/v1/sessions/{said['session']}/why/{said['results'][0]['key']}"
    assert reranked.get(where).json()["relevance"] == pytest.approx(relevance[0], abs=1e-5)
    assert reranked.get(where, params={"rerank": "no"}).json()["relevance"] is None


def test_a_visitor_may_have_the_methods_own_order_or_the_clauses(
    reranked: TestClient, inside: TestClient
) -> None:
    plain = asked(inside, "an apple")
    assert asked(reranked, "an apple", rerank="no")["results"] == plain["results"]
    assert {hit["relevance"] for hit in plain["results"]} == {None}
    assert asked(reranked, "an apple", rerank="circlet.testing:ToyScorer") | {"took_ms": 0} == asked(
        reranked, "an apple"
    ) | {"took_ms": 0}
    clauses = asked(inside, "an apple", rerank="clauses")
    assert clauses["notes"] == [
        "untrained: the encoder alone judges each part, and no percentage was fitted to that"
    ]
    known = reranked.get("/api/v1/rerankers").json()
    assert [one["name"] for one in known] == [TOY, "clauses", "no"]
    assert [one["name"] for one in inside.get("/api/v1/rerankers").json()] == ["clauses", "no"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../models", "os:getcwd", TOY, "st-rerank:/etc", "sum"])
def test_nobody_names_a_file_or_a_package(inside: TestClient, path: str) -> None:
    for answer in (
        inside.post("/api/v1/search", json={"turns": [{"text": "red"}], "options": {"rerank": path}}),
        inside.post("/api/v1/search", data={"text": "red", "rerank": path}),
        inside.post(
            "/api/v1/sessions/new/moves", json={"move": "say", "text": "a", "options": {"rerank": path}}
        ),
    ):
        assert answer.status_code == 400
        assert "unknown scorer" in answer.json()["detail"]
        assert "pick one of clauses, no" in answer.json()["detail"]
    page = inside.get("/", params={"s": asked(inside, "red")["session"], "rerank": path})
    assert "unknown scorer" in page.text


def test_nothing_matches_and_the_reason_comes_along(reranked: TestClient, homes: tuple[Path, Path]) -> None:
    with (homes[0] / "food/lemon.png").open("rb") as file:
        said = reranked.post(
            "/api/v1/search", data={"text": "zzz qqq"}, files={"picture": ("mine.png", file)}
        ).json()
    assert not said["matched"]
    assert said["missed"]["relevance"] == said["results"][0]["relevance"] < 0.5
    # The upload is nobody's file name.
    assert said["missed"]["worst"]["clause"] in ("as in your picture", "zzz qqq")
    assert asked(reranked, "an apple")["missed"] is None


def test_two_methods_are_compared_in_their_own_order(reranked: TestClient, inside: TestClient) -> None:
    body = {"turns": [{"text": "an apple"}], "methods": ["text", "default"], "top": 5}
    sides = [client.post("/api/v1/compare", json=body).json()["sides"] for client in (reranked, inside)]
    for name in body["methods"]:  # type: ignore[attr-defined]
        assert sides[0][name]["results"] == sides[1][name]["results"]
    named = reranked.post("/api/v1/compare", json={**body, "options": {"rerank": TOY}}).json()["sides"]
    assert all(hit["relevance"] is not None for hit in named["text"]["results"])


def test_a_folder_is_known_by_its_name_alone() -> None:
    known = Rerankers("/srv/secret/relevance")
    assert list(known.lines) == ["relevance", "clauses", "no"]
    assert known.resolved("relevance") == known.resolved("") == "/srv/secret/relevance"
    assert "secret" not in str(known.offered(""))
    assert [one["chosen"] for one in known.offered("no")] == [False, False, True]
    assert [one["chosen"] for one in known.offered("")] == [True, False, False]
    # A folder that is called like what is known is what the server was started with.
    assert Rerankers("/srv/clauses").resolved("clauses") == "/srv/clauses"
    assert Rerankers("clauses").offered("")[0]["value"] == ""
