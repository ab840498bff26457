"""The layout of compose.yaml without containers: one index, two pages, a proxy in front of them.

    python benchmarks/replicas.py [--pictures 400] [--seconds 20] [--users 8] [--nginx nginx] [--folder-store]

It indexes photographs into a Milvus server of its own (or, with --folder-store, into a folder), starts two
`circlet serve` on two ports with one token, and nginx with deploy/nginx.conf, whose addresses are the only
thing that is changed. Checked, and printed in one run:

- what was begun at one page goes on at the other: a session, an upload, a cookie, a picture kept;
- users who search through the proxy, beside one page alone, and `--processes 2` beside that;
- one page killed by force while they search: what they saw of it;
- the numbers of `/metrics` beside what the users counted.
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from photographs import folder_of

ROOT = Path(__file__).parents[1]
TOKEN = "a word of sixteen letters"
WORDS = ["an animal", "something red", "a boat on the water", "two people", "a face", "food", "at night"]
SAYS = {"authorization": f"Bearer {TOKEN}"}


def free_port() -> int:
    """A port that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


@contextlib.contextmanager
def store_of(folder: Path, by_folder: bool) -> Iterator[str]:
    """Where the index is: a Milvus server's, or a folder's."""
    if by_folder:
        yield str(folder / "home" / "index")
        return
    from circlet.testing.milvus_server import MilvusServer, why_no_server

    if reason := why_no_server():
        sys.exit(f"{reason}; or give --folder-store")
    with MilvusServer(folder / "milvus") as server:
        yield f"{server.address}/pictures"


@contextlib.contextmanager
def page(environment: dict[str, str], *options: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """`circlet serve`, ready: its address and process."""
    said = [sys.executable, "-m", "circlet", "serve", "--port", "0", "--proxy", "127.0.0.1", *options]
    process = subprocess.Popen(said, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    address = process.stdout.readline().split()[3].partition("?")[0].rstrip("/")
    while httpx.get(f"{address}/readyz", timeout=60).status_code != 200:
        time.sleep(0.2)
    try:
        yield address, process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def proxy(nginx: str, folder: Path, pages: list[str]) -> Iterator[str]:
    """nginx with the settings of this repository, speaking to these pages."""
    port = free_port()
    settings = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    for number, address in enumerate(pages, start=1):
        settings = settings.replace(f"page-{number}:8000", address.removeprefix("http://"))
    settings = settings.replace("listen 8000;", f"listen 127.0.0.1:{port};").replace("/tmp/", f"{folder}/")
    (folder / "nginx.conf").write_text(settings, encoding="utf-8")
    process = subprocess.Popen([nginx, "-c", str(folder / "nginx.conf"), "-g", "daemon off;"])
    address = f"http://127.0.0.1:{port}"
    for _ in range(100):
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{address}/healthz").status_code == 200:
                break
        time.sleep(0.1)
    try:
        yield address
    finally:
        process.terminate()
        process.wait()


def goes_on(one: str, other: str, front: str, picture: Path) -> None:
    """What one page began, the other goes on with; an error where it does not."""
    with httpx.Client(headers=SAYS, timeout=60) as client:
        upload = client.post(f"{one}/api/v1/uploads", files={"picture": picture.read_bytes()}).json()["key"]
        turn = {"picture": upload, "text": "at night"}
        begun = client.post(f"{one}/api/v1/search", json={"turns": [turn]}).raise_for_status().json()
        move = {"move": "say", "text": "without people"}
        there = client.post(f"{other}/api/v1/sessions/{begun['session']}/moves", json=move).raise_for_status()
        assert len(there.json()["turns"]) == 2
        assert there.json()["results"]
        key = begun["results"][0]["key"]
        client.post(f"{one}/api/v1/pictures/{key}/keep", json={"kept": True}).raise_for_status()
        # A server may answer readers as of a moment ago.
        began = time.perf_counter()
        while not client.get(f"{other}/api/v1/pictures/{key}").json()["kept"]:
            assert time.perf_counter() - began < 20, "the other page never learnt that it is kept"
        seen = time.perf_counter() - began
        client.get(f"{other}/api/v1/pictures/{upload}/thumbnail").raise_for_status()
    with httpx.Client(timeout=60) as visitor:
        # In by the proxy, then to each page with the cookie that one of them gave.
        assert visitor.get(f"{front}/?token={TOKEN}", follow_redirects=True).status_code == 200
        for address in (one, other, front):
            assert visitor.get(f"{address}/").status_code == 200
        assert visitor.get(f"{front}/metrics").status_code == 404
    print(
        "a session, an upload and a cookie of one page: the other goes on with them; a picture that is kept "
        f"it saw after {seen:.1f} s"
    )


class Users:
    """So many people who search by words, each as fast as they are answered."""

    def __init__(self, address: str, count: int) -> None:
        self.address = address
        self.waits: list[float] = []
        self.lost: list[str] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._live, args=(number,)) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def _live(self, number: int) -> None:
        turn = 0
        with httpx.Client(base_url=self.address, timeout=60, headers=SAYS, follow_redirects=True) as client:
            while not self._over.is_set():
                turn += 1
                began = time.perf_counter()
                try:
                    words = f"{WORDS[(number + turn) % len(WORDS)]} {number} {turn}"
                    answer = client.get("/act", params={"text": words})
                    if answer.status_code != 200:
                        self.lost.append(str(answer.status_code))
                except httpx.HTTPError as error:
                    self.lost.append(type(error).__name__)
                self.waits.append((time.perf_counter() - began) * 1000)

    def leave(self) -> None:
        """Everybody goes."""
        self._over.set()
        for thread in self._threads:
            thread.join()


def load(address: str, users: int, seconds: float, what: str) -> Users:
    """Let them search for so long, and say how it was."""
    people = Users(address, users)
    time.sleep(seconds)
    people.leave()
    waits = sorted(people.waits)
    print(
        f"{what}: {len(waits) / seconds:.1f} searches a second, {statistics.median(waits):.0f} ms in the "
        f"middle, {waits[int(len(waits) * 0.95)]:.0f} ms for the slowest in twenty, {len(people.lost)} lost"
    )
    return people


def counted(address: str) -> float:
    """How many searches a page says it has answered."""
    told = httpx.get(f"{address}/metrics", headers=SAYS, timeout=60).text
    return float(re.search(r"^circlet_search_seconds_count (\S+)$", told, re.MULTILINE)[1])  # type: ignore[index]


def killed(front: str, users: int, seconds: float, process: "subprocess.Popen[str]") -> None:
    """One page dies in the middle of the users' searches."""
    people = Users(front, users)
    time.sleep(seconds / 2)
    before = len(people.waits)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(seconds / 2)
    people.leave()
    print(
        f"one page killed while {users} users search: {before} searches before it, "
        f"{len(people.waits) - before} after it, {len(people.lost)} lost {sorted(set(people.lost))}, the "
        f"longest took {max(people.waits):.0f} ms"
    )


def main() -> None:
    """Print what was seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--users", type=int, default=8)
    parser.add_argument("--nginx", default=shutil.which("nginx") or "")
    parser.add_argument("--folder-store", action="store_true")
    asked = parser.parse_args()
    if not asked.nginx:
        sys.exit("there is no nginx: apt-get install nginx, or name it with --nginx")
    with tempfile.TemporaryDirectory() as made, store_of(Path(made), asked.folder_store) as store:
        folder = folder_of(Path(made) / "photographs", asked.pictures, (640, 480))
        environment = {
            **os.environ,
            "CIRCLET_HOME": str(Path(made) / "home"),
            "CIRCLET_STORE": store,
            "CIRCLET_TOKEN": TOKEN,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        }
        indexing = [sys.executable, "-m", "circlet", "index", str(folder), "--no-look"]
        print(
            subprocess.run(
                indexing, env=environment, check=True, capture_output=True, text=True
            ).stdout.strip()
        )
        with page(environment) as (one, _):
            load(one, asked.users, asked.seconds, "one page, one process")
        with page(environment, "--processes", "2") as (one, _):
            load(one, asked.users, asked.seconds, "one page, two processes")
        with contextlib.ExitStack() as stack:
            one, process = stack.enter_context(page(environment))
            other, _ = stack.enter_context(page(environment))
            front = stack.enter_context(proxy(asked.nginx, Path(made), [one, other]))
            goes_on(one, other, front, next(folder.rglob("*.jpg")))
            before = counted(one), counted(other)
            people = load(front, asked.users, asked.seconds, "two pages behind the proxy")
            shares = counted(one) - before[0], counted(other) - before[1]
            print(f"of {len(people.waits)} searches the pages counted {shares[0]:.0f} and {shares[1]:.0f}")
            killed(front, asked.users, asked.seconds, process)


if __name__ == "__main__":
    main()
