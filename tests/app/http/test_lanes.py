"""Decoding in turn: by cost, in a queue with an end, in fair shares, for nobody who has left."""

import io
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from PIL import Image
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from tests.app.patience import PATIENCE

from circlet.app.http.config import Limits, ServerConfig
from circlet.app.http.lanes import Lanes
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.core import PictureError
from circlet.images.opening import cost
from circlet.images.svg.pool import STOP


def run(main: Callable[[], Any]) -> None:
    """Run it in a thread of its own: a browser of another test may have its loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, main).result()


class Asker:
    """A request as the lanes see it: an address, and a connection that can end."""

    def __init__(self, address: str = "192.0.2.1") -> None:
        self.client = type("Address", (), {"host": address})
        self.left = anyio.Event()

    async def receive(self) -> dict[str, str]:
        await self.left.wait()
        return {"type": "http.disconnect"}


class Works:
    """Work that lasts until it is let go, and remembers who began."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.gates: dict[str, threading.Event] = {}
        self._news = threading.Condition()

    def named(self, name: str) -> Callable[[], str]:
        self.gates[name] = threading.Event()

        def work() -> str:
            with self._news:
                self.begun.append(name)
                self._news.notify_all()
            assert self.gates[name].wait(PATIENCE)
            return name

        return work

    async def until(self, count: int) -> None:
        """Until so many have begun."""

        def wait() -> None:
            with self._news:
                assert self._news.wait_for(lambda: len(self.begun) >= count, PATIENCE)

        await anyio.to_thread.run_sync(wait)


async def settle(check: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE):
        while not check():
            await anyio.lowlevel.checkpoint()


PRICES = (("one", "a", 60), ("two", "b", 60), ("huge", "a", 900), ("tiny", "b", 1))


def test_bytes_are_budgeted_over_all_lanes() -> None:
    async def main() -> None:
        lanes, works = Lanes({"a": 2, "b": 2}, budget=100), Works()
        async with anyio.create_task_group() as group:
            for name, lane, price in (
                ("one", "a", 60),
                ("two", "b", 60),
                ("huge", "a", 900),
                ("tiny", "b", 1),
            ):
                group.start_soon(lanes.run, lane, Asker(), price, works.named(name))
                await settle(lambda: len(lanes.running) + len(lanes.waiting) == len(works.gates))
            assert [ticket.cost for ticket in lanes.running] == [60]
            # One after the other, and what costs more than all there is waits until it is alone.
            for name in ("one", "two", "huge", "tiny"):
                await works.until(len(works.begun) + (works.begun[-1:] != [name]))
                assert len(lanes.running) == 1
                works.gates[name].set()
        assert works.begun == ["one", "two", "huge", "tiny"]
        assert not lanes.running
        assert not lanes.waiting

    run(main)


def test_the_queue_has_an_end_and_an_age() -> None:
    async def main() -> None:
        lanes, works = Lanes({"a": 1}, budget=100, queue=2, share=2, seconds=PATIENCE), Works()

        async def refused(address: str) -> None:
            with pytest.raises(HTTPException) as caught:
                await lanes.run("a", Asker(address), 1, works.named("never"))
            assert caught.value.status_code == 503
            assert caught.value.headers == {"retry-after": "2"}

        async with anyio.create_task_group() as group:
            for name in ("one", "two", "three"):
                group.start_soon(lanes.run, "a", Asker(), 1, works.named(name))
            await settle(lambda: len(lanes.waiting) == 2)
            await refused("192.0.2.2")  # the queue is full
            lanes.queue = 10
            await refused("192.0.2.1")  # this address has its share of it
            lanes.seconds = 0.01
            await refused("192.0.2.2")  # it waited long enough
            for gate in works.gates.values():
                gate.set()
        assert "never" not in works.begun

    run(main)


def test_what_takes_too_long_is_ended_and_refused() -> None:
    class Drawer:
        """A drawing without end, but for its own."""

        def __init__(self) -> None:
            self.ended = threading.Event()

        def kill(self) -> None:
            self.ended.set()

    drawer = Drawer()

    def work() -> None:
        stop = STOP.get()
        assert stop is not None
        stop.hold(drawer)  # type: ignore[arg-type]
        assert drawer.ended.wait(PATIENCE)
        raise PictureError("nobody waits for this drawing any more")

    async def main() -> None:
        lanes = Lanes({"a": 1}, budget=100, whole=0.05)
        with pytest.raises(HTTPException) as caught:
            await lanes.run("a", Asker(), 1, work)
        assert caught.value.status_code == 503
        assert not lanes.running

    run(main)


def test_whoever_has_least_under_way_comes_next() -> None:
    async def main() -> None:
        lanes, works = Lanes({"a": 2}, budget=100), Works()
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(lanes.run, "a", Asker("192.0.2.1"), 1, works.named(f"many {number}"))
                await settle(lambda: len(lanes.running) + len(lanes.waiting) == len(works.gates))
            await works.until(2)
            group.start_soon(lanes.run, "a", Asker("192.0.2.2"), 1, works.named("few"))
            await settle(lambda: len(lanes.waiting) == 5)
            works.gates["many 0"].set()
            await works.until(3)
            assert works.begun[2] == "few"
            for gate in works.gates.values():
                gate.set()

    run(main)


def test_who_leaves_is_not_waited_for() -> None:
    async def main() -> None:
        lanes, works, leaver = Lanes({"a": 1}, budget=100), Works(), Asker()

        async def leave() -> None:
            with pytest.raises(HTTPException, match="left"):
                await lanes.run("a", leaver, 1, works.named("left"))  # type: ignore[arg-type]

        async with anyio.create_task_group() as group:
            group.start_soon(lanes.run, "a", Asker(), 1, works.named("one"))
            await works.until(1)
            group.start_soon(leave)
            await settle(lambda: len(lanes.waiting) == 1)
            leaver.left.set()
            await settle(lambda: not lanes.waiting)
            works.gates["one"].set()
        assert works.begun == ["one"]

    run(main)


def header_of(side: int) -> bytes:
    """A PNG that says it is this large, and has not begun to be."""
    head = b"IHDR" + side.to_bytes(4) * 2 + b"\x08\x06\0\0\0"
    data = b"IDAT" + zlib.compress(b"\0")
    chunks = [len(part[4:]).to_bytes(4) + part + zlib.crc32(part).to_bytes(4) for part in (head, data)]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def test_the_price_is_in_the_header() -> None:
    assert cost(header_of(10_000)) == 800_000_000
    file = io.BytesIO()
    Image.new("RGB", (4000, 2000)).save(file, "JPEG")
    # A JPEG is decoded at an eighth; of a progressive one, all has to be held first.
    assert cost(file.getvalue(), 96) == 8 * 500 * 250
    file = io.BytesIO()
    Image.new("RGB", (4000, 2000)).save(file, "JPEG", progressive=True)
    assert cost(file.getvalue(), 96) == 8 * 500 * 250 + 6 * 4000 * 2000


def test_large_pictures_are_opened_one_after_the_other(tmp_path: Path, at_home: Any) -> None:
    folder, home = tmp_path / "album", tmp_path / "home"
    folder.mkdir()
    at_home(home)
    for number in range(4):
        Image.new("RGB", (600, 400), (number * 60, 0, 0)).save(folder / f"{number}.png")
    collection = Collection.open(folder, home=home)
    collection.index()
    # Two of these pictures are more than may be held at once.
    serving = ServerConfig(limits=Limits(decoding_bytes=600 * 400 * 8 + 1))
    app = create_app(collection, serving)
    library, most, now = app.state.library, 0, 0
    lock, drawn = threading.Lock(), library.thumbs.get

    def get(id: str, side: int) -> bytes:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        try:
            return drawn(id, side)
        finally:
            with lock:
                now -= 1

    library.thumbs.get = get
    with TestClient(app, base_url="http://localhost") as client:
        keys = [one["key"] for one in client.get("/api/v1/pictures").json()]
        asked = [f"/api/v1/pictures/{key}/thumbnail?side={side}" for key in keys for side in (96, 256)]
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(client.get, asked))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert most == 1
