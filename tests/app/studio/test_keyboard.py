"""From drawings to a trained composer, by keyboard alone: what `circlet build pairs` draws is annotated in a
real browser, exported, checked and learned from."""

import json
from pathlib import Path
from typing import Any

import pytest

from circlet.data import load_benchmark
from circlet.studio import Desk
from circlet.studio.tasks.extend import COVERED, NO, NOTHING
from tests.app.conftest import Visitor

# How often Tab may be pressed before something counts as out of reach.
_FAR = 60


class Typist:
    """A person with a keyboard and no mouse."""

    def __init__(self, browser: Any, address: str) -> None:
        self.visitor = Visitor(browser, address)
        self.page = self.visitor.page
        self.page.goto("/")
        self.wait_at(".begin button")
        self.press("Enter")
        self.page.wait_for_selector("text=You are")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, selector: str) -> bool:
        return bool(self.page.evaluate("(s) => document.activeElement.matches(s)", selector))

    def wait_at(self, selector: str) -> None:
        """Wait for what takes the focus by itself, which may be after the page has loaded."""
        self.page.wait_for_function("(s) => document.activeElement.matches(s)", arg=selector)

    def to(self, selector: str) -> None:
        """Tab until something has the focus."""
        for _ in range(_FAR):
            if self.at(selector):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab on {self.page.url}")

    def go(self, key: str = "Enter") -> None:
        """Press what leads to another page, and wait for it."""
        with self.page.expect_navigation():
            self.press(key)

    def start(self, task: str) -> None:
        """From the start page through the practice round."""
        self.page.goto("/studio")
        self.to(f'a[href="/studio/tasks/{task}"]')
        self.go()
        for place in range(self.page.locator("fieldset.question").count()):
            self.to(f"[name=q{place}]")
            self.press("Space")
        self.go("Control+Enter")
        self.to("#real")
        self.go()

    def send(self) -> None:
        self.go("Control+Enter")

    def works_at(self, task: str) -> bool:
        return self.page.url.endswith(f"/studio/tasks/{task}")


@pytest.fixture
def typists(browser: Any) -> Any:
    made: list[Typist] = []

    def new(address: str) -> Typist:
        made.append(Typist(browser, address))
        return made[-1]

    yield new
    for typist in made:
        typist.visitor.context.close()
    assert not [fault for typist in made for fault in typist.visitor.faults]


def described(typist: Typist) -> int:
    """Write a sentence for every pair of the project but the last, which is marked; how many pairs."""
    typist.start("modify")
    pairs = 0
    while typist.works_at("modify"):
        pairs += 1
        if pairs == 9:
            typist.to("[name=mark]")
            typist.press("ArrowDown", "ArrowDown", "ArrowDown")
        else:
            typist.wait_at("#text")  # one types at once
            typist.page.keyboard.type(f"replace it with thing number {pairs}, larger and on the left")
        typist.send()
    return pairs


def questioned(typist: Typist) -> int:
    typist.start("extend")
    asked = 0
    while typist.works_at("extend"):
        asked += 1
        typist.wait_at("[name=text0]")
        typist.page.keyboard.type("drawn with the same thick lines")
        typist.to("[name=none1]")
        typist.press("Space")
        typist.to("[name=kind2]")
        typist.press("Space")
        typist.to("[name=kind3]")
        typist.press("Space", "ArrowDown")
        typist.send()
    return asked


def chosen(typist: Typist, place: int) -> int:
    typist.start("retrieve")
    found = 0
    while typist.works_at("retrieve"):
        found += 1
        typist.press(str(place))
        typist.press("z")
        typist.page.wait_for_selector("dialog[open]")
        typist.press("z")
        typist.page.wait_for_selector("dialog[open]", state="detached")
        typist.send()
    return found


def test_one_subset_by_keyboard_alone_becomes_a_dataset(
    homes: tuple[Path, Path], at_home: Any, studios: Any, typists: Any, tmp_path: Path
) -> None:
    command = at_home(homes[1])
    mine, out = tmp_path / "mine", tmp_path / "out"
    command("build", "subsets", homes[0], "--out", mine / "subsets.json", "--near", 0.995, "--most", 3)
    subsets = json.loads((mine / "subsets.json").read_text())
    assert len(subsets) == 3
    # One subset is annotated in the browser; scripted people do the two others over the same store.
    (mine / "subsets.json").write_text(json.dumps(subsets[:1]))
    command("build", "pairs", mine / "subsets.json", "--out", mine)
    said = ("--kind", "cirr", "--title", "Drawings", "--source", ".", "--pictures", homes[0])
    command("studio", "new", mine / "project.toml", *said, "--people", "modify=1,extend=1,retrieve=3")
    served = studios(mine / "project.toml")

    writer = typists(served.address)
    assert described(writer) == 9
    # The last answer can be changed, by keys as well.
    writer.page.goto("/studio/undo")
    writer.to("button[name=withdraw]")
    writer.go()
    writer.to("[name=mark]")
    writer.press("ArrowDown")
    writer.send()
    readers = [typists(served.address) for _ in range(3)]
    assert questioned(readers[0]) == 8
    assert [chosen(reader, place) for place, reader in enumerate(readers, start=1)] == [8, 8, 8]

    desk = Desk.open(mine / "project.toml")
    marks = [one.answer["mark"] for one in desk.store.answers(task="modify") if "mark" in one.answer]
    assert marks == ["same"]
    four = {"0": "drawn with the same thick lines", "1": NOTHING, "2": NO, "3": COVERED}
    assert all(one.answer == four for one in desk.store.answers(task="extend"))
    assert all(one.have == one.wanted for one in desk.progress())
    desk.close()

    (mine / "subsets.json").write_text(json.dumps(subsets))
    command("build", "pairs", mine / "subsets.json", "--out", mine)
    desk = Desk.open(mine / "project.toml")
    script = desk.store.person()
    while item := desk.next(script, "modify"):
        desk.answer(script, item, {"text": f"the other thing, {item.shown['pair']} times as large"})
    desk.close()
    command("studio", "export", mine / "project.toml", "--out", out)
    for split in ("train", "val", "test1"):
        command("data", "check", f"cirr:{out}:{split}")
    texts = [
        case.query.last.text
        for split in ("train", "val", "test1")
        for case in load_benchmark(f"cirr:{out}:{split}").cases
    ]
    assert len(texts) == 26
    assert sum(text.startswith("replace it with thing number") for text in texts) == 8
    how = ("--epochs", 1, "--width", 16, "--batch", 8)
    done = command("train", "concat", "--data", f"cirr:{out}", "--out", tmp_path / "ckpt", *how)
    assert "SubsetRecall @ 1" in done.stdout
