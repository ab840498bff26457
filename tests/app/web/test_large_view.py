"""The large view: the original to open, to download, to show in its folder, and to look at closely."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click
import pytest
from PIL import Image
from starlette.testclient import TestClient

from circlet.app.http.config import ServerConfig
from circlet.app.http.keys import written
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.index import key_of


@pytest.fixture
def files(tmp_path: Path, at_home: Any) -> tuple[Collection, Path]:
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    Image.new("RGB", (1600, 900), "teal").save(folder / "sea.jpg")
    (folder / "mark.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="9"/></svg>'
    )
    collection = Collection.open(folder, home=home)
    collection.index()
    return collection, folder


def test_the_original_is_given_and_what_is_no_plain_picture_only_downloaded(
    files: tuple[Collection, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    collection, folder = files
    opened: list[tuple[str, bool]] = []
    monkeypatch.setattr(click, "launch", lambda path, locate: opened.append((path, locate)))
    sea, mark = (written(key_of(str(folder / name))) for name in ("sea.jpg", "mark.svg"))
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        answer = client.get(f"/api/v1/pictures/{sea}/original")
        assert answer.content == (folder / "sea.jpg").read_bytes()
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["content-disposition"].startswith("inline")
        saved = client.get(f"/api/v1/pictures/{sea}/original?download=yes")
        assert saved.headers["content-disposition"] == 'attachment; filename="sea.jpg"'
        drawing = client.get(f"/api/v1/pictures/{mark}/original")
        assert drawing.headers["content-disposition"].startswith("attachment")
        assert drawing.headers["content-type"] == "application/octet-stream"
        assert client.post(f"/picture/{sea}/folder", follow_redirects=False).status_code == 303
        assert opened == [(str(folder / "sea.jpg"), True)]
        assert client.get("/api/v1/pictures/AAAAAAAAAAA/original").status_code == 404

    away = ServerConfig(host="192.168.1.4", token="0123456789abcdef", originals=False)
    with TestClient(create_app(collection, away), base_url="http://192.168.1.4") as client:
        client.headers["authorization"] = "Bearer 0123456789abcdef"
        assert client.get(f"/api/v1/pictures/{sea}/original").status_code == 403
        assert client.post(f"/picture/{sea}/folder").status_code == 403
        assert client.get(f"/api/v1/pictures/{sea}").json()["original"] is None
        page = client.get(f"/picture/{sea}").text
        assert "Download" not in page
        assert "Show in folder" not in page


def test_the_large_view_tells_about_the_file_and_zooms(visit: Any, homes: tuple[Path, Path]) -> None:
    visitor = visit("/act?text=an+animal&folder=animals")
    page = visitor.page
    page.click("#grid [name=view] >> nth=0")
    name = visitor.names()[0]
    day = datetime.fromtimestamp((homes[0] / "animals" / name).stat().st_mtime).date()
    facts = f"animals/{name} · file from {day} · 160 × 160 PNG"
    visitor.until(lambda: facts in page.inner_text("dialog.large .facts"))
    with page.expect_download() as started:
        page.click("dialog.large >> text=Download")
    assert started.value.suggested_filename == name
    assert page.is_visible("dialog.large >> text=Show in folder")
    page.keyboard.press("z")
    visitor.until(lambda: str(page.get_attribute("dialog.large img", "src")).endswith("/original"))
    visitor.until(lambda: page.evaluate("document.querySelector('dialog.large img').naturalWidth") == 160)
    page.click("dialog.large img")
    assert page.locator("dialog.zoomed").count() == 0


def test_without_scripts_the_picture_page_has_the_original(visit: Any) -> None:
    visitor = visit("/act?text=an+animal", java_script_enabled=False)
    page = visitor.page
    with page.expect_navigation():
        page.click("#grid [name=view] >> nth=0")
    assert page.locator("text=Open").first.get_attribute("href").endswith("/original")
    with page.expect_download():
        page.click("text=Download")
