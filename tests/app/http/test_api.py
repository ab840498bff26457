"""The JSON API: every feature of the page, the documented answers, and no 500 whatever is sent."""

import io
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from shutil import copy
from threading import Event
from typing import Any

import pytest
import schemathesis

# All of it now: pytest parses what it loads, and Python 3.11 does that in one thread at a time.
import schemathesis.specs.openapi.schemas
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from PIL import Image
from schemathesis import GenerationMode
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE, Gate

from circlet.app.http.config import ServerConfig
from circlet.app.http.library import Library
from circlet.app.http.server import create_app
from circlet.collection import Collection, SearchOptions
from circlet.core import BusyError, Query, Turn


def search(client: TestClient, *turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/search", json={"turns": list(turns), **more})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def move(client: TestClient, session: str, name: str, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/sessions/{session}/moves", json={"move": name, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def names(said: dict[str, Any]) -> list[str]:
    return [hit["name"] for hit in said["results"]]


def test_it_finds_what_the_collection_finds(inside: TestClient, homes: tuple[Path, Path]) -> None:
    folder, home = homes
    picture = str(folder / "food/red-apple.png")
    found = Collection.open(folder, home=home).find(Query("q") + Turn(picture=picture, text="green"), top=12)
    key = next(
        hit["key"]
        for hit in search(inside, {"text": "red apple"})["results"]
        if hit["name"] == "red-apple.png"
    )
    said = search(inside, {"picture": key, "text": "green"}, top=12)
    assert names(said) == [Path(hit.path).name for hit in found.hits]
    assert [hit["score"] for hit in said["results"]] == pytest.approx(
        [hit.score for hit in found.hits], abs=1e-5
    )
    assert "red-apple.png" not in names(said)


def test_a_form_with_a_picture_is_a_search_too(inside: TestClient, homes: tuple[Path, Path]) -> None:
    data = (homes[0] / "food/red-apple.png").read_bytes()
    fields = {"text": "green", "top": "5", "turns": json.dumps([{"text": "fruit"}])}
    answer = inside.post("/api/v1/search", data=fields, files={"picture": ("a.png", data)})
    said = answer.json()
    assert [sorted(turn) for turn in said["turns"]] == [["text"], ["picture", "text"]]
    assert len(said["results"]) == 5
    by_upload = inside.post("/api/v1/uploads", files={"picture": ("b.png", data)}).json()["key"]
    assert said["turns"][1]["picture"] == by_upload, "the same picture is kept once"
    only = inside.post("/api/v1/search", data={"id": by_upload})
    assert only.json()["turns"] == [{"picture": by_upload}]


def test_pages_of_results_join_without_gap(inside: TestClient) -> None:
    whole = names(search(inside, {"text": "an animal"}, top=30))
    parts = [names(search(inside, {"text": "an animal"}, top=10, start=start)) for start in (0, 10, 20)]
    assert [name for part in parts for name in part] == whole


def test_a_session_moves_step_by_step(inside: TestClient) -> None:
    first = move(inside, "new", "say", text="an animal")
    pick = first["results"][2]
    second = move(inside, first["session"], "pick", picture=pick["key"])
    shown = [hit["key"] for hit in first["results"][:10]]
    assert second["turns"][1] == {"picture": pick["key"], "shown": shown}
    third = move(inside, second["session"], "say", text="red", without=["water"])
    said = {"picture": pick["key"], "text": "red", "without": ["water"], "shown": shown}
    assert third["turns"][1] == said
    weighed = move(inside, third["session"], "balance", balance=0.8)
    assert weighed["turns"][1]["balance"] == 0.8
    more = move(inside, third["session"], "more", text="red")
    assert more["turns"][1]["emphasis"] == [["red", 1.5]]
    assert move(inside, more["session"], "less", text="red")["turns"] == third["turns"]

    liked = move(inside, third["session"], "like", picture=third["results"][0]["key"])
    marked = move(inside, liked["session"], "dislike", picture=third["results"][1]["key"])
    assert len(marked["turns"]) == 3, "marks one after another are one turn"
    assert third["results"][1]["key"] not in [hit["key"] for hit in marked["results"]]
    assert move(inside, marked["session"], "undo")["session"] == third["session"]

    earlier = move(inside, third["session"], "back", turn=1)
    assert earlier["turns"] == first["turns"]
    assert set(earlier["paths"]) == {"main", "2"}
    assert move(inside, earlier["session"], "switch", path="main")["turns"] == third["turns"]
    empty = move(inside, first["session"], "undo")
    assert (empty["session"], empty["results"]) == ("", [])


def test_a_session_outlives_its_server(inside: TestClient, homes: tuple[Path, Path]) -> None:
    said = search(inside, {"text": "an animal"})
    picked = move(inside, said["session"], "pick", picture=said["results"][1]["key"], text="red")
    with TestClient(
        create_app(Collection.open(homes[0], home=homes[1])), base_url="http://localhost"
    ) as other:
        shown = other.get(f"/api/v1/sessions/{picked['session']}").json()
        assert shown["turns"] == picked["turns"]
        assert names(other.post("/api/v1/search", json={"session": picked["session"]}).json()) == names(
            picked
        )


def test_why_adds_up_to_the_score(inside: TestClient) -> None:
    first = search(inside, {"text": "an animal"})
    said = move(inside, first["session"], "pick", picture=first["results"][0]["key"], text="red")
    for hit in said["results"][:5]:
        why = inside.get(f"/api/v1/sessions/{said['session']}/why/{hit['key']}").json()
        assert why["score"] >= hit["score"] - 1e-4, "how it was found counts a little beside the clauses"
        assert why["by_clauses"], "a picture with words is ordered by what holds in it"
        assert [check["clause"] for check in why["checks"]] == [check["clause"] for check in hit["checks"]]
        likely = [check["probability"] for check in hit["checks"]]
        # Checked alone or with a page of others, sums of floats differ in their last digits.
        assert [check["probability"] for check in why["checks"]] == pytest.approx(likely, abs=1e-5)
        assert {part["turn"] for part in why["parts"]} == {1, 2}
    for hit in first["results"][:5]:
        why = inside.get(f"/api/v1/sessions/{first['session']}/why/{hit['key']}").json()
        assert not why["by_clauses"]
        assert sum(part["value"] for part in why["parts"]) == pytest.approx(hit["score"], abs=1e-4)


def test_every_result_says_what_holds_in_it(inside: TestClient, homes: tuple[Path, Path]) -> None:
    with (homes[0] / "food/banana.png").open("rb") as file:
        said = inside.post(
            "/api/v1/search",
            files={"picture": file},
            data={"text": "red; two of them", "without": "leaves", "top": "9"},
        ).json()
    assert len(said["results"]) == 9
    for hit in said["results"]:
        clauses = {check["clause"]: check["probability"] for check in hit["checks"]}
        assert list(clauses) == ["as in your picture", "in red", "two", "no leaves"]
        assert clauses.pop("two") is None, "no vector of a whole picture tells a number"
        assert all(0 <= likely <= 1 for likely in clauses.values())
    assert said["results"][0]["checks"][1]["probability"] > 0.5
    assert move(inside, "new", "say", text="red")["results"][0]["checks"][0]["clause"] == "in red"


def test_what_was_heard_is_struck_and_turned(inside: TestClient) -> None:
    first = move(inside, "new", "say", text="an animal; at night; without water")
    night = move(inside, first["session"], "strike", text="no water")
    assert night["turns"] == [{"text": "an animal; at night"}]
    day = move(inside, night["session"], "turn", text="at night")
    assert day["turns"] == [{"text": "an animal", "without": ["at night"]}]
    wrong = inside.post(f"/api/v1/sessions/{day['session']}/moves", json={"move": "strike", "text": "a cat"})
    assert wrong.status_code == 400
    assert wrong.json()["detail"] == "'a cat' is not what was heard: there is animal, not at night"
    assert (
        move(inside, move(inside, "new", "say", text="red")["session"], "strike", text="in red")["results"]
        == []
    )


def test_compare_filters_and_folding(inside: TestClient) -> None:
    body = {"turns": [{"text": "a dog"}], "methods": ["text", "default"], "top": 10}
    compared = inside.post("/api/v1/compare", json=body).json()
    assert set(compared["sides"]) == {"text", "default"}
    seen = [{hit["key"] for hit in side["results"]} for side in compared["sides"].values()]
    assert compared["both"] == len(seen[0] & seen[1])

    narrowed = search(inside, {"text": "a dog"}, options={"folder": "animals"}, top=50)
    assert {hit["place"].split("/")[0] for hit in narrowed["results"]} == {"animals"}
    folded = [hit for hit in search(inside, {"text": "a dog"}, top=100)["results"] if hit["folded"]]
    copies = [{hit["name"], *(one["name"] for one in hit["folded"])} for hit in folded]
    assert {"dog.png", "dog copy.png"} in copies
    apart = names(search(inside, {"text": "a dog"}, options={"fold": False}, top=100))
    assert {"dog.png", "dog copy.png"} <= set(apart)


def test_pictures_and_their_thumbnails(inside: TestClient) -> None:
    picture = inside.get("/api/v1/pictures", params={"top": 1}).json()[0]
    about = inside.get(f"/api/v1/pictures/{picture['key']}").json()
    assert (about["width"], about["height"], about["format"]) == (160, 160, "PNG")
    drawn = inside.get(picture["thumbnail"], params={"side": 96})
    assert drawn.headers["content-type"] == "image/webp"
    again = inside.get(
        picture["thumbnail"], params={"side": 96}, headers={"if-none-match": drawn.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")
    assert inside.get(picture["thumbnail"], params={"side": 97}).status_code == 400
    every = inside.get("/api/v1/pictures", params={"top": 100}).json()
    assert len({one["key"] for one in every}) == len(every) == 100


def test_status_of_the_server(inside: TestClient) -> None:
    [root] = inside.get("/api/v1/collections").json()
    assert root["name"] == "album"
    assert root["pictures"] > 100
    [broken] = inside.get("/api/v1/broken").json()
    assert broken["place"] == "broken.jpg"
    assert broken["reason"]
    assert {"default", "text", "image"} <= {one["name"] for one in inside.get("/api/v1/methods").json()}
    lines = inside.get("/api/v1/metrics").text.splitlines()
    assert f"circlet_pictures {root['pictures']}" in lines
    assert any(
        line.startswith('circlet_requests_total{route="/api/v1/collections",status="200"}') for line in lines
    )


def test_an_indexing_job_runs_beside_and_finds_new_pictures(
    tmp_path: Path, at_home: Any, homes: tuple[Path, Path], gate: Gate
) -> None:
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    copy(homes[0] / "animals/cat.png", folder)
    app = create_app(Collection.open(folder, home=home), index=True)
    with ExitStack() as stack:
        with gate.shut():
            client = stack.enter_context(TestClient(app, base_url="http://localhost"))
            [following] = [thread for thread in threading.enumerate() if thread.name == "indexing"]
            assert "Nothing is indexed yet" in client.get("/").text
            assert client.post("/api/v1/jobs").status_code == 409
            assert [job["state"] for job in client.get("/api/v1/jobs").json()] == ["running"]
        end = time.monotonic() + PATIENCE
        while following.is_alive():
            assert time.monotonic() < end
            assert client.get("/api/v1/health").status_code == 200
            following.join(0.1)
        [job] = client.get("/api/v1/jobs").json()
        assert (job["state"], job["report"].get("added")) == ("done", 1), job
        assert str(tmp_path) not in client.get("/api/v1/jobs").text
        assert names(search(client, {"text": "a cat"})) == ["cat.png"]
        assert "1 added" in client.get("/status").text
    assert app.state.library.jobs.running is None


def test_pictures_are_not_forgotten_while_the_index_is_busy(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library(Collection.open(homes[0], home=homes[1]), ServerConfig())
    id = library.browse(SearchOptions(), 0, 1)[0][0]
    key = library.keys.key(id)
    assert library.keys.id(key) == id

    def busy(*_: Any) -> None:
        raise BusyError("another process is changing the index")

    monkeypatch.setattr(library.collection.store, "named", busy)
    assert library.keys.id(key) == id


def test_encoding_an_upload_keeps_nobody_waiting(
    inside: TestClient, homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = inside.app.state.library.collection.encoder  # type: ignore[attr-defined]
    began, done, images = Event(), Event(), encoder.images

    def slow(pictures: Any) -> Any:
        began.set()
        assert done.wait(PATIENCE)
        return images(pictures)

    monkeypatch.setattr(encoder, "images", slow)
    turned = io.BytesIO()
    Image.open(homes[0] / "food/lemon.png").rotate(7).save(turned, "PNG")

    def ask() -> int:
        picture = {"picture": ("turned.png", turned.getvalue())}
        return int(inside.post("/api/v1/search", files=picture).status_code)

    with ThreadPoolExecutor(1) as threads:
        uploading = threads.submit(ask)
        try:
            assert began.wait(PATIENCE)
            assert inside.get("/api/v1/health").status_code == 200
            assert names(search(inside, {"text": "a cat"}))
            assert inside.get("/status").status_code == 200
            assert not uploading.done()
        finally:
            done.set()
        assert uploading.result() == 200


def test_unknown_things_are_told_apart(inside: TestClient) -> None:
    assert inside.get("/api/v1/jobs/77").status_code == 404
    assert inside.get("/api/v1/pictures/AAAAAAAAAAA").status_code == 404
    assert inside.get("/api/v1/nothing").status_code == 404
    assert inside.post("/api/v1/search", json={"turns": []}).status_code == 400
    assert (
        inside.post("/api/v1/search", content=b"x", headers={"content-type": "text/csv"}).status_code == 415
    )
    assert inside.post("/api/v1/search", json={"turns": [{"picture": "AAAAAAAAAAA"}]}).status_code == 404
    assert inside.delete("/api/v1/jobs").status_code == 405
    assert inside.post("/api/v1/uploads", files={"picture": ("a.png", b"")}).status_code == 415


def test_every_error_has_one_form(inside: TestClient, homes: tuple[Path, Path]) -> None:
    health, large = "/api/v1/health", {"content-length": str(10**9)}
    serving = ServerConfig(host="0.0.0.0", token="a-token-nobody-guesses")
    app = create_app(Collection.open(homes[0], home=homes[1]), serving)
    locked = TestClient(app, base_url="http://127.0.0.1")
    answers = {
        400: inside.get("/api/v1/sessions/x"),
        401: locked.get(health),
        403: inside.post("/api/v1/jobs", headers={"origin": "http://evil.example"}),
        404: inside.get("/api/v1/pictures/AAAAAAAAAAA"),
        405: inside.delete("/api/v1/jobs"),
        413: inside.post("/api/v1/sessions", headers=large, content=b"x"),
        415: inside.post("/api/v1/uploads", files={"picture": ("a.png", b"no picture")}),
        421: inside.get(health, headers={"host": "evil.example"}),
        422: inside.post("/api/v1/search", json={"top": 0}),
    }
    document = inside.get("/api/v1/openapi.json").json()
    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        told = answer.json()
        assert told.keys() == {"type", "title", "status", "detail"}
        assert told["status"] == status
        assert told["detail"]
        for path in document["paths"].values():
            for operation in path.values():
                form = operation["responses"][str(status)]["content"]
                assert list(form) == ["application/problem+json"]
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert {"token": []} in document["security"]
    assert set(document["components"]["schemas"]["Problem"]["properties"]) == told.keys()


def test_a_deleted_file_is_not_here(tmp_path: Path, at_home: Any) -> None:
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    for colour in ("red", "blue"):
        Image.new("RGB", (40, 40), colour).save(folder / f"{colour}.png")
    collection = Collection.open(folder, home=home)
    collection.index()
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        key = next(one["key"] for one in client.get("/api/v1/pictures").json() if one["name"] == "red.png")
        (folder / "red.png").unlink()
        for path in (f"/api/v1/pictures/{key}", f"/api/v1/pictures/{key}/thumbnail", f"/picture/{key}"):
            answer = client.get(path)
            assert answer.status_code == 404, path
            assert "gone" in answer.text


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_that_the_document_knows_fails(
    inside: TestClient, mode: GenerationMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """schemathesis sends what the OpenAPI document allows, and what it forbids; none ends in a 500."""

    def busy() -> None:
        raise BusyError("a job a request would be too many for a test")

    monkeypatch.setattr(inside.app.state.library.jobs, "start", busy)  # type: ignore[attr-defined]
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", inside.app, headers={"host": "localhost"})
    tried = 0
    for result in schema.get_all_operations():

        @seed(1)
        @settings(
            max_examples=6,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=result.ok().as_strategy(generation_mode=mode))
        def sent(case: schemathesis.Case) -> None:
            nonlocal tried
            tried += 1
            answer = case.call(headers={"host": "localhost"})
            assert answer.status_code < 500, (case, answer.text)

        # An operation without parameters has nothing to get wrong.
        with suppress(Unsatisfiable):
            sent()
    assert tried > 50
