"""What people stumbled over: filters off the screen, a lost focus, a lost place, misleading words."""

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE

from circlet.app.http.keys import written
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.index import key_of


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_filters_stay_on_the_screen(visit: Any, width: int) -> None:
    visitor = visit("/act?text=red,+an+animal,+in+the+water,+at+night")
    page = visitor.page
    page.set_viewport_size({"width": width, "height": 800})
    page.click("#grid .pick >> nth=1")
    visitor.until_turns(2)
    visitor.say("yellow, on a table, seen from the side")
    page.click("#filters > summary")
    box = page.locator("#filters .panel").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_compare_shows_whole_pictures(visit: Any) -> None:
    visitor = visit("/compare?text=an+animal")
    fit = "getComputedStyle(document.querySelector('.pair img')).objectFit"
    assert visitor.page.evaluate(fit) == "contain"


def test_the_focus_stays_where_a_disliked_card_was(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    names = visitor.names()
    page.focus(f'.pick[data-name="{names[4]}"]')
    page.keyboard.press("d")
    visitor.until(lambda: names[4] not in visitor.names())
    place = "[...document.querySelectorAll('#grid > .card')].indexOf(document.activeElement.closest('.card'))"
    assert page.evaluate(place) == 4


def test_a_reload_keeps_the_place(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.wait_for_selector("#more", state="attached")
    page.evaluate("document.getElementById('more').scrollIntoView()")
    visitor.until(lambda: len(visitor.names()) > 40)
    key = visitor.page.evaluate("document.querySelectorAll('#grid > .card')[45].dataset.key")
    card = f"document.querySelector('#grid > .card[data-key=\"{key}\"]')"
    page.evaluate(f"{card}.scrollIntoView({{ block: 'start' }})")
    page.screenshot()  # everything in sight is drawn
    before = page.evaluate(f"{card}.getBoundingClientRect().top")
    page.reload()
    visitor.until(lambda: len(visitor.names()) > 45)
    visitor.until(lambda: abs(page.evaluate(f"{card}.getBoundingClientRect().top") - before) < 3)


def test_compare_keeps_the_filters(visit: Any) -> None:
    visitor = visit("/act?text=an+animal&folder=food")
    page = visitor.page
    assert "red-apple.png" in visitor.names()
    with page.expect_navigation():
        page.click("#compare")
    shown = {img.get_attribute("alt") for img in page.locator(".pair img").all()}
    assert shown
    assert "Find similar to dog.png" not in shown
    assert "Only: in food" in page.inner_text("main")
    page.click("text=Open in Search")
    page.wait_for_selector("#grid")
    assert "folder=food" in page.url


def album(tmp_path: Path, at_home: Any, **options: Any) -> tuple[Collection, Path]:
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    return Collection.open(folder, home=home), folder


def test_links_out_of_the_folder_are_skipped_by_name_unless_allowed(tmp_path: Path, at_home: Any) -> None:
    collection, folder = album(tmp_path, at_home)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    for path, colour in (
        (folder / "in.png", "red"),
        (outside / "out.png", "blue"),
        (outside / "b.png", "lime"),
    ):
        Image.new("RGB", (40, 40), colour).save(path)
    (folder / "link.png").symlink_to(outside / "out.png")
    (folder / "more").symlink_to(outside)
    report = collection.index()
    assert report.added == 1
    assert {Path(path).name for path, _ in report.skipped} == {"link.png", "more"}
    assert all("--follow" in reason for _, reason in report.skipped)

    collection.allow_links(True)
    assert collection.index().added == 3
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        key = written(key_of(str(folder / "link.png")))
        assert client.get(f"/api/v1/pictures/{key}/thumbnail").status_code == 200
        collection.allow_links(False)
        assert client.get(f"/api/v1/pictures/{key}/thumbnail").status_code == 404


def test_an_empty_folder_says_that_it_is_empty(tmp_path: Path, at_home: Any) -> None:
    collection, folder = album(tmp_path, at_home)
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        assert "Nothing is indexed yet" in client.get("/").text
        collection.index()
        for where in ("/", "/act?text=dog"):
            page = client.get(where).text
            assert "There are no pictures here" in page
            assert "as they are read" not in page
        (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 not a picture")
        collection.index()
        assert "1 file in it could not be read" in client.get("/").text


def test_no_hits_under_a_filter_and_the_count_say_so(inside: TestClient) -> None:
    page = inside.get("/act?text=a+dog&min_size=5000", follow_redirects=True).text
    assert "No picture passes the filters" in page
    assert "Nothing matches well" not in page
    page = inside.get("/act?text=a+dog&folder=animals", follow_redirects=True).text
    assert re.search(r"13 of \d+ pictures in", page)


@pytest.mark.parametrize(
    ("words", "said"), [("ein Hund am Strand ohne Leute", True), ("собака", True), ("a dog", False)]
)
def test_words_that_the_encoder_does_not_read_are_named(inside: TestClient, words: str, said: bool) -> None:
    page = inside.get("/act", params={"text": words}, follow_redirects=True).text
    assert ("does not look English" in page) is said


def test_an_empty_upload_is_named(inside: TestClient) -> None:
    for where in ("/ask", "/api/v1/search"):
        answer = inside.post(where, files={"picture": ("beach.jpg", b"")}, data={"text": "at night"})
        assert answer.status_code == 415
        assert "beach.jpg: this file is empty" in answer.text


def test_the_printed_address_can_be_opened(command: Any) -> None:
    import httpx

    server = command.start("serve", "--host", "0.0.0.0", "--port", 0, "--token", "a+b&c#d/e?f g%hijk")
    try:
        address = server.stdout.readline().split("circlet is at ")[1].split("  ")[0]
        assert "0.0.0.0" not in address
        with httpx.Client(timeout=PATIENCE) as client:
            assert client.get(address, follow_redirects=True).status_code == 200
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
