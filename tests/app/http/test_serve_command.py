"""`circlet serve` as a user types it: what it refuses, what it prints, what the pages show."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE, Gate

from circlet.app.http.jobs import Jobs
from circlet.app.http.runs import Job
from circlet.app.http.server import create_app
from circlet.collection import Collection, Hit, Results, SearchOptions

# The table of indexing runs as it stands on the page: number, start, state, what was done.
RUNS = """[...document.querySelectorAll("[aria-labelledby=jobs] tbody tr")]
    .map((row) => [...row.cells].map((cell) => cell.innerText))"""


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
        with httpx.Client(timeout=PATIENCE) as client:
            assert client.get(address.partition("?")[0]).status_code == 401
            page = client.get(address, follow_redirects=True)
            assert page.status_code == 200
            assert "token" not in str(page.url)
            assert "Nothing is indexed yet" in page.text
        # The container's health check asks the same server, which is locked as it is there; then nobody.
        assert subprocess.run(health_check(httpx.URL(address).port)).returncode == 0
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
    assert subprocess.run(health_check(httpx.URL(address).port), stderr=subprocess.DEVNULL).returncode == 1


def health_check(port: int | None) -> list[str]:
    """The command of the Dockerfile's health check, asking another port."""
    lines = (Path(__file__).parents[3] / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
    check = next(line for line in lines.splitlines() if line.startswith("HEALTHCHECK"))
    _, *call = json.loads(check.partition("CMD")[2])
    return [sys.executable, *(word.replace("8000", str(port)) for word in call)]


@pytest.mark.parametrize("believed", [True, False])
def test_a_proxy_speaks_for_its_visitors_only_where_it_is_named(sites: Any, believed: bool) -> None:
    options = ["--proxy", "127.0.0.1"] if believed else []
    served = sites("--token", "a word of sixteen letters", *options)
    with httpx.Client(base_url=served.address, timeout=PATIENCE) as client:
        wrong = {"authorization": "Bearer not the word"}
        guesses = [
            client.get(
                "/api/v1/health", headers={**wrong, "x-forwarded-for": f"192.0.2.{number}"}
            ).status_code
            for number in range(12)
        ]
    # Twelve visitors who guess once each; or one, who would like to be taken for twelve.
    assert (429 in guesses) is not believed


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
        assert before.count('class="card r20"') == 3
        assert after.count('class="card r20 below"') == 3


def test_status_starts_an_indexing_run_and_shows_it(visit: Any, sites: Any, gate: Gate) -> None:
    visitor = visit("/status", address=sites().address)
    page = visitor.page
    assert "broken.jpg" in page.inner_text("main")

    def press() -> None:
        with page.expect_navigation():
            page.click("text=Look for new pictures")

    with gate.shut():
        press()
        assert page.is_visible("#indexing progress")
        assert page.is_disabled("text=Look for new pictures")
        assert [run[2] for run in page.evaluate(RUNS)] == ["running"]
    visitor.until(lambda: page.evaluate(RUNS)[0][2] != "running")
    [[_, _, state, did]] = page.evaluate(RUNS)
    assert state == "done"
    assert "unchanged" in did

    # The page says that the run is over, so the next one is not refused.
    press()
    assert page.inner_text("h1") == "Status"
    assert len(page.evaluate(RUNS)) == 2


def test_a_run_may_end_while_its_page_is_made(inside: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(looks: int) -> None:
        """A run that is seen under way a number of times, and then is over."""
        seen = iter([Job("1")] * looks)
        monkeypatch.setattr(Jobs, "all", property(lambda _: (next(seen, Job("1", state="done")),)))

    for looks in range(4):
        ends(looks)
        answer = inside.get("/")
        assert answer.status_code == 200
        assert ('id="indexing"' in answer.text) == (looks > 0)
        ends(looks)
        text = inside.get("/status").text
        told = "running" if looks else "done"
        assert f"<td>{told}</td>" in text
        assert ('id="indexing"' in text) == (looks > 0), "a page that says running looks for the end"


def test_compare_shows_two_methods_side_by_side(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.click("#grid .pick >> nth=0")
    visitor.until_turns(2)
    visitor.say("red")
    with page.expect_navigation():
        page.click("#compare")
    page.select_option("[name=a]", "text")
    page.select_option("[name=b]", "image")
    with page.expect_navigation():
        page.click("button >> text=Compare")
    assert page.inner_text("#side1").startswith("text ")
    tiles = [page.locator(f".pair section >> nth={side}").locator(".tile img") for side in (0, 1)]
    assert [tile.count() for tile in tiles] == [24, 24]
    assert "found by both" in page.inner_text("main")
    with page.expect_navigation():
        page.click("text=Open in Search")
    visitor.until_turns(2)
