"""The real server under attack: it goes on answering, within bounds, and writes no novels about it."""

import shutil
import socket
import struct
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from tests.app.conftest import Site
from tests.app.patience import PATIENCE

from circlet.app.http.config import Seconds, ServerConfig
from circlet.app.http.door import door
from circlet.app.http.library import Library
from circlet.app.http.server import create_app
from circlet.collection import Collection

# Far more work than a drawing may take.
NOISE = '<feTurbulence baseFrequency="10" numOctaves="9"/>' * 2000
HOG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">'
    f'<filter id="f">{NOISE}</filter><rect width="20" height="10" filter="url(#f)"/></svg>'
).encode()
FORM = b'--x\r\ncontent-disposition: form-data; name="picture"; filename="a.svg"\r\n\r\n%b\r\n--x--\r\n'


def connect(address: str) -> socket.socket:
    host, _, port = address.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def best(ask: Callable[[], Any], tries: int = 3) -> float:
    """Seconds of the quickest of a few tries: how long the server takes, not what else the machine does."""

    def once() -> float:
        began = time.perf_counter()
        ask()
        return time.perf_counter() - began

    return min(once() for _ in range(tries))


def answers_in_time(client: httpx.Client) -> None:
    for path, body in (
        ("/api/v1/health", None),
        ("/", None),
        ("/api/v1/search", {"turns": [{"text": "red"}]}),
    ):

        def ask(path: str = path, body: Any = body) -> None:
            answer = client.get(path) if body is None else client.post(path, json=body)
            assert answer.status_code == 200, answer.text

        assert best(ask) < 1.0, path


def gauge(client: httpx.Client, name: str) -> float:
    lines = client.get("/api/v1/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"circlet_{name} "))


def until(check: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "waited in vain"


def children(process: int) -> list[int]:
    """The processes that a process has started, on Linux."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
def test_drawings_that_never_end_hold_up_nobody(sites: Any) -> None:
    served = sites()
    assert served.process
    body = FORM % HOG
    head = (
        f"POST /api/v1/uploads HTTP/1.1\r\nhost: {served.address.removeprefix('http://')}\r\n"
        f"content-type: multipart/form-data; boundary=x\r\ncontent-length: {len(body)}\r\n\r\n"
    ).encode()
    with httpx.Client(base_url=served.address, timeout=PATIENCE) as client:
        answers_in_time(client)
        with ExitStack() as senders:
            for _ in range(110):
                senders.enter_context(connect(served.address)).sendall(head + body)
            until(lambda: gauge(client, "decoding_running") == 2)
            answers_in_time(client)
            assert gauge(client, "decoding_waiting") <= 50
            assert len(children(served.process.pid)) <= 2
        # The senders have gone, and with them what they asked for: not one of some fifty is still drawn.
        until(lambda: gauge(client, "decoding_running") + gauge(client, "decoding_waiting") == 0, 20)
        answers_in_time(client)
    drawers = children(served.process.pid)
    served.stop()
    assert not [one for one in drawers if Path(f"/proc/{one}").exists()]


def test_half_open_connections_hold_up_nobody(sites: Any) -> None:
    served = sites()
    assert served.process
    with ExitStack() as crowd, httpx.Client(base_url=served.address, timeout=PATIENCE) as client:
        for number in range(450):
            begun = crowd.enter_context(connect(served.address))
            half = (b"", b"GET / HT", b"POST /ask HTTP/1.1\r\nhost: localhost\r\ncontent-length: 90\r\n\r\nx")
            begun.sendall(half[number % 3])
        answers_in_time(client)
        with httpx.Client(base_url=served.address, timeout=PATIENCE) as other:
            answers_in_time(other)
    served.process.terminate()
    _, said = served.process.communicate(timeout=PATIENCE)
    assert "Traceback" not in said
    assert len(said) < 2_000


def huge(path: Path, side: int = 10_960) -> None:
    """A PNG of 120 megapixels that takes a few hundred kilobytes."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packed, row = zlib.compressobj(1), bytes(1 + 3 * side)
    pixels = b"".join([*(packed.compress(row) for _ in range(side)), packed.flush()])
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def memory(process: int, what: str) -> int:
    """Megabytes that a process takes now (VmRSS), or took at most (VmHWM)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(what)).split()[1]) // 1024


@pytest.mark.skipif(sys.platform != "linux", reason="looks at memory as Linux shows it")
def test_six_pictures_of_120_megapixels_at_once_stay_within_the_budget(
    at_home: Any, picture: Any, tmp_path: Path
) -> None:
    names = [f"{number}.png" for number in range(6)]
    folder = picture("small.png").parent
    for at, name in enumerate(names):
        picture(name, seed=at)
    command = at_home(tmp_path / "home")
    command("index", folder)
    huge(folder / names[0])
    for name in names[1:]:
        shutil.copy(folder / names[0], folder / name)
    served = Site(command, folder).start()
    assert served.process
    try:
        with httpx.Client(base_url=served.address, timeout=PATIENCE) as client:
            answers_in_time(client)
            listed = client.get("/api/v1/pictures").json()
            keys = [one["key"] for one in listed if one["name"] in names]
            before = memory(served.process.pid, "VmRSS")
            with ThreadPoolExecutor(6) as visitors:
                asked = [
                    visitors.submit(client.get, f"/api/v1/pictures/{key}/thumbnail?side=256") for key in keys
                ]
                answers_in_time(client)
                statuses = {one.result().status_code for one in asked}
            # Whoever would have to wait too long is refused.
            assert 200 in statuses <= {200, 503}
            # One at a time takes some 700 MB; two would be beyond the budget of a gigabyte.
            assert memory(served.process.pid, "VmHWM") - before < 1_100
    finally:
        served.stop()


@contextmanager
def serving(homes: tuple[Path, Path], seconds: Seconds) -> Iterator[tuple[str, Library]]:
    """The site with other times, in a thread of this process; gives its address and its library."""
    app = create_app(Collection.open(homes[0], home=homes[1]), ServerConfig(seconds=seconds))
    opened = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, http=door(seconds), ws="none", log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        address = f"http://127.0.0.1:{opened.getsockname()[1]}"
        httpx.get(f"{address}/api/v1/health", timeout=PATIENCE)
        yield address, app.state.library
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def ended(connection: socket.socket) -> bytes:
    """All that the server says until it hangs up."""
    said = b""
    try:
        while more := connection.recv(65_536):
            said += more
    except ConnectionResetError:
        pass
    return said


def test_headers_and_bodies_have_their_time(homes: tuple[Path, Path]) -> None:
    with serving(homes, Seconds(headers=0.3, pause=0.3, body=0.6)) as (address, _), ExitStack() as crowd:

        def begin(said: bytes) -> socket.socket:
            connection = crowd.enter_context(connect(address))
            connection.sendall(said)
            return connection

        silent, half = begin(b""), begin(b"GET / HTTP/1.1\r\nhost: 127")
        body = begin(b"POST /api/v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 90\r\n\r\nx")
        assert ended(silent) == b""
        assert ended(half) == b""
        assert ended(body).startswith(b"HTTP/1.1 408")
        # A letter now and then does not buy more of it.
        slow = begin(b"GET / HTTP/1.1\r\nx: ")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            until(lambda: slow.send(b"y") == 0, 20)


def test_the_door_makes_room_for_who_comes(homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("circlet.app.http.door.MOST", 20)
    with serving(homes, Seconds(headers=PATIENCE)) as (address, _), ExitStack() as crowd:
        first = crowd.enter_context(connect(address))
        for _ in range(40):
            crowd.enter_context(connect(address))
        assert ended(first) == b"", "it said nothing for longest, so it leaves"
        assert httpx.get(f"{address}/api/v1/health", timeout=PATIENCE).status_code == 200


def test_a_storm_of_searches_holds_up_nobody(homes: tuple[Path, Path]) -> None:
    body = b'{"turns": [{"text": "red"}]}'
    head = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    storm = b"POST /api/v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\n" + head + body
    with serving(homes, Seconds()) as (address, library), ExitStack() as crowd:
        searches = library.searches
        searches.seconds = PATIENCE
        with ExitStack() as held:
            for _ in range(searches.slots):
                held.enter_context(searches.turn())
            senders = [crowd.enter_context(connect(address)) for _ in range(150)]
            for sender in senders:
                sender.sendall(storm)
            until(lambda: searches.waiting == searches.share)
            # The others are refused at once, and there are threads left for everything else.
            for path in ("/api/v1/health", "/", "/status", "/api/v1/pictures"):
                assert best(partial(httpx.get, f"{address}{path}", timeout=PATIENCE)) < 1.0, path
        statuses = [sender.recv(65_536).split()[1] for sender in senders]
    assert statuses.count(b"503") == len(senders) - searches.share
    assert statuses.count(b"200") == searches.share
