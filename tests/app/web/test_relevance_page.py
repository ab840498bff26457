"""Percentages on the page: only where one was fitted, and at every width."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from starlette.testclient import TestClient
from tests.app.conftest import Site

TOY = "circlet.testing:ToyScorer"
SHOWN = "[...document.querySelectorAll('#grid > .card .relevance')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def served(homes: tuple[Path, Path], at_home: Any) -> Iterator[Site]:
    """The album, served by the real command with a scorer that has percentages."""
    started = Site(at_home(homes[1]), homes[0], "--rerank", TOY).start()
    yield started
    started.stop()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_each_result_has_its_percentage_and_the_list_can_do_without(
    visit: Any, served: Site, width: int, scheme: str
) -> None:
    visitor = visit(address=served.address, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = visitor.page
    page.set_viewport_size({"width": width, "height": 800})

    def nothing_wrong(state: str) -> None:
        found = Axe().run(page).response["violations"]
        assert not found, (state, [(one["id"], one["nodes"][0]["html"][:160]) for one in found])
        assert page.evaluate("document.documentElement.scrollWidth") <= width, state

    visitor.say("an apple")
    percents = page.evaluate(SHOWN)
    assert len(percents) == len(visitor.names())
    numbers = [int(re.fullmatch(r"(\d+) %\s*relevant", one)[1]) for one in percents]  # type: ignore[index]
    assert numbers == sorted(numbers, reverse=True)
    nothing_wrong("results")
    page.click("#grid [name=why] >> nth=0")
    page.wait_for_selector("dialog[open] .why")
    told = page.inner_text("dialog[open] .why")
    assert f"{numbers[0]} % relevant" in told
    assert "Untrained: the encoder alone judges each part" in told
    nothing_wrong("why")
    page.keyboard.press("Escape")

    page.click("#advanced > summary")
    nothing_wrong("advanced")
    page.select_option("[name=rerank]", "no")
    page.click("#advanced button.main")
    visitor.until(lambda: "rerank=no" in page.url)
    visitor.until_answered()
    assert page.evaluate(SHOWN) == []
    page.reload()
    assert page.input_value("[name=rerank]") == "no"


def test_nothing_matches_well_and_the_page_says_why(visit: Any, served: Site) -> None:
    visitor = visit(address=served.address)
    visitor.say("zzz qqq")
    told = visitor.page.inner_text("#view")
    assert "Nothing matches well; these come closest" in told
    assert re.search(r"The best result has a relevance of \d+ %", told)


def test_a_server_without_a_scorer_shows_no_percentage(inside: TestClient) -> None:
    page = inside.get("/act", params={"text": "an apple"}, follow_redirects=True).text
    assert 'class="relevance"' not in page
    assert 'name="rerank"' not in page
