"""A slow server and an indexing run beside: nothing that was asked, typed or chosen is lost."""

import io
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image
from tests.app.patience import PATIENCE, Gate

CARET = """(() => {
    const field = document.getElementById("words");
    return [field.value, field.selectionStart, document.activeElement.id];
})()"""


@contextmanager
def held(served: Any) -> Iterator[None]:
    """A server that does nothing for a while, as on a machine that is very busy."""
    os.kill(served.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, served.process.pid, os.WSTOPPED)
    try:
        yield
    finally:
        os.kill(served.process.pid, signal.SIGCONT)


@contextmanager
def indexing(served: Any, gate: Gate) -> Iterator[None]:
    """An indexing run of the server that has read nothing before this ends."""
    with gate.shut():
        httpx.post(f"{served.address}/api/v1/jobs", timeout=PATIENCE).raise_for_status()
        yield


@pytest.fixture
def own(sites: Any) -> Any:
    """A server of the test's own, which it may hold up."""
    return sites()


def test_the_end_of_an_indexing_run_leaves_the_page_alone(visit: Any, own: Any, gate: Gate) -> None:
    with indexing(own, gate):
        visitor = visit("/act?text=an+animal", address=own.address)
        page = visitor.page
        page.wait_for_selector("#indexing progress")
        page.fill("#words", "red and blue")
        page.keyboard.press("Home")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        page.click("#filters > summary")
        page.select_option("[name=orientation]", "square")
        page.focus("#words")
        page.evaluate("window.same = document.querySelector('#grid .card')")
        names, told = visitor.names(), page.evaluate(CARET)
        assert told == ["red and blue", 4, "words"]
    page.wait_for_selector("#indexing >> text=nothing is new")
    assert page.evaluate(CARET) == told
    assert page.input_value("[name=orientation]") == "square"
    assert page.evaluate("window.same.isConnected")
    assert visitor.names() == names
    page.press("#words", "Enter")
    visitor.until_turns(2)
    assert visitor.turns()[1] == "2 red and blue"


def test_new_pictures_fill_an_empty_page_and_are_offered_on_any_other(
    visit: Any, sites: Any, gate: Gate, tmp_path: Path
) -> None:
    folder = tmp_path / "album"
    folder.mkdir()
    noise = np.random.default_rng(0)
    own = sites(folder=folder, home=tmp_path / "home")

    def write(name: str) -> None:
        Image.fromarray(noise.integers(0, 255, (64, 64, 3), np.uint8)).save(folder / name)

    write("first.png")
    with indexing(own, gate):
        visitor = visit("/", address=own.address)
        page = visitor.page
        assert visitor.names() == []
        page.fill("#words", "a beach")
    page.wait_for_selector("#grid .card")
    assert visitor.names() == ["first.png"]
    assert page.input_value("#words") == "a beach"
    # The pictures come while the run goes on; the next can begin when the page says that it is over.
    page.wait_for_selector("#indexing >> text=1 added")

    write("second.png")
    with indexing(own, gate):
        page.reload()
        page.wait_for_selector("#indexing progress")
        page.fill("#words", "a beach")
    page.wait_for_selector("#indexing >> text=1 added")
    assert visitor.names() == ["first.png"]
    page.click("text=Show what is new")
    visitor.until(lambda: sorted(visitor.names()) == ["first.png", "second.png"])
    assert page.input_value("#words") == "a beach"


def test_the_end_of_one_run_is_not_taken_for_the_end_of_the_next(visit: Any, own: Any, gate: Gate) -> None:
    late: list[Any] = []

    def follows(path: str) -> Any:
        """A visitor who hears of the first run, but not at once what became of it."""
        visitor, before = visit(path, address=own.address), len(late)
        visitor.page.route("**/api/v1/jobs/1", lambda route: late.append(route))
        visitor.until(lambda: len(late) > before)
        return visitor

    with indexing(own, gate):
        searcher, watcher = follows("/act?text=an+animal"), follows("/status")
    visit("/status", address=own.address).page.wait_for_selector("#status td >> text=done")

    with indexing(own, gate):
        searcher.say("red")
        with searcher.page.expect_response("**/api/v1/jobs/2"), watcher.page.expect_response("**/status"):
            for answer in late:
                answer.continue_()
        for visitor in (searcher, watcher):
            with visitor.page.expect_response("**/api/v1/jobs/2"):
                pass
            assert visitor.page.is_visible("#indexing progress")
    searcher.page.wait_for_selector("#indexing >> text=nothing is new")
    watcher.until(lambda: watcher.page.locator("#status td >> text=done").count() == 2)


def test_what_is_pressed_while_waiting_is_done_in_turn(visit: Any, own: Any) -> None:
    visitor = visit("/act?text=an+animal", address=own.address)
    page = visitor.page
    names = visitor.names()
    with held(own):
        page.click(f'.pick[data-name="{names[3]}"]')
        page.fill("#words", "red")
        page.press("#words", "Enter")
        # A second press of the same is no second wish.
        page.press("#words", "Enter")
        page.keyboard.type(" and more")
    visitor.until(lambda: [turn.split()[1:] for turn in visitor.turns()] == [["an", "animal"], ["red"]])
    assert page.get_attribute(".slot img", "alt") == f"Your picture now: {names[3]}"
    visitor.until(lambda: page.evaluate(CARET) == ["red and more", 12, "words"])

    first, second = visitor.names()[:2]
    with held(own):
        page.click(f'[aria-label="Like {first}"]')
        page.click(f'[aria-label="Like {second}"]')
    visitor.until(lambda: page.locator(".marks img").count() == 2)
    assert page.input_value("#words") == "red and more"


def test_words_typed_while_a_picture_is_sent_belong_to_it(
    visit: Any, own: Any, homes: tuple[Path, Path]
) -> None:
    visitor = visit(address=own.address)
    page = visitor.page
    with held(own):
        page.set_input_files("#file", homes[0] / "food/tomato.png")
        page.fill("#words", "yellow")
        page.press("#words", "Enter")
    visitor.until(lambda: visitor.turns() == ["1 yellow"])
    assert page.get_attribute(".slot img", "alt") == "Your picture now: your picture"


def test_only_the_last_place_of_a_slider_counts(visit: Any, own: Any) -> None:
    visitor = visit("/act?text=an+animal", address=own.address)
    page = visitor.page
    page.click("#grid .pick >> nth=0")
    visitor.until_turns(2)
    visitor.say("red")
    before = page.evaluate("history.length")
    with held(own):
        started = float(page.input_value("#balance"))
        page.focus("#balance")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
    visitor.until(lambda: page.evaluate("history.length") > before)
    visitor.until_answered()
    assert page.input_value("#balance") == f"{started + 0.05:.2f}".rstrip("0")
    assert page.evaluate("history.length") == before + 1


def test_leaving_takes_back_what_was_asked(visit: Any, own: Any) -> None:
    visitor = visit("/act?text=an+animal", address=own.address)
    visitor.say("red")
    page = visitor.page
    with held(own):
        page.click("#grid .pick >> nth=0")
        page.fill("#words", "blue")
        page.press("#words", "Enter")
        page.go_back()
        visitor.until_turns(1)
    visitor.say("green")
    assert visitor.turns() == ["1 an animal", "2 green"]


def test_a_large_picture_may_be_uploaded_and_a_huge_one_is_told(visit: Any, tmp_path: Path) -> None:
    visitor = visit()
    page = visitor.page
    noise = np.random.default_rng(0).integers(0, 255, (900, 900, 3), np.uint8)
    large = io.BytesIO()
    Image.fromarray(noise).save(large, "PNG")
    assert large.tell() > 2_000_000
    page.set_input_files("#file", {"name": "large.png", "mimeType": "image/png", "buffer": large.getvalue()})
    visitor.until_turns(1)

    huge = tmp_path / "huge.png"
    with huge.open("wb") as file:
        file.truncate(31_000_000)
    page.set_input_files("#file", huge)
    visitor.until_told("too large")
    # What was refused does not go along with the next words.
    visitor.say("red")
    assert visitor.turns() == ["1 red"]


def test_the_skip_link_leads_to_the_content(visit: Any) -> None:
    visitor = visit("/act?text=an+animal")
    page = visitor.page
    page.evaluate("window.same = document.getElementById('view')")
    page.focus(".skip")
    page.keyboard.press("Enter")
    visitor.until(lambda: page.evaluate("document.activeElement.id") == "main")
    assert page.evaluate("window.same.isConnected")
