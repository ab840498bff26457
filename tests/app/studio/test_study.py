"""The study over turns: the search page as it is, the target above it, every round on record."""

import json
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from circlet.studio import Desk
from tests.app.conftest import Visitor
from tests.app.studio.conftest import Served
from tests.studio.projects import project


def test_a_search_in_rounds_is_recorded(
    homes: tuple[Path, Path], at_home: Any, browser: Any, tmp_path: Path
) -> None:
    folder, _ = homes
    targets = [{"id": "lion", "target": "animals/lion.png"}]
    (tmp_path / "targets.jsonl").write_text("\n".join(map(json.dumps, targets)))
    path = project(tmp_path, kind="study", source="targets.jsonl", pictures=str(folder), rounds=2)
    command = at_home(homes[1])
    served = Served(command, path)
    try:
        visitor = Visitor(browser, served.address, bypass_csp=True, reduced_motion="reduce")
        page = visitor.page
        page.goto("/studio")
        page.click("form.begin button")
        page.goto("/studio/tasks/study")
        for place in range(page.locator("fieldset.question").count()):
            page.check(f"[name=q{place}][value=yes]")
        page.click("button.main")
        page.click("#real")
        # Nothing was searched yet, so nothing can have been found.
        page.check("[name=found][value=yes]")
        page.click("button[name=send]")
        assert "Search for it first" in page.inner_text("#error")
        page.click("text=To the search page")
        assert "Round 1 of 2" in page.inner_text(".study-bar")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert not Axe().run(page).response["violations"]
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        visitor.say("a wild cat")
        visitor.until(lambda: "Round 2 of 2" in page.inner_text(".study-bar"))
        page.click('#grid .pick[data-name="tiger.png"]')
        visitor.until_turns(2)
        visitor.until(lambda: "That was the last round" in page.inner_text(".study-bar"))
        # A third round is not played: it leads back to the question.
        page.goto("/act?text=a+dog")
        assert page.url.endswith("/studio/tasks/study")
        page.check("[name=found][value=yes]")
        page.click("button[name=send]")
        page.wait_for_selector("text=All done")
        visitor.context.close()
        assert not visitor.faults
    finally:
        served.stop()
    desk = Desk.open(path)
    (one,) = desk.store.answers()
    desk.close()
    said, picked = one.answer["turns"]
    assert said["text"] == "a wild cat"
    assert picked["picture"] == "animals/tiger.png"
    assert one.answer["found"] is True
    assert len(one.answer["ranks"]) == 2
    assert all(turn["seconds"] >= 0 for turn in one.answer["turns"])
    made = command("studio", "export", path, "--out", tmp_path / "out").stdout
    assert "1 searches" in made
    command("data", "check", tmp_path / "out" / "study.jsonl")
