"""A real collection of OpenMoji drawings, served by the real command and seen by a real browser."""

import shutil
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from circlet.app.cli.openmoji import drawings
from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection.collection import Collection
from circlet.images import open_picture
from tests.app.patience import GATE, PATIENCE, Gate

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
ALBUM = {
    "animals": "dog, cat, horse, tiger, leopard, lion, duck, octopus, whale, dolphin, crab, lobster, rooster",
    "food": "red-apple, green-apple, tomato, strawberry, cherries, banana, lemon, grapes, watermelon, carrot",
    "things": "automobile, bus, bicycle, sailboat, umbrella, guitar, house, castle, snowman, scissors, key",
}


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory, at_home: Any) -> tuple[Path, Path]:
    """(folder of pictures, CIRCLET_HOME with its index), made once and only read."""
    base = tmp_path_factory.mktemp("web")
    folder, home = base / "album", base / "home"
    known = drawings()
    named = ", ".join(ALBUM.values()).split(", ")
    spread = [name.removesuffix(".png") for name in list(known)[::30]]
    others = ", ".join(name for name in spread if name not in named)
    for place, names in {**ALBUM, "": others}.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        for name in names.split(", "):
            drawn = open_picture(known[f"{name}.png"], side=160).resize((160, 160))
            drawn.save(folder / place / f"{name}.png")
    shutil.copy(folder / "animals/dog.png", folder / "dog copy.png")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 not a picture")
    command = at_home(home)
    command("index", folder)
    # The models that searching by words needs are prepared on first use; no page should wait for that.
    command.start("search", "red").communicate(timeout=300)
    return folder, home


def until_loaded(client: Any) -> None:
    """Wait until the server at the other end searches, or says that there is nothing to be searched."""
    end = time.monotonic() + PATIENCE
    while "retry-after" in client.post("/api/v1/search", json={"turns": [{"text": "red"}]}).headers:
        assert time.monotonic() < end, "the models were never loaded"


class Site:
    """`circlet serve` in a process of its own, that can be stopped and started again.

    It may be asked to index only where it is a test's own (`sites`): the index has one writer at a time.
    """

    def __init__(self, command: Any, folder: Path, *options: str) -> None:
        self.command, self.folder, self.options = command, folder, options
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> "Site":
        said = ("serve", self.folder, "--port", 0, "--no-index", *self.options)
        # The server's indexer looks for modules where the server does: in this folder, too.
        self.process = self.command.start(*said, cwd=GATE)
        assert self.process.stdout
        told = self.process.stdout.readline()
        assert "circlet is at http://" in told, self.process.stderr and self.process.stderr.read()
        self.address = told.split()[3].partition("?")[0].rstrip("/")
        # The address is told before the models are loaded; who searches too early is asked to come again.
        with httpx.Client(base_url=self.address, timeout=PATIENCE) as client:
            until_loaded(client)
        return self

    def stop(self) -> None:
        assert self.process
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session")
def site(homes: tuple[Path, Path], at_home: Any) -> Iterator[Site]:
    served = Site(at_home(homes[1]), homes[0]).start()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def inside(homes: tuple[Path, Path]) -> Iterator[TestClient]:
    """The same site in this process, without a network."""
    folder, home = homes
    app = create_app(Collection.open(folder, home=home), ServerConfig())
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False) as client:
        until_loaded(client)
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not Path(CHROMIUM).exists():
        pytest.skip("no Chromium at /usr/bin/chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE * 1000)
        yield opened
        opened.close()


# Remembers what the toast said, each time it was there to be seen: it goes away by itself.
TOASTS = """
    window.toasts = [];
    document.addEventListener("DOMContentLoaded", () => {
        const toast = document.getElementById("toast");
        const seen = () => { if (!toast.hidden) toasts.push(toast.textContent); };
        if (toast) new MutationObserver(seen).observe(toast, { attributes: true, childList: true });
    });
"""


class Visitor:
    """A browser window of its own, that fails the test on any script error or foreign request."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(
            viewport={"width": 1100, "height": 800}, base_url=address, **options
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.page.add_init_script(TOASTS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)
        self.answers: deque[str] = deque(maxlen=12)
        self.page.on("response", lambda got: self._answered(got.request, str(got.status)))
        self.page.on("requestfailed", lambda lost: self._answered(lost, str(lost.failure)))
        self.address = address

    def _heard(self, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.faults.append(f"asked {request.url}")

    def _answered(self, request: Any, how: str) -> None:
        if "/thumbnail" not in request.url:
            self.answers.append(f"{request.method} {request.url.removeprefix(self.address)[:60]}: {how}")

    def told(self) -> str:
        """What a person would see, and what the server said last: for a test that waited in vain."""
        script = """[document.getElementById("words")?.value, document.getElementById("toast")?.textContent,
            document.body.className, document.activeElement?.outerHTML.slice(0, 80)]"""
        return f"{self.turns()} {self.page.evaluate(script)} {list(self.answers)}"

    def names(self) -> list[str]:
        """The pictures on the page, in order."""
        script = "[...document.querySelectorAll('#grid > .card .pick')].map((pick) => pick.dataset.name)"
        return list(self.page.evaluate(script))

    def turns(self) -> list[str]:
        """What the timeline says, one line a turn."""
        said = self.page.evaluate("[...document.querySelectorAll('.step')].map((step) => step.innerText)")
        return [" ".join(step.split()) for step in said]

    def until(self, check: Callable[[], object]) -> None:
        """Wait until something is so. (The page's policy forbids the browser's own way of waiting.)"""
        end = time.monotonic() + PATIENCE
        while not check():
            assert time.monotonic() < end, f"waited in vain: {self.told()}"
            self.page.wait_for_timeout(25)

    def until_said(self, words: str) -> None:
        """Wait until the last turn is these words."""
        self.until(lambda: self.turns() and words in self.turns()[-1])

    def until_turns(self, count: int) -> None:
        self.until(lambda: len(self.turns()) == count)

    def until_answered(self) -> None:
        """Wait until nothing that was pressed is still being asked."""
        self.until(lambda: not self.page.evaluate("document.body.classList.contains('busy')"))

    def until_told(self, words: str) -> None:
        """Wait until the toast has said these words on this page."""
        self.until(lambda: any(words in told for told in self.page.evaluate("window.toasts")))

    def say(self, words: str) -> None:
        self.page.fill("#words", words)
        self.page.press("#words", "Enter")
        self.until_said(words)


@pytest.fixture
def visit(browser: Any, site: Site) -> Iterator[Any]:
    """Makes visitors of the site: `visitor = visit()`."""
    made: list[Visitor] = []

    def new(path: str = "/", address: str | None = None, **options: Any) -> Visitor:
        made.append(Visitor(browser, address or site.address, **options))
        made[-1].page.goto(path)
        return made[-1]

    yield new
    for visitor in made:
        visitor.context.close()
    faults = [fault for visitor in made for fault in visitor.faults]
    assert not faults, faults


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Holds back what a server of the test's own would index, in a process or in this one."""
    lock = tmp_path / "gate"
    lock.touch()
    monkeypatch.setenv("CIRCLET_GATE", str(lock))
    monkeypatch.syspath_prepend(GATE)
    return Gate(lock)


@pytest.fixture
def sites(homes: tuple[Path, Path], at_home: Any, gate: Gate) -> Iterator[Any]:
    """Starts servers of a test's own: `served = sites("--token", "…")`, over the album or a `folder`."""
    started: list[Site] = []

    def new(*options: str, folder: Path = homes[0], home: Path = homes[1]) -> Site:
        started.append(Site(at_home(home), folder, *options))
        return started[-1].start()

    yield new
    for served in started:
        served.stop()
