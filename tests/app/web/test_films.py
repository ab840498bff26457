"""A moment of a video on the real page: shown as it looks then, and played from there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.app.conftest import Visitor
from tests.app.serving import serving
from tests.clips import clip
from tests.collection.colours import Colours

from circlet.collection import Collection


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server over a folder with one video of three colours."""
    folder = tmp_path / "films"
    clip(folder / "trip.webm", each=3.0)
    made = Collection.open(folder, home=tmp_path / "home", encoder=Colours())
    made.watch(True)
    made.index()
    with serving(made) as address:
        yield address


def test_a_moment_is_played_where_it_was_found(browser: Any, served: str, tmp_path: Path) -> None:
    visitor = Visitor(browser, served)
    page = visitor.page
    page.goto("/")
    visitor.say("something green")
    name = visitor.names()[0]
    assert name.startswith("trip.webm at 0:03")
    page.click('#grid .card:first-child [name="view"]')
    film = page.locator("dialog.large video")
    film.wait_for(state="visible")
    script = "(film) => film.readyState > 0 && film.currentTime"
    visitor.until(lambda: film.evaluate(script))
    assert film.evaluate(script) == pytest.approx(3.0, abs=0.5)
    assert page.locator("dialog.large img").is_hidden()
    page.keyboard.press("Escape")
    # Without scripts the same view is a page of its own.
    page.goto(page.locator("#grid .card:first-child").evaluate("(card) => `/picture/${card.dataset.key}`"))
    alone = page.locator(".stage.page video")
    visitor.until(lambda: alone.evaluate(script))
    assert alone.evaluate(script) == pytest.approx(3.0, abs=0.5)
    page.screenshot(path=tmp_path / "page.png")
    visitor.context.close()
    assert not visitor.faults, visitor.faults
