"""`circlet serve` as a user types it: what it refuses, what it prints, what the pages show."""

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from circlet.app.http.server import create_app
from circlet.collection import Collection, Hit, Results, SearchOptions


def test_wrong_usage_is_one_line(command: Any, tmp_path: Path) -> None:
    assert "there is no such folder" in command("serve", tmp_path / "none", code=2).stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = command("serve", "--port", taken.getsockname()[1], code=2).stderr
        assert "give another --port" in said
    assert "too easy to guess" in command("serve", "--port", 0, "--token", "abc", code=2).stderr


def test_other_machines_get_a_token_of_its_own(command: Any) -> None:
    server = command.start("serve", "--host", "0.0.0.0", "--port", 0)
    try:
        said = server.stdout.readline()
        assert "?token=" in said
        address = said.split()[3].replace("0.0.0.0", "127.0.0.1")
        with httpx.Client(timeout=60) as client:
            assert client.get(address.partition("?")[0]).status_code == 401
            page = client.get(address, follow_redirects=True)
            assert page.status_code == 200
            assert "token" not in str(page.url)
            assert "Nothing is indexed yet" in page.text
    finally:
        server.terminate()
        server.communicate(timeout=20)


def test_the_cut_off_line_stands_where_the_matches_end(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = Collection.open(homes[0], home=homes[1])
    paths = [str(path) for path in sorted((homes[0] / "animals").iterdir())[:6]]

    def find(query: Any, options: SearchOptions) -> Results:
        hits = tuple(Hit(at, 1 - at / 10, path, below=at > 3) for at, path in enumerate(paths, start=1))
        page = hits[options.start : options.start + options.top]
        return Results(query, page, cutoff=0.65, matched=True, more=False)

    monkeypatch.setattr(collection, "find", find)
    with TestClient(create_app(collection), base_url="http://localhost") as client:
        text = client.get("/act?text=dog").text
        before, line, after = text.partition('<li class="cut">')
        assert line
        assert before.count('class="card"') == 3
        assert after.count('class="card below"') == 3


def test_status_starts_an_indexing_run_and_shows_it(visit: Any) -> None:
    visitor = visit("/status")
    page = visitor.page
    assert "broken.jpg" in page.inner_text("main")

    def done() -> int:
        # Others may have started runs on this site before.
        return page.inner_text("#status").count("done")

    before = done()
    with page.expect_navigation():
        page.click("text=Look for new pictures")
    visitor.until(lambda: done() == before + 1, seconds=60)
    assert "unchanged" in page.inner_text("#status table >> nth=0")
    assert page.is_enabled("text=Look for new pictures")


def test_compare_shows_two_methods_side_by_side(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.click("#grid .pick >> nth=0")
    visitor.until_turns(2)
    visitor.say("red")
    page.click("#compare")
    page.wait_for_selector(".pair")
    page.select_option("[name=a]", "text")
    page.select_option("[name=b]", "image")
    page.click("button >> text=Compare")
    page.wait_for_selector("#side1 >> text=text")
    tiles = [page.locator(f".pair section >> nth={side}").locator(".tile img") for side in (0, 1)]
    assert [tile.count() for tile in tiles] == [24, 24]
    assert "found by both" in page.inner_text("main")
    with page.expect_navigation():
        page.click("text=Open in Search")
    visitor.until_turns(2)
