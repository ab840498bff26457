"""Searching in turn: a few at once, a queue with an end and an age, fair shares, nobody before the models."""

import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE

from circlet.app.http.searching import ASKER, BUSY, LOADING, Asker, Asking, Searches


class Visitors:
    """Visitors who search until they are let go, each in a thread of their own."""

    def __init__(self, searches: Searches) -> None:
        self.searches = searches
        self.begun: list[str] = []
        self.gates: dict[str, threading.Event] = {}
        self.asked: list[Future[None]] = []
        self._news = threading.Condition()
        self._pool = ThreadPoolExecutor(20)

    def come(self, name: str, address: str = "192.0.2.1") -> None:
        """One more, who is at work or waits when this returns."""
        self.gates[name] = threading.Event()
        there = self.searches.running + self.searches.waiting
        self.asked.append(self._pool.submit(self._search, name, address))
        until(lambda: self.searches.running + self.searches.waiting == there + 1)

    def _search(self, name: str, address: str) -> None:
        with asking(address), self.searches.turn():
            with self._news:
                self.begun.append(name)
                self._news.notify_all()
            assert self.gates[name].wait(PATIENCE)

    def until_begun(self, *names: str) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.begun == list(names), PATIENCE), self.begun

    def leave(self) -> None:
        for gate in self.gates.values():
            gate.set()
        for one in self.asked:
            one.result(PATIENCE)


def until(check: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, "waited in vain"


@contextmanager
def asking(address: str, *, age: float = 0.0) -> Iterator[None]:
    token = ASKER.set(Asker(address, time.monotonic() - age))
    try:
        yield
    finally:
        ASKER.reset(token)


def refused(searches: Searches, address: str, *, age: float = 0.0) -> HTTPException:
    with asking(address, age=age), pytest.raises(HTTPException) as caught, searches.turn():
        pass
    assert caught.value.status_code == 503
    assert caught.value.headers == {"retry-after": "2"}
    return caught.value


def test_the_queue_has_an_end_a_share_and_an_age() -> None:
    searches = Searches(1, queue=3, share=2, seconds=PATIENCE)
    visitors = Visitors(searches)
    for name in ("one", "two", "three"):
        visitors.come(name)
    assert refused(searches, "192.0.2.1").detail == BUSY, "this address has its share of the queue"
    visitors.come("other", "192.0.2.2")
    assert refused(searches, "192.0.2.3").detail == BUSY, "the queue is full"
    searches.queue = 10
    assert refused(searches, "192.0.2.3", age=PATIENCE).detail == BUSY, "the request waited for long enough"
    assert (searches.running, searches.waiting) == (1, 3)
    visitors.leave()
    assert sorted(visitors.begun) == ["one", "other", "three", "two"]
    assert (searches.running, searches.waiting) == (0, 0)


def test_whoever_has_least_under_way_comes_next() -> None:
    visitors = Visitors(Searches(2, seconds=PATIENCE))
    for number in range(5):
        visitors.come(f"many {number}")
    visitors.come("few", "192.0.2.2")
    visitors.until_begun("many 0", "many 1")
    visitors.gates["many 0"].set()
    visitors.until_begun("many 0", "many 1", "few")
    visitors.gates["many 1"].set()
    visitors.until_begun("many 0", "many 1", "few", "many 2")
    visitors.leave()


def test_nobody_searches_before_what_they_need_is_loaded() -> None:
    searches, loaded = Searches(2, seconds=PATIENCE), threading.Event()
    loading = searches.before(lambda: assert_set(loaded))
    visitors = Visitors(searches)
    visitors.come("early")
    assert refused(searches, "192.0.2.2", age=PATIENCE).detail == LOADING
    assert not visitors.begun
    loaded.set()
    loading.join(PATIENCE)
    visitors.until_begun("early")
    visitors.leave()


def assert_set(event: threading.Event) -> None:
    assert event.wait(PATIENCE)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_loading_that_fails_lets_everybody_search() -> None:
    searches = Searches(1)

    def fail() -> None:
        raise SystemExit

    searches.before(fail).join(PATIENCE)
    with searches.turn():
        assert searches.running == 1


def test_the_time_to_send_a_request_is_its_senders_own() -> None:
    seen: list[Asker] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asker = ASKER.get()
        assert asker is not None
        asker.since = 0.0
        await receive()
        assert asker.since == 0.0, "more of the body is to come"
        await receive()
        seen.append(asker)

    parts: Iterator[dict[str, Any]] = iter([{"more_body": True}, {"more_body": False}])

    async def receive() -> Any:
        return {"type": "http.request", **next(parts)}

    scope = {"type": "http", "client": ("2001:db8::7", 80)}
    before = time.monotonic()
    run = contextvars.copy_context().run
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run, anyio.run, Asking(app), scope, receive, None).result(PATIENCE)
    assert seen[0].since >= before
    assert seen[0].address == "2001:db8::/64", "one machine has a whole network of addresses"


def test_every_way_to_search_is_refused_in_time_and_nothing_else_is(
    inside: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = inside.app.state.library.searches  # type: ignore[attr-defined]
    said = inside.post("/api/v1/search", json={"turns": [{"text": "a dog"}]}).json()
    s, key = said["session"], said["results"][0]["key"]
    turn = [{"text": "a dog"}]
    monkeypatch.setattr(searches, "slots", 0)
    monkeypatch.setattr(searches, "seconds", 0.01)
    for method, path, body in (
        ("GET", f"/?s={s}", None),
        ("GET", f"/why/{key}?s={s}", None),
        ("GET", f"/picture/{key}?s={s}", None),
        ("GET", f"/compare?s={s}", None),
        ("POST", "/api/v1/search", {"turns": turn}),
        ("POST", "/api/v1/compare", {"turns": turn, "methods": ["sum", "text"]}),
        ("POST", f"/api/v1/sessions/{s}/moves", {"move": "say", "text": "red"}),
        ("GET", f"/api/v1/sessions/{s}/why/{key}", None),
    ):
        answer = inside.request(method, path, json=body)
        assert answer.status_code == 503, path
        assert answer.headers["retry-after"] == "2"
        assert BUSY in answer.text, path
    part = inside.get(f"/?s={s}", headers={"x-circlet": "view"})
    assert (part.status_code, part.text) == (503, BUSY), "what the script says in a line"
    for path in ("/", "/status", "/api/v1/health", f"/api/v1/pictures/{key}/thumbnail"):
        assert inside.get(path).status_code == 200, path
