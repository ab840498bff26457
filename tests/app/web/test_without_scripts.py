"""The pages without JavaScript: search, marks, paging, large view, reasons, upload."""

from pathlib import Path
from typing import Any


def test_search_refine_and_page_with_forms_and_links_alone(visit: Any, homes: tuple[Path, Path]) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page

    def press(what: str) -> None:
        with page.expect_navigation():
            page.click(what)

    page.fill("#words", "an animal")
    press("button.go")
    assert page.locator(".step").count() == 1
    first = [node.get_attribute("data-name") for node in page.locator("#grid .pick").all()]
    assert len(first) == 40

    # Nothing moves under the mouse while the page scrolls.
    place = "more => more.getBoundingClientRect().top + scrollY"
    before = page.locator("#more").evaluate(place)
    page.locator("#more").scroll_into_view_if_needed()
    page.screenshot()  # everything in sight is drawn
    assert abs(page.locator("#more").evaluate(place) - before) < 1

    press("#more")
    second = [node.get_attribute("data-name") for node in page.locator("#grid .pick").all()]
    assert second
    assert not set(first) & set(second)
    press("text=Earlier")
    assert [node.get_attribute("data-name") for node in page.locator("#grid .pick").all()] == first

    press("#grid [name=like] >> nth=1")
    assert page.locator(".marks img").count() == 1
    press("#grid .pick >> nth=3")
    assert page.locator(".step").count() == 3
    press("[name=undo]")
    press("[name=undo]")
    assert page.locator(".step").count() == 1

    press("#grid [name=view] >> nth=0")
    assert page.inner_text("h1") == first[0]
    press("text=Next")
    assert page.inner_text("h1") == first[1]
    press("text=Results")
    press("#grid [name=why] >> nth=0")
    assert "words: “an animal”" in page.inner_text("main")
    assert page.inner_text(".checks tbody th") == "animal"
    page.go_back()

    page.fill("#words", "at night, without water")
    press("button.go")
    assert page.locator("#heard .phrase").all_inner_texts() == ["animal", "at night", "no water"]
    press("#heard [aria-label='Turn it round: no water']")
    assert page.locator("#heard .phrase").all_inner_texts() == ["animal", "at night", "water"]
    press("#heard [aria-label='Leave this out: at night']")
    assert page.locator("#heard .phrase").all_inner_texts() == ["animal", "water"]
    assert page.locator(".step").count() == 2
    press("[name=undo]")
    assert page.locator("#heard .phrase").all_inner_texts() == ["animal"]

    page.goto("/")
    page.set_input_files("#file", homes[0] / "food/banana.png")
    page.fill("#words", "red")
    press("button.go")
    assert page.locator(".step").count() == 1
    assert page.inner_text(".step").split() == ["1", "red"]

    page.click("#advanced > summary")
    page.select_option("#options [name=method]", "image")
    press("#options >> text=Apply >> visible=true")
    assert page.locator("#options [name=method]").input_value() == "image"


def test_on_a_phone_the_words_have_room(visit: Any) -> None:
    page = visit(java_script_enabled=False).page
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("/", "/act?text=a+dog"):
        page.goto(address)
        words, slot = page.locator("#words").bounding_box(), page.locator(".slot").bounding_box()
        assert words["width"] > 200, address
        assert slot["height"] < 120, address
        assert page.locator("#file").is_visible()
