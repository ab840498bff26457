"""How much the server adds to a search, with 100,000 pictures, many users and an indexing job beside.

    python benchmarks/serve.py [--pictures 100000] [--users 20] [--seconds 60] [--folder FOLDER]

It makes a folder of that many picture files (links to a few drawings), an index of random vectors
for them, starts `circlet serve` and asks it over HTTP. Printed in one run:

- one user: the search itself as the server measured it, the whole request, and the difference;
- many users at once: requests, errors, and how long they waited;
- the same while an indexing job runs, and while large pictures are uploaded;
- the weight of the first page without pictures.
"""

import argparse
import io
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import numpy as np
from PIL import Image

from circlet.collection.collection import Collection
from circlet.core import unit
from circlet.core.home import home
from circlet.index import Entry
from circlet.index.embedded.embedded import Embedded

WORDS = [
    "an animal",
    "something red",
    "a boat on the water",
    "two people",
    "a face",
    "food",
    "at night",
    "a tree",
]
BATCH = 10_000


def prepare(folder: Path, place: Path, count: int) -> None:
    """The picture files, and an index of random vectors for them."""
    random = np.random.default_rng(0)
    sources = []
    for number in range(20):
        source = folder / f"source{number:02}.jpg"
        pixels = random.integers(0, 255, (24, 32, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((640, 480)).save(source, quality=80)
        sources.append(source)
    paths = []
    for number in range(count):
        path = folder / f"{number // 1000:03}" / f"picture{number:06}.jpg"
        path.parent.mkdir(exist_ok=True)
        os.link(sources[number % len(sources)], path)
        paths.append(path)
    encoder = Collection.open(folder, home=place).encoder
    with Embedded.open(place / "index", write=True) as store:
        store.add_root(str(folder))
        for start in range(0, count, BATCH):
            batch = paths[start : start + BATCH]
            stats = [path.stat() for path in batch]
            entries = [
                Entry(str(path), stat.st_size, stat.st_mtime_ns, f"{start + at:032x}", 640, 480)
                for at, (path, stat) in enumerate(zip(batch, stats, strict=True))
            ]
            rows = unit(random.standard_normal((len(batch), encoder.dim), dtype=np.float32))
            store.add(entries, rows, encoder.fingerprint)


def serve(folder: Path, place: Path) -> tuple[subprocess.Popen[str], str]:
    """The real command, and its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "circlet", "serve", str(folder), "--port", "0", "--no-index"],
        env={**os.environ, "CIRCLET_HOME": str(place)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    address = server.stdout.readline().split()[3].rstrip("/")
    httpx.get(f"{address}/", timeout=120)
    return server, address


def one_user(address: str, rounds: int) -> None:
    """What a request costs beyond its search."""
    searches, adds, page_adds = [], [], []
    with httpx.Client(base_url=address, timeout=60) as client:
        for number in range(rounds):
            text = f"{WORDS[number % len(WORDS)]} {number}"
            began = time.perf_counter()
            said = client.post("/api/v1/search", json={"turns": [{"text": text}], "top": 40}).json()
            adds.append((time.perf_counter() - began) * 1000 - said["took_ms"])
            searches.append(said["took_ms"])
            began = time.perf_counter()
            page = client.get(said["page"])
            took = (time.perf_counter() - began) * 1000
            page_adds.append(took - float(re.search(r"in (\d+) ms", page.text)[1]))  # type: ignore[index]
    print(f"one user: search {_told(searches)}; API adds {_told(adds)}; page adds {_told(page_adds)}")


class Users:
    """So many people who search, look at pictures and go on from one, until told to stop."""

    def __init__(self, address: str, count: int) -> None:
        self.address = address
        self.waits: list[float] = []
        self.errors: list[str] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._live, args=(number,)) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def _live(self, number: int) -> None:
        turn = 0
        with httpx.Client(base_url=self.address, timeout=60, follow_redirects=True) as client:
            while not self._stop.is_set():
                turn += 1
                words = f"{WORDS[(number + turn) % len(WORDS)]} {number}"
                page = self._ask(client, "/act", {"text": words})
                keys = re.findall(r'data-key="([\w-]{11})"', page)[:8]
                for key in keys[:2]:
                    self._ask(client, f"/api/v1/pictures/{key}/thumbnail", {"side": "256"})
                if keys:
                    session = re.search(r'name="s" value="([\w-]+)"', page)
                    self._ask(
                        client, "/act", {"s": session[1] if session else "", "pick": keys[turn % len(keys)]}
                    )
                self._stop.wait(0.3)

    def _ask(self, client: httpx.Client, path: str, params: dict[str, str]) -> str:
        began = time.perf_counter()
        try:
            answer = client.get(path, params=params)
            if answer.status_code >= 400:
                self.errors.append(f"{path}: {answer.status_code}")
            return answer.text
        except httpx.HTTPError as error:
            self.errors.append(f"{path}: {error!r}")
            return ""
        finally:
            self.waits.append((time.perf_counter() - began) * 1000)

    def report(self, seconds: float, what: str) -> None:
        """Let them live for so long, and say how it was."""
        self.waits.clear()
        time.sleep(seconds)
        waits = list(self.waits)
        print(
            f"{what}: {len(waits)} requests in {seconds:.0f} s, {len(self.errors)} errors, "
            f"waits {_told(waits or [seconds * 1000])}"
        )

    def leave(self) -> None:
        """Everybody goes."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        for error in self.errors[:5]:
            print(f"  {error}")


def new_pictures(folder: Path, count: int) -> None:
    """Pictures that an indexing job has to read and encode."""
    random = np.random.default_rng(1)
    (folder / "new").mkdir()
    for number in range(count):
        pixels = random.integers(0, 255, (30, 40, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((1600, 1200)).save(folder / "new" / f"{number}.jpg", quality=85)


def uploads(address: str, count: int) -> None:
    """Large uploads, two at a time."""
    file = io.BytesIO()
    Image.effect_noise((6000, 4000), 40).convert("RGB").save(file, "JPEG", quality=80)

    def send() -> None:
        for _ in range(count // 2):
            answer = httpx.post(
                f"{address}/api/v1/uploads", files={"picture": ("a.jpg", file.getvalue())}, timeout=120
            )
            assert answer.status_code == 201, answer.text

    senders = [threading.Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()


def weigh(address: str) -> None:
    """The first page and everything it loads but pictures, as sent and as unpacked."""
    page = httpx.get(f"{address}/")
    files = {"/static/main.js", *re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)}
    for name in ("news", "live", "upload", "grid", "large", "status"):
        files.add(f"/static/{name}.js")
    sent = plain = 0
    for path in ("/", *sorted(file for file in files if file != "/static/main.js")):
        with httpx.stream("GET", f"{address}{path}") as answer:
            sent += sum(len(part) for part in answer.iter_raw())
        plain += len(httpx.get(f"{address}{path}", headers={"accept-encoding": "identity"}).content)
    print(f"first page without pictures: {sent / 1000:.1f} kB sent ({plain / 1000:.1f} kB unpacked)")


def _told(times: list[float]) -> str:
    ordered = sorted(times)
    return f"median {statistics.median(ordered):.1f} ms, 95% {ordered[int(len(ordered) * 0.95)]:.1f} ms"


def main() -> None:
    """Run everything and print the figures."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pictures", type=int, default=100_000)
    asked.add_argument("--users", type=int, default=20)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--new", type=int, default=400, help="pictures for the indexing job")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as base:
        folder, place = Path(base, "album"), Path(base, "home")
        folder.mkdir()
        place.mkdir()
        if (home() / "models").is_dir():
            (place / "models").symlink_to(home() / "models")
        began = time.perf_counter()
        prepare(folder, place, options.pictures)
        print(f"{options.pictures:,} pictures prepared in {time.perf_counter() - began:.0f} s")
        server, address = serve(folder, place)
        try:
            weigh(address)
            one_user(address, 40)
            users = Users(address, options.users)
            users.report(options.seconds, f"{options.users} users")
            new_pictures(folder, options.new)
            job = httpx.post(f"{address}/api/v1/jobs").json()
            users.report(options.seconds / 2, f"{options.users} users beside an indexing job")
            now = httpx.get(f"{address}/api/v1/jobs/{job['id']}").json()
            print(
                f"  the job meanwhile: {now['state']}, {now['done']} of {now['total']} "
                f"{now['report'] or now['error']}"
            )
            sender = threading.Thread(target=uploads, args=(address, 8))
            sender.start()
            users.report(options.seconds / 4, f"{options.users} users beside uploads of 24 megapixels")
            sender.join()
            users.leave()
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
