"""Moments of videos over HTTP: told, drawn at their time, and the video itself in parts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.app.conftest import until_loaded
from tests.clips import animation, clip
from tests.collection.colours import Colours

from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection import Collection


@pytest.fixture
def films(tmp_path: Path) -> Collection:
    folder = tmp_path / "films"
    clip(folder / "trip" / "clip.mp4")
    animation(folder / "moving.gif", ["red", "blue"])
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.watch(True)
    made.index()
    return made


@pytest.fixture
def client(films: Collection) -> Iterator[TestClient]:
    with TestClient(create_app(films, ServerConfig()), base_url="http://127.0.0.1:8000") as opened:
        until_loaded(opened)
        yield opened


def found(client: TestClient, words: str) -> list[dict[str, Any]]:
    answer = client.post("/api/v1/search", json={"turns": [{"text": words}], "options": {"fold": False}})
    assert answer.status_code == 200, answer.text
    hits: list[dict[str, Any]] = answer.json()["results"]
    return hits


def test_a_moment_is_told_and_its_video_is_opened_there(client: TestClient, films: Collection) -> None:
    hit = next(one for one in found(client, "green"))
    assert (hit["name"], hit["place"]) == ("clip.mp4 at 0:02.1", "trip/clip.mp4#t=2.1")
    about = client.get(f"/api/v1/pictures/{hit['key']}").json()
    assert about["seconds"] == 2.1
    assert about["format"] == "MP4"
    assert about["original"] == f"/api/v1/pictures/{hit['key']}/original#t=2.1"
    small = client.get(hit["thumbnail"])
    assert small.headers["content-type"] == "image/webp"
    assert films.folder is not None
    content = (films.folder / "trip" / "clip.mp4").read_bytes()
    whole = client.get(about["original"])
    assert (whole.status_code, whole.headers["content-type"], whole.content) == (200, "video/mp4", content)
    part = client.get(about["original"], headers={"range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, content[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{len(content)}"
    assert client.get(about["original"], headers={"range": "bytes=9999999-"}).status_code == 416
    page = client.get(f"/picture/{hit['key']}").text
    assert f'<video controls preload="metadata" poster="{hit["thumbnail"]}' in page
    assert "media-src 'self'" in client.get("/").headers["content-security-policy"]


def test_an_animation_opens_as_the_picture_it_is(client: TestClient) -> None:
    hits = [one for one in found(client, "blue") if one["name"].startswith("moving.gif")]
    assert hits[0]["name"] == "moving.gif at 0:00.5"
    about = client.get(f"/api/v1/pictures/{hits[0]['key']}").json()
    assert about["original"] == f"/api/v1/pictures/{hits[0]['key']}/original"
    assert client.get(about["original"]).headers["content-type"] == "image/gif"


def test_only_videos_of_the_collection_are_given_out(
    client: TestClient, films: Collection, tmp_path: Path
) -> None:
    key = found(client, "green")[0]["key"]
    assert films.folder is not None
    path = films.folder / "trip" / "clip.mp4"
    path.rename(tmp_path / "elsewhere.mp4")
    for part in ("", "/original", "/thumbnail"):
        assert client.get(f"/api/v1/pictures/{key}{part}").status_code == 404
    path.symlink_to(tmp_path / "elsewhere.mp4")
    for part in ("", "/original", "/thumbnail"):
        answer = client.get(f"/api/v1/pictures/{key}{part}")
        assert answer.status_code == 404
        assert "leads out of the collection" in answer.text


def test_the_video_of_several_chosen_moments_is_in_the_zip_once(client: TestClient) -> None:
    import io
    import zipfile

    keys = [hit["key"] for hit in found(client, "green") if hit["name"].startswith("clip")]
    assert len(keys) == 3
    answer = client.post("/export", data={"export": "zip", "chosen": keys})
    assert zipfile.ZipFile(io.BytesIO(answer.content)).namelist() == ["trip/clip.mp4"]
