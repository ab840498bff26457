"""One of a few on the real page: a pile is opened, ordered by words, compared by keys, and one is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.app.conftest import Visitor
from tests.app.serving import serving
from tests.collection.colours import Colours
from tests.shots import burst, shot

from circlet.collection import Collection


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server over a burst of four and two pictures beside it."""
    folder = tmp_path / "pictures"
    burst(folder)
    shot(folder / "night.jpg", "dark", seconds=60)
    shot(folder / "late night.jpg", "dark", seconds=70)
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.index()
    with serving(made) as address:
        yield address


def open_pile(page: Any) -> None:
    """The burst's pile, opened on the search page."""
    page.goto("/act?text=grey")
    page.click('[aria-label^="3 near-identical to shot-"]')
    page.wait_for_selector(".fold .card")


def order(page: Any) -> list[str]:
    return [text.split("·")[1].strip() for text in page.locator(".few p").all_inner_texts()]


def large(page: Any) -> list[str]:
    return [str(one.get_attribute("alt")) for one in page.locator(".two img").all()]


def test_words_change_the_order_keys_compare_and_one_is_kept(browser: Any, served: str) -> None:
    visitor = Visitor(browser, served)
    page = visitor.page
    open_pile(page)
    page.fill(".which input", "something green")
    page.press(".which input", "Enter")
    page.wait_for_selector("#pile")
    assert order(page)[0] == "shot-green.jpg"
    page.fill("#which-words", "something blue")
    page.press("#which-words", "Enter")
    visitor.until(lambda: order(page)[0] == "shot-blue.jpg")
    blue, second, third, fourth = order(page)
    assert large(page) == [blue, second]
    page.evaluate("document.activeElement.blur()")
    # Faster than any answer: each key is said to what came of the one before.
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    visitor.until(lambda: large(page) == [blue, third])
    page.keyboard.press("ArrowUp")
    visitor.until(lambda: large(page) == [third, fourth])
    page.keyboard.press("k")
    visitor.until(lambda: page.locator('.few [aria-pressed="true"]').count() == 1)
    assert page.get_attribute('.few [aria-pressed="true"]', "aria-label") == f"Kept: {third}"
    # What is said comes back by the address, and by Back.
    page.reload()
    assert large(page) == [third, fourth]
    assert page.locator('[data-side="left"] [aria-pressed="true"]').inner_text() == "Kept"
    page.go_back()
    visitor.until(lambda: order(page)[0] == "shot-green.jpg")
    # And it is shown where the picture is found.
    page.click("text=Results")
    page.wait_for_selector("#grid .kept")
    assert page.locator("#grid .kept").all_inner_texts() == ["1 kept"]
    page.click('[aria-label^="3 near-identical to shot-"]')
    page.wait_for_selector(".fold .kept")
    assert page.locator(f'.fold .card:has(.kept) [data-name="{third}"]').count() == 1
    assert not visitor.faults


def test_the_same_without_a_script(browser: Any, served: str) -> None:
    visitor = Visitor(browser, served, java_script_enabled=False)
    page = visitor.page
    open_pile(page)
    page.fill(".which input", "something red")
    with page.expect_navigation():
        page.click("text=Pick the right one")
    first = order(page)
    assert first[0] == "shot-red.jpg"
    for press, seen in (
        ("[data-step=next]", [first[0], first[2]]),
        ("[data-step=better]", [first[2], first[3]]),
        ("[data-step=before]", [first[2], first[1]]),
        (".few li:nth-child(4) a", [first[2], first[3]]),
    ):
        with page.expect_navigation():
            page.click(press)
        assert large(page) == seen
    for label in ("Keep", "Kept:"):
        with page.expect_navigation():
            page.click(f'[data-side="right"] [aria-label="{label} {first[3]}"]')
    assert page.locator('[aria-pressed="true"]').count() == 0
    assert large(page) == [first[2], first[3]]


def test_any_few_that_were_chosen_can_be_picked_from(browser: Any, served: str) -> None:
    visitor = Visitor(browser, served)
    page = visitor.page
    page.goto("/act?text=grey&fold=no")
    for name in ("night.jpg", "shot-red.jpg", "shot-blue.jpg"):
        page.check(f'#grid [aria-label="Choose {name}"]')
    page.click("text=Pick one")
    page.wait_for_selector("#pile")
    assert sorted(order(page)) == ["night.jpg", "shot-blue.jpg", "shot-red.jpg"]
    page.go_back()
    page.wait_for_selector("#grid")
    assert not visitor.faults


def test_the_page_is_accessible_and_fits_a_phone(browser: Any, served: str) -> None:
    for options in ({}, {"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}}):
        # A window of this shape in place of the usual one.
        visitor = Visitor(browser, served)
        page = visitor.page
        if "viewport" in options:
            page.set_viewport_size(options["viewport"])
        page.emulate_media(color_scheme=options.get("color_scheme", "light"))
        open_pile(page)
        page.click("text=Pick the right one")
        page.wait_for_selector("#pile")
        page.fill("#which-words", "something red, without blue")
        page.press("#which-words", "Enter")
        visitor.until(lambda page=page: page.locator(".two .yes, .two .no").count() > 0)
        page.click('[data-side="left"] [name="keep"], [data-side="left"] [name="drop"]')
        visitor.until_answered()
        found = Axe().run(page).response["violations"]
        assert not found, [(one["id"], one["nodes"][0]["html"]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        visitor.context.close()
