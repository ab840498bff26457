"""axe finds no fault on any page, light and dark, and the pages fit a phone."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe


def states(visitor: Any) -> Any:
    """Every page and every state of it that differs in kind."""
    page = visitor.page
    yield "start"
    page.goto("/act?text=red,+an+animal%3B+without+water%3B+two+of+them%3B+keep+the+size")
    yield "results"
    page.click("#grid .pick >> nth=2")
    visitor.until_turns(2)
    page.click("#grid [name=like] >> nth=0")
    visitor.until_turns(3)
    page.click(".step >> nth=0")
    visitor.until_turns(1)
    page.click("#filters > summary")
    yield "marks, paths and filters"
    page.click("#filters > summary")
    page.click("#grid [name=why] >> nth=0")
    page.wait_for_selector("dialog[open] .why")
    yield "why"
    page.keyboard.press("Escape")
    page.click("#grid [name=view] >> nth=0")
    page.wait_for_selector("dialog.large[open]")
    yield "large"
    page.keyboard.press("Escape")
    with page.expect_navigation():
        page.click("#compare")
    page.wait_for_selector(".pair")
    yield "compare"
    page.goto("/status")
    yield "status"
    page.goto("/picture/AAAAAAAAAAA")
    yield "error"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Any, scheme: str) -> None:
    width = {"light": 1100, "dark": 390}[scheme]
    # axe is put into the page by the driver, which the page's own policy would refuse.
    visitor = visit(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    visitor.page.set_viewport_size({"width": width, "height": 800})
    for state in states(visitor):
        found = Axe().run(visitor.page).response["violations"]
        told = [(fault["id"], [node["html"][:160] for node in fault["nodes"][:3]]) for fault in found]
        assert not told, f"{state}, {scheme}: {told}"
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, state
