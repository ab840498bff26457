"""One of a few and what is kept, by the API: the numbers of `circlet pick`, under keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.app.conftest import until_loaded
from tests.collection.colours import Colours
from tests.shots import burst

from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.collection.picking import pick


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A server over a burst of four."""
    burst(tmp_path / "pictures")
    made = Collection.open(tmp_path / "pictures", home=tmp_path / "home", encoder=Colours())
    made.index()
    with TestClient(
        create_app(made, ServerConfig()), base_url="http://127.0.0.1:8000", follow_redirects=False
    ) as client:
        until_loaded(client)
        yield client


def keys(client: TestClient) -> dict[str, str]:
    return {one["name"]: one["key"] for one in client.get("/api/v1/pictures").json()}


def ask(client: TestClient, pictures: list[str], text: str = "something green") -> Any:
    return client.post("/api/v1/pick", json={"pictures": pictures, "text": text})


def test_the_answer_is_that_of_the_command(client: TestClient, tmp_path: Path) -> None:
    known = keys(client)
    answer = ask(client, list(known.values())).json()
    results, _ = pick([tmp_path / "pictures"], "something green", Colours())
    told = results.to_dict()
    assert [hit["name"] for hit in answer["results"]] == [Path(hit.path).name for hit in results]
    assert answer["results"][0]["name"] == "shot-green.jpg"
    for got, hit in zip(answer["results"], told["results"], strict=True):
        assert got["score"] == pytest.approx(hit["score"], abs=1e-5)
        assert [one["clause"] for one in got["checks"]] == [one["clause"] for one in hit["checks"]]
        assert hit.keys() - got.keys() == {"path"}
    assert {name: value for name, value in answer.items() if name != "results"} == {
        name: value for name, value in told.items() if name != "results"
    }
    assert str(tmp_path) not in str(answer)


def test_what_cannot_be_picked_from_is_refused(client: TestClient) -> None:
    red, blue, *_ = keys(client).values()
    assert ask(client, [red]).status_code == 422
    assert ask(client, [red, blue], "").status_code == 422
    assert ask(client, [red, "../../../etc"]).status_code == 422
    gone = ask(client, [red, "AAAAAAAAAAA"])
    assert (gone.status_code, "two pictures of the collection" in gone.json()["detail"]) == (400, True)
    assert ask(client, [red, red]).status_code == 400
    # One that is gone is passed by while two are left.
    assert len(ask(client, [red, "AAAAAAAAAAA", blue]).json()["results"]) == 2
    for page in ("/pile", f"/pile?of={red}", "/pile?of=%00&of=x"):
        answer = client.get(page)
        assert (answer.status_code, "two pictures" in answer.text) == (400, True), page
    many = client.get("/pile", params={"of": [red, blue, *[f"{n:011}" for n in range(100)]]})
    assert (many.status_code, "at most 100 pictures" in many.text) == (400, True)


def test_keeping_is_told_and_taken_back(client: TestClient) -> None:
    red = keys(client)["shot-red.jpg"]
    about = f"/api/v1/pictures/{red}"
    assert client.get(about).json()["kept"] is False
    assert client.post(f"{about}/keep", json={}).json() == {"key": red, "kept": True}
    assert client.get(about).json()["kept"] is True
    assert ask(client, list(keys(client).values()), "red").json()["results"][0]["kept"] is True
    client.post(f"{about}/keep", json={"kept": False})
    assert client.get(about).json()["kept"] is False
    assert client.post("/api/v1/pictures/AAAAAAAAAAA/keep", json={}).status_code == 404


def test_another_site_keeps_nothing(client: TestClient) -> None:
    red = keys(client)["shot-red.jpg"]
    answer = client.post("/keep", data={"keep": red}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert client.get(f"/api/v1/pictures/{red}").json()["kept"] is False


def test_an_upload_is_not_kept(client: TestClient, tmp_path: Path) -> None:
    picture = (tmp_path / "pictures" / "shot-red.jpg").read_bytes()
    key = client.post("/api/v1/uploads", files={"picture": picture}).json()["key"]
    answer = client.post(f"/api/v1/pictures/{key}/keep", json={})
    assert (answer.status_code, "not in the collection" in answer.json()["detail"]) == (400, True)
    assert ask(client, [key, *keys(client).values()]).status_code == 200
