"""Twenty people at once in the studio, and fifty kills of its server while they work.

    python benchmarks/studio.py [--people 20] [--kills 50] [--subsets 100] [--pause 1.0]

Plays CIRR's human retrieval over HTTP against the real command: first everybody works undisturbed, at
`--pause` seconds an item on average, then without any pause while the server is killed again and again
and started anew. At the end the file of answers is held against what each person was told is saved.
"""

import argparse
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import httpx
from PIL import Image

from circlet.build import write_cirr
from circlet.studio import project_text
from circlet.studio.store import Store

WANTED = 3


def make(folder: Path, subsets: int) -> Path:
    """A project whose sentences are written: nine pairs a subset, to be found by three people each."""
    names = [[f"s{subset}-{member}.png" for member in range(6)] for subset in range(subsets)]
    (folder / "photos").mkdir(parents=True)
    for number, name in enumerate(name for members in names for name in members):
        colour = (number * 37 % 256, number * 91 % 256, number * 53 % 256)
        Image.new("RGB", (320, 240), colour).save(folder / "photos" / name)
    write_cirr(folder, "train", names)
    path = folder / "captions" / "cap.rc2.train.json"
    records = json.loads(path.read_text())
    path.write_text(json.dumps([record | {"caption": "add a dog"} for record in records]))
    project = folder / "project.toml"
    said = {"kind": "cirr", "source": ".", "pictures": "photos", "people": {"retrieve": WANTED, "extend": 0}}
    project.write_text(project_text(title="Load", **said))
    return project


class Server:
    """The real command, which can be killed and started anew on the same port."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project = project
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "CIRCLET_HOME": str(home)}
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        said = [sys.executable, "-m", "circlet", "studio", str(self.project), "--port", str(self.port)]
        self.process = subprocess.Popen(said, env=self.environment, stdout=subprocess.DEVNULL)
        while True:
            try:
                httpx.get(f"{self.address}/studio", timeout=5)
                return
            except httpx.HTTPError:
                time.sleep(0.05)

    def spent(self) -> float:
        """The seconds of processor that it has used."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it at once, whatever it does."""
        self.process.kill()
        self.process.wait()


class Person(threading.Thread):
    """Somebody who works until nothing is left, and remembers what was confirmed to them."""

    def __init__(self, address: str, seed: int, pause: float, most: int | None = None) -> None:
        super().__init__()
        self.address, self.pause, self.most = address, pause, most
        self.chance = random.Random(seed)
        self.name = ""
        self.saved: dict[int, str] = {}
        self.times: list[float] = []
        self.lost = 0
        self.client = httpx.Client(base_url=address, timeout=30, follow_redirects=False)

    def ask(self, method: str, path: str, **more: object) -> httpx.Response:
        """Ask until there is an answer, as a person would who reloads the page."""
        while True:
            try:
                began = time.perf_counter()
                answer = self.client.request(method, path, **more)  # type: ignore[arg-type]
                self.times.append(time.perf_counter() - began)
                return answer
            except httpx.HTTPError:
                self.lost += 1
                time.sleep(self.chance.uniform(0.2, 1.0))

    def begin(self) -> None:
        """Come in and practise."""
        self.ask("POST", "/studio/begin")
        while "You are" not in (page := self.ask("GET", "/studio").text):
            self.ask("POST", "/studio/begin")
        self.name = re.findall(r"You are ([0-9a-f]+)", page)[0]
        self.ask("POST", "/studio/practice/retrieve", data={f"q{place}": "yes" for place in range(9)})

    def run(self) -> None:
        """Choose, save, and go on."""
        if not self.name:
            self.begin()
        while self.most is None or len(self.saved) < self.most:
            page = self.ask("GET", "/studio/tasks/retrieve")
            if page.status_code == 303:
                if page.headers["location"].startswith("/studio/practice"):
                    self.ask("POST", "/studio/practice/retrieve", data={f"q{n}": "yes" for n in range(9)})
                    continue
                return
            item = re.findall(r'name="item" value="(\d+)"', page.text)[0]
            time.sleep(self.chance.uniform(0, 2 * self.pause))
            choice = str(self.chance.randrange(5))
            sent = self.ask("POST", "/studio/tasks/retrieve", data={"item": item, "choice": choice})
            if sent.status_code == 303:
                self.saved[int(item)] = choice


def main() -> None:
    """Run both parts and print what came of them; ends with an error if anything was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--subsets", type=int, default=100)
    parser.add_argument("--pause", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = make(Path(folder) / "mine", said.subsets)
        server = Server(project, Path(folder) / "home")
        people = [Person(server.address, said.seed + n, said.pause, most=8) for n in range(said.people)]
        timed(people, server, f"{said.people} people, {said.pause:g} s an item")
        rushed = [Person(server.address, said.seed + 100 + n, 0.0) for n in range(said.people)]
        for new, old in zip(rushed, people, strict=True):
            new.client, new.name, new.saved = old.client, old.name, dict(old.saved)
        kills = killed(server, rushed, said.kills, random.Random(said.seed))
        server.kill()
        checked(project, rushed, kills)


def timed(people: list[Person], server: Server, what: str) -> None:
    """Let everybody work, and say how long the pages took, and how long the processor was at them."""
    before = server.spent()
    for person in people:
        person.start()
    for person in people:
        person.join()
    times = sorted(time for person in people for time in person.times)
    print(
        f"{what}: {len(times)} answers of the server, median {1000 * statistics.median(times):.0f} ms, "
        f"19 of 20 within {1000 * times[int(0.95 * len(times))]:.0f} ms, "
        f"{1000 * (server.spent() - before) / len(times):.0f} ms of processor each; "
        f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"
    )


def killed(server: Server, people: list[Person], kills: int, chance: random.Random) -> int:
    """Kill the server again and again while everybody works without a pause; how often it came to that."""
    for person in people:
        person.pause = 0.05
        person.start()
    done = 0
    while done < kills and any(person.is_alive() for person in people):
        time.sleep(chance.uniform(0.05, 0.5))
        server.kill()
        done += 1
        server.start()
    for person in people:
        person.join()
    return done


def checked(project: Path, people: list[Person], kills: int) -> None:
    """Hold the file of answers against what everybody was told."""
    store = Store(project.parent / "answers.sqlite")
    answers = {(one.item.number, one.person): one for one in store.answers()}
    promised = {(item, person.name): choice for person in people for item, choice in person.saved.items()}
    lost = [key for key in promised if key not in answers]
    changed = [
        key
        for key, choice in promised.items()
        if key in answers
        and answers[key].item.shown["candidates"][int(choice)] != answers[key].answer["choice"]
    ]
    each = Counter(number for number, _ in answers)
    beyond = [number for number, count in each.items() if count > WANTED]
    items = store.items("retrieve")
    open_ = [item for item in items if each[item.number] < WANTED]
    print(
        f"{kills} kills, {sum(person.lost for person in people)} requests without an answer: "
        f"{len(promised)} answers confirmed, {len(lost)} lost, {len(changed)} changed; "
        f"{len(items)} items of {WANTED} people each, {len(beyond)} given beyond that, "
        f"{len(open_)} not finished"
    )
    store.close()
    if lost or changed or beyond:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
