"""The controls tell the truth: the slider, new wishes, and the steps of the history."""

import html
import itertools
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

WORDS = ["in the water", "red", "without water", "at night, without people"]


def key_of(client: TestClient, name: str) -> str:
    page = client.get("/", params={"shown": "200"}).text
    return next(
        key for key, named in re.findall(r'value="([^"]+)" data-name="([^"]+)"', page) if named == name
    )


def begun(client: TestClient, name: str, words: str) -> str:
    """The address of a search for a picture with words."""
    picked = client.get("/act", params={"pick": key_of(client, name)}).headers["location"]
    s = re.search(r"s=([\w-]+)", picked)
    assert s is not None
    return str(client.get("/act", params={"s": s[1], "text": words}).headers["location"])


def slider(page: str) -> float:
    [value] = re.findall(r'id="balance"[^>]* value="([^"]+)"', page)
    return float(value)


def files(page: str) -> list[str]:
    return [html.unescape(name) for name in re.findall(r'class="pick"[^>]* data-name="([^"]+)"', page)]


@pytest.mark.parametrize("words", WORDS)
def test_the_slider_stands_where_the_method_does(inside: TestClient, words: str) -> None:
    where = begun(inside, "dolphin.png", words)
    page = inside.get(where).text
    shown = slider(page)
    s = re.search(r"s=([\w-]+)", where)
    assert s is not None
    said = inside.get("/act", params={"s": s[1], "balance": f"{shown}"}).headers["location"]
    assert said != where
    # What it shows is what is in force, so that saying it outright changes nothing but the last digits.
    assert files(inside.get(said).text)[:12] == files(page)[:12]


@pytest.mark.parametrize("words", WORDS)
def test_each_step_of_the_slider_is_monotone(inside: TestClient, words: str) -> None:
    """More picture never brings pictures that look less like it."""
    library: Any = inside.app.state.library  # type: ignore[attr-defined]
    where = begun(inside, "dolphin.png", words)
    s = re.search(r"s=([\w-]+)", where)
    assert s is not None
    start = slider(inside.get(where).text)
    likeness = []
    for percent in sorted({*range(0, 101, 5), round(100 * start)}):
        said = inside.get("/act", params={"s": s[1], "balance": f"{percent / 100}"}).headers["location"]
        word = re.search(r"s=([\w-]+)", said)
        assert word is not None
        session = library.session(word[1])
        from circlet.collection import SearchOptions

        hits = library.find(session, SearchOptions(), top=5).hits
        checks = library.checks(session, SearchOptions(), [hit.path for hit in hits])
        likeness.append((percent, sum(one[0].probability for one in checks) / len(checks)))
    falls = [(a, b) for a, b in itertools.pairwise(likeness) if b[1] < a[1] - 1e-6]
    assert not falls, (start, falls)
    assert likeness[-1][1] > likeness[0][1], "it does something"
    # At its end nothing but the picture counts: what is most like it comes first.
    every = library.find(session, SearchOptions(), top=60, checked=True).hits
    alike = [hit.checks[0].probability for hit in every]
    assert sum(alike[:5]) == pytest.approx(sum(sorted(alike)[-5:]), rel=0.03)


def test_a_new_wish_is_told_from_a_refinement_and_one_press_chooses_the_other(visit: Any) -> None:
    visitor = visit("/act?text=a+red+car")
    page = visitor.page
    visitor.say("a dog")
    assert page.inner_text(".joined [aria-pressed=true]") == "instead"
    alone = visitor.names()
    assert alone == visit("/act?text=a+dog").names(), "nothing is left of the car"
    page.click(".joined >> text=also")
    visitor.until(lambda: page.inner_text(".joined [aria-pressed=true]") == "also")
    assert visitor.names() != alone
    page.click(".joined >> text=instead")
    visitor.until(lambda: visitor.names() == alone)

    visitor.say("at night")
    assert page.locator(".joined").last.locator("[aria-pressed=true]").inner_text() == "also"
    assert page.locator("#heard .phrase").all_inner_texts() == ["dog", "at night"]


def test_steps_are_edited_and_deleted_in_place(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    visitor.say("in the water")
    wet = visitor.names()
    page.click("[aria-label='Change step 1: an animal']")
    page.fill("[aria-label='Words of step 1']", "a fruit")
    page.keyboard.press("Enter")
    visitor.until(lambda: page.locator(".said").all_inner_texts() == ["a fruit", "in the water"])
    assert visitor.names() != wet
    page.click("[aria-label='Delete step 2: in the water']")
    visitor.until(lambda: page.locator(".said").all_inner_texts() == ["a fruit"])
    page.go_back()
    visitor.until_turns(2)


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_the_last_step_is_in_sight_and_any_can_be_edited(visit: Any, scripts: bool) -> None:
    visitor = visit("/act?text=an+animal+in+the+water", java_script_enabled=scripts)
    page = visitor.page
    page.set_viewport_size({"width": 390, "height": 800})
    for words in ("red and yellow", "a musical instrument"):
        page.fill("#words", words)
        page.press("#words", "Enter")
        page.wait_for_selector(f".step[aria-current] >> text={words}")
    inside = "(node) => (({ left, right }) => left >= 0 && right <= 390)(node.getBoundingClientRect())"
    for one in (".step[aria-current] .said", ".joined >> nth=-1", "[aria-label^='Delete step 3']"):
        assert page.locator(one).evaluate(inside), one
    page.click("[aria-label='Change step 1: an animal in the water']")
    for one in ("[aria-label='Words of step 1']", "#change-1 button"):
        assert page.locator(one).evaluate(inside), one
    page.fill("[aria-label='Words of step 1']", "a fruit")
    page.click("#change-1 button")
    page.wait_for_selector(".said >> text=a fruit")


def test_the_words_stay_in_the_field(visit: Any) -> None:
    visitor = visit()
    page = visitor.page
    visitor.say("an animal")
    assert page.input_value("#words") == "an animal"
    page.press("#words", "Enter")
    visitor.until_answered()
    assert visitor.turns() == ["1 an animal"], "what stands there is not said twice"
    page.press("#words", "End")
    page.keyboard.type(" in the water")
    page.press("#words", "Enter")
    visitor.until_said("an animal in the water")
    assert visitor.turns() == ["1 an animal in the water"], "more of the same takes its place"
    page.click("#grid .pick >> nth=0")
    visitor.until_turns(2)
    assert page.input_value("#words") == "", "a picture that was picked waits for words of its own"
    page.go_back()
    visitor.until_turns(1)
    assert page.input_value("#words") == "an animal in the water"
