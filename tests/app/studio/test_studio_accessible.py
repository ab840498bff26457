"""axe finds no fault on any page of the studio, light and dark, and the pages fit a phone."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from circlet.studio import Desk, read_project
from tests.app.conftest import Visitor
from tests.studio.projects import cirr, compare, tens, verify

KINDS = {
    "cirr": cirr,
    "tens": tens,
    "compare": compare,
    "compare each": partial(compare, results=True),
    "verify": verify,
}


def prepared(path: Path) -> None:
    """Answers of somebody before, so that every task has something to ask."""
    desk = Desk.open(path)
    before = desk.store.person()
    for task in ("modify", "describe"):
        if task in desk.project.tasks and (item := desk.next(before, task)):
            desk.answer(before, item, {"text": "crop the cute dog out of the photo"})
    desk.close()


def states(page: Any, tasks: tuple[str, ...]) -> Iterator[str]:
    """Every page of a project and every state of it that differs in kind."""
    page.goto("/studio")
    yield "begin"
    page.click("form.begin button")
    page.wait_for_selector("text=You are")
    yield "start"
    for task in tasks:
        page.goto(f"/studio/tasks/{task}")
        if task == tasks[0]:
            yield f"practice of {task}"
        for place in range(page.locator("fieldset.question").count()):
            page.check(f"[name=q{place}][value=yes]")
        page.click("button.main")
        page.wait_for_selector("#real")
        if task == tasks[0]:
            yield f"practised {task}"
        page.click("#real")
        page.wait_for_selector("#answer")
        yield task
        page.evaluate("document.getElementById('answer').noValidate = true")
        page.click("button[name=send]")
        page.wait_for_selector("#error")
        yield f"{task}, not whole"
    page.focus("[data-zoom] >> nth=0")
    page.keyboard.press("z")
    page.wait_for_selector("dialog[open]")
    yield "large"
    page.keyboard.press("Escape")
    for path in ("mine", "review", "report", "none"):
        page.goto(f"/studio/{path}")
        yield path


@pytest.mark.parametrize("kind", list(KINDS))
def test_axe_finds_nothing(kind: str, browser: Any, studios: Any, tmp_path: Path) -> None:
    path = KINDS[kind](tmp_path)
    prepared(path)
    served = studios(path)
    # axe is put into the page by the driver, which the page's own policy would refuse.
    visitor = Visitor(browser, served.address, bypass_csp=True, reduced_motion="reduce")
    page = visitor.page
    for state in states(page, read_project(path).tasks):
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, state
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                found = Axe().run(page).response["violations"]
                told = [(fault["id"], [node["html"][:160] for node in fault["nodes"][:3]]) for fault in found]
                assert not told, f"{kind}, {state}, {width}, {scheme}: {told}"
    visitor.context.close()
    assert not visitor.faults


def test_every_task_can_be_done_without_scripts(browser: Any, studios: Any, tmp_path: Path) -> None:
    path = cirr(tmp_path, people={"retrieve": 1})
    served = studios(path)
    people = [Visitor(browser, served.address, java_script_enabled=False).page for _ in range(2)]
    for page in people:
        page.goto("/")
        page.click("form.begin button")

    def practise(page: Any, task: str) -> None:
        page.goto(f"/studio/tasks/{task}")
        for place in range(page.locator("fieldset.question").count()):
            page.check(f"[name=q{place}][value=no]")
        page.click("button.main")
        page.click("#real")

    practise(people[0], "modify")
    people[0].fill("#text", "add a dog")
    people[0].click("button[name=send]")
    assert people[0].input_value("#text") == ""
    practise(people[1], "extend")
    people[1].fill("[name=text0]", "same size")
    people[1].check("[name=none1]")
    people[1].check("[name=kind2][value=no]")
    people[1].check("[name=kind3][value=words]")
    people[1].fill("[name=text3]", "a green background")
    people[1].click("button[name=send]")
    practise(people[1], "retrieve")
    people[1].check("[name=choice] >> nth=2")
    people[1].click("button[name=send]")
    desk = Desk.open(path)
    assert sorted(one.item.task for one in desk.store.answers()) == ["extend", "modify", "retrieve"]
    desk.close()
    for page in people:
        page.context.close()
