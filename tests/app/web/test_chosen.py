"""Choosing several pictures and taking them along; the link to a search; watching; the token's field."""

import io
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE

from circlet.app.http import watching
from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.app.http.watching import Watch, state_of
from circlet.collection import Collection
from circlet.core import BusyError

TOKEN = "a+b&c#d/e?f g%hi"


def test_chosen_pictures_are_taken_along_in_three_forms(visit: Any, homes: tuple[Path, Path]) -> None:
    for scripts in (True, False):
        visitor = visit(
            "/act?text=an+animal&folder=animals", java_script_enabled=scripts, accept_downloads=True
        )
        page = visitor.page
        assert not page.is_visible(".export")
        page.hover("#grid > .card >> nth=1")
        page.check("#grid [name=chosen] >> nth=1")
        page.check("#grid [name=chosen] >> nth=2")
        names = [node.get_attribute("data-name") for node in page.locator("#grid .pick").all()][1:3]
        got = {}
        for form in ("List", "Zip", "Album"):
            with page.expect_download() as started:
                page.click(f".export >> text={form}")
            got[form] = Path(started.value.path()).read_bytes()
        assert got["List"].decode().splitlines() == [f"animals/{name}" for name in names]
        with zipfile.ZipFile(io.BytesIO(got["Zip"])) as archive:
            assert archive.namelist() == [f"animals/{name}" for name in names]
            assert archive.read(f"animals/{names[0]}") == (homes[0] / "animals" / str(names[0])).read_bytes()
        assert got["Album"].count(b"data:image/") == 2
        assert f'title="animals/{names[0]}"'.encode() in got["Album"]
        assert str(homes[0]).encode() not in got["Album"], "where the folder lies is nobody's business"
        assert b"0.000" not in got["Album"], "what was chosen by hand has no score"


def test_what_is_chosen_stays_chosen_and_a_zip_needs_originals(visit: Any, inside: TestClient) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.focus("#grid .pick >> nth=0")
    page.keyboard.press("x")
    key = page.locator("#grid .card").first.get_attribute("data-key")
    visitor.say("in the water")
    assert page.is_checked(f"[name=chosen][value='{key}']") or key not in page.content()
    assert inside.post("/export", data={"export": "zip"}).status_code == 400
    assert inside.post("/export", data={"export": "tar", "chosen": key}).status_code == 400


def test_an_album_is_drawn_in_turn_like_every_small_picture(
    inside: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    [one] = inside.get("/api/v1/pictures?top=1").json()
    wanted = {"export": "album", "chosen": one["key"]}
    assert inside.post("/export", data=wanted).content.count(b"data:image/") == 1
    monkeypatch.setattr(inside.app.state.library.lanes, "queue", 0)  # type: ignore[attr-defined]
    assert inside.post("/export", data=wanted).status_code == 503


def test_the_link_is_copied(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.page.click("#copy")
    visitor.until_told("The link is copied")
    assert visitor.page.evaluate("navigator.clipboard.readText()") == visitor.page.url


class Started:
    """Jobs that only count how often they were started."""

    def __init__(self) -> None:
        self.count, self.busy = 0, False

    def start(self) -> None:
        if self.busy:
            raise BusyError("under way")
        self.count += 1


def test_a_watched_folder_is_indexed_when_a_change_has_come_to_rest(tmp_path: Path) -> None:
    jobs: Any = Started()
    Image.new("RGB", (8, 8)).save(tmp_path / "a.png")
    watch = Watch(lambda: {tmp_path: False}, jobs, pause=3600)
    watch.start()
    assert not watch.look()
    Image.new("RGB", (8, 8)).save(tmp_path / "b.png")
    assert not watch.look(), "it may still be written"
    jobs.busy = True
    assert not watch.look()
    jobs.busy = False
    assert watch.look()
    assert not watch.look()
    (tmp_path / "a.png").unlink()
    assert [watch.look(), watch.look()] == [False, True]
    assert jobs.count == 2
    watch.stop()


def test_a_watched_folder_ends_where_its_owner_says(tmp_path: Path) -> None:
    folder, outside = tmp_path / "album", tmp_path / "elsewhere"
    for place in (folder, outside):
        place.mkdir()
    (folder / "link").symlink_to(outside)
    before = [state_of({folder: follow}) for follow in (False, True)]
    Image.new("RGB", (8, 8)).save(outside / "b.png")
    after = [state_of({folder: follow}) for follow in (False, True)]
    assert [was == now for was, now in zip(before, after, strict=True)] == [True, False]


def test_serve_watches(tmp_path: Path, at_home: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that comes while it runs is found, though nobody asked for it."""
    monkeypatch.setattr(Watch.__init__, "__kwdefaults__", {"pause": 0.01})
    monkeypatch.setattr(watching, "_REST", 1.0)
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    Image.new("RGB", (40, 40), "red").save(folder / "red.png")
    collection = Collection.open(folder, home=home)
    collection.index()
    with TestClient(create_app(collection, watch=True), base_url="http://localhost") as client:
        Image.new("RGB", (40, 40), "blue").save(folder / "blue.png")
        end = time.monotonic() + PATIENCE
        while len(client.get("/api/v1/pictures").json()) < 2:
            assert time.monotonic() < end, client.get("/api/v1/jobs").json()


def test_a_visitor_without_the_token_gets_a_field_for_it(homes: tuple[Path, Path]) -> None:
    config = ServerConfig(token=TOKEN)
    app = create_app(Collection.open(homes[0], home=homes[1]), config)
    with TestClient(app, base_url="http://localhost") as client:
        door = client.get("/status", headers={"accept": "text/html,*/*"})
        assert door.status_code == 401
        assert 'action="/status"' in door.text
        assert 'name="token"' in door.text
        assert TOKEN not in door.text
        assert client.get("/status", headers={"accept": "*/*"}).text.startswith("circlet: ")
        inside = client.get("/status", params={"token": TOKEN}, headers={"accept": "text/html"})
        assert inside.status_code == 200
        assert "Files that could not be read" in inside.text
