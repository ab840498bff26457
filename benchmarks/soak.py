"""Half an hour of everything at once: a server that is used, misused and indexed must stay as it was.

    python benchmarks/soak.py [--minutes 30] [--users 6] [--pictures 300] [--seed 0]

Users search, take turns, look at thumbnails, upload, send nonsense and hang up in the middle; meanwhile
pictures come and go and are indexed. Every request must be answered or refused within its time and none
with a 500; memory, files and threads of the server must be flat between the first third and the last;
no process may be left over, and at the end the index must verify and hold exactly what the folder holds.
"""

import argparse
import io
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from photographs import folder_of, photograph

from circlet.collection import Collection

WORDS = ["a red car", "a beach at night", "two dogs", "something blue", "without people", "a tall tree"]
# Every request ends by then, one way or the other.
IN_TIME = 30.0
# How much more of each the last third may have than the first: a share, and what caches fill up by.
FLAT = {"megabytes": (1.1, 64), "files": (1.1, 8), "threads": (1.1, 8)}
HOG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><filter id="f">'
    + '<feTurbulence baseFrequency="10" numOctaves="2000000000"/>' * 500
    + '</filter><rect width="20" height="10" filter="url(#f)"/></svg>'
).encode()


class Users:
    """Users that do one thing after another until they are told to stop."""

    def __init__(self, address: str, folder: Path, count: int, seed: int) -> None:
        self.address, self.folder = address, folder
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.waits: dict[str, list[float]] = {}
        self.faults: list[str] = []
        self._lock = threading.Lock()
        self.began = time.monotonic()
        self.over = threading.Event()
        file = io.BytesIO()
        photograph(99, (1600, 1200)).save(file, "JPEG")
        self.photograph = file.getvalue()
        self.threads = [
            threading.Thread(target=self._live, args=(random.Random(f"{seed} {number}"),))
            for number in range(count)
        ]
        for thread in self.threads:
            thread.start()

    def _live(self, dice: random.Random) -> None:
        does = [
            self.search,
            self.turns,
            self.thumbnails,
            self.upload,
            self.nonsense,
            self.hang_up,
            self.index,
        ]
        shares = [8, 4, 8, 2, 4, 2, 1]
        with httpx.Client(base_url=self.address, timeout=IN_TIME, follow_redirects=True) as client:
            while not self.over.is_set():
                (one,) = dice.choices(does, shares)
                try:
                    one(client, dice)
                except (httpx.HTTPError, OSError) as error:
                    when = f"after {time.monotonic() - self.began:.0f} s"
                    self.faults.append(f"{one.__name__} {when}: {error!r}")
                self.over.wait(dice.random() / 5)

    def ask(self, client: httpx.Client, kind: str, method: str, path: str, **more: Any) -> httpx.Response:
        """One request; how it was answered and how long it took is noted."""
        began = time.perf_counter()
        answer = client.request(method, path, **more)
        took = time.perf_counter() - began
        with self._lock:
            self.statuses[kind, answer.status_code] += 1
            self.waits.setdefault(kind, []).append(took)
        if answer.status_code == 500:
            self.faults.append(f"{kind} {path[:80]}: 500")
        return answer

    def search(self, client: httpx.Client, dice: random.Random) -> None:
        self.ask(client, "search", "POST", "/api/v1/search", json={"turns": [{"text": dice.choice(WORDS)}]})
        self.ask(client, "health", "GET", "/api/v1/health")

    def turns(self, client: httpx.Client, dice: random.Random) -> None:
        where, keys = "new", ""
        for turn in range(3):
            move: dict[str, Any] = {"move": "say", "text": dice.choice(WORDS)}
            if turn and keys:
                move = {"move": dice.choice(["pick", "like", "dislike"]), "picture": dice.choice(keys)}
            answer = self.ask(client, "turn", "POST", f"/api/v1/sessions/{where}/moves", json=move)
            if not answer.is_success:
                return
            where = answer.json()["session"] or "new"
            keys = [hit["key"] for hit in answer.json()["results"]]

    def thumbnails(self, client: httpx.Client, dice: random.Random) -> None:
        page = self.ask(client, "page", "GET", "/", params={"start": dice.randrange(200)}).text
        for key in re.findall(r'data-key="([\w-]{11})"', page)[:6]:
            side = dice.choice([96, 256, 512, 1280])
            self.ask(client, "thumbnail", "GET", f"/api/v1/pictures/{key}/thumbnail", params={"side": side})

    def upload(self, client: httpx.Client, dice: random.Random) -> None:
        data = dice.choice([self.photograph, self.photograph, HOG, b"no picture", self.photograph[:5000]])
        self.ask(client, "upload", "POST", "/api/v1/uploads", files={"picture": ("a", data)})

    def nonsense(self, client: httpx.Client, dice: random.Random) -> None:
        path = dice.choice(
            ["/?s=", "/?min_size=", "/?before=", "/act?back=", "/picture/", "/api/v1/sessions/", "/"]
        )
        junk = "".join(dice.choice("9aZ-_%20.") for _ in range(dice.choice([3, 40, 3000])))
        self.ask(client, "nonsense", "GET", path + junk.replace("%", ""))
        self.ask(client, "nonsense", "POST", "/api/v1/search", content=dice.randbytes(200))

    def hang_up(self, _: httpx.Client, dice: random.Random) -> None:
        """Leave in the middle of headers, of a body, or before the answer."""
        host, _, port = self.address.removeprefix("http://").rpartition(":")
        kind = "content-type: multipart/form-data; boundary=x"
        part = b'--x\r\ncontent-disposition: form-data; name="picture"; filename="a"\r\n\r\n'
        form = part + HOG + b"\r\n--x--\r\n"
        head = f"POST /api/v1/uploads HTTP/1.1\r\nhost: {host}\r\n{kind}\r\n"
        said = f"{head}content-length: {len(form)}\r\n\r\n".encode() + form
        with socket.create_connection((host, int(port)), timeout=IN_TIME) as line:
            line.sendall(said[: dice.choice([20, len(head) + 60, len(said)])])
            self.over.wait(dice.random())

    def index(self, client: httpx.Client, dice: random.Random) -> None:
        """A picture comes or goes, and the folder is looked at again."""
        path = self.folder / f"new-{dice.randrange(20)}.jpg"
        if path.exists():
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(self.photograph)
        self.ask(client, "index", "POST", "/api/v1/jobs")


def looked_at(process: int) -> dict[str, float]:
    """Memory, files and threads of a process, as Linux counts them."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    value = {name: float(re.search(rf"{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "Threads")}  # type: ignore[index]
    files = len(os.listdir(f"/proc/{process}/fd"))  # noqa: PTH208
    return {"megabytes": value["VmRSS"] / 1024, "files": files, "threads": value["Threads"]}


def main() -> int:
    """Soak, then look at what is left."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--users", type=int, default=6)
    parser.add_argument("--pictures", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="circlet-soak-") as place:
        return soak(asked, Path(place))


def soak(asked: argparse.Namespace, place: Path) -> int:
    """Serve, use, watch; the exit code says whether everything held."""
    folder, home = folder_of(place / "photographs", asked.pictures, (640, 480)), place / "home"
    environment = {**os.environ, "CIRCLET_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)}
    circlet = [sys.executable, "-m", "circlet"]
    subprocess.run([*circlet, "index", "--quiet", str(folder)], env=environment, check=True)
    with (place / "log").open("wb") as log:
        server = subprocess.Popen(
            [*circlet, "serve", str(folder), "--port", "0"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    assert server.stdout
    address = server.stdout.readline().decode().split()[3].rstrip("/")
    users = Users(address, folder, asked.users, asked.seed)
    seen: list[dict[str, float]] = []
    end = time.monotonic() + asked.minutes * 60
    while time.monotonic() < end and server.poll() is None:
        time.sleep(min(5.0, asked.minutes))
        seen.append(looked_at(server.pid))
    users.over.set()
    for thread in users.threads:
        thread.join()
    faults = [*users.faults, *grown(seen), *stopped(server, address)]
    log = (place / "log").read_text(encoding="utf-8", errors="replace")
    if "Traceback" in log or len(log) > 10_000:
        faults.append(f"the server wrote {len(log)} letters of log: {log[:300]}")
    faults += whole(folder, home, environment)
    told(users)
    for fault in faults[:20]:
        print(f"FAULT {fault}")
    print(f"{sum(users.statuses.values()):,} requests in {asked.minutes:g} minutes, {len(faults)} faults")
    return 1 if faults else 0


def grown(seen: list[dict[str, float]]) -> list[str]:
    """What the server has more of at the end than at the beginning; the first sixth is for warming up."""
    faults = []
    third = max(1, len(seen) // 3)
    for name, (share, more) in FLAT.items():
        first = statistics.median(one[name] for one in seen[len(seen) // 6 :][:third])
        last = statistics.median(one[name] for one in seen[-third:])
        print(
            f"{name}: {first:.0f} at first, {last:.0f} at last, {max(one[name] for one in seen):.0f} at most"
        )
        if last > first * share + more:
            faults.append(f"{name} grew from {first:.0f} to {last:.0f}")
    return faults


def stopped(server: "subprocess.Popen[bytes]", address: str) -> list[str]:
    """The indexer's last run is waited for, then the server is told to end, and its processes with it."""
    if server.poll() is not None:
        return [f"the server ended with code {server.returncode}"]
    while httpx.get(f"{address}/api/v1/health", timeout=IN_TIME).json()["indexing"]:
        time.sleep(0.5)
    tasks = Path(f"/proc/{server.pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text(encoding="utf-8").split()]
    server.send_signal(signal.SIGTERM)
    server.wait(IN_TIME)
    time.sleep(1)
    return [f"process {child} lives on" for child in children if Path(f"/proc/{child}").exists()]


def whole(folder: Path, home: Path, environment: dict[str, str]) -> list[str]:
    """What is wrong with the index, once it has seen the folder as it is now."""
    command = [sys.executable, "-m", "circlet", "index", "--quiet", str(folder)]
    subprocess.run(command, env=environment, check=True)
    collection = Collection.open(folder, home=home)
    faults = [str(fault) for fault in collection.verify()]
    held, there = collection.info().pictures, len(list(folder.rglob("*.jpg")))
    return faults + ([] if held == there else [f"the index holds {held} pictures, the folder {there}"])


def told(users: Users) -> None:
    """How each kind of request was answered."""
    for kind, waits in sorted(users.waits.items()):
        answers = ", ".join(
            f"{n} × {status}" for (one, status), n in sorted(users.statuses.items()) if one == kind
        )
        middle, late = statistics.median(waits), sorted(waits)[int(len(waits) * 0.99)]
        print(f"{kind:>10}: {answers}; {middle * 1000:.0f} ms, one in a hundred {late * 1000:.0f} ms or more")


if __name__ == "__main__":
    sys.exit(main())
