"""What a load balancer and a monitor see: alive, ready, and numbers that add up."""

import re
import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.app.awaiting import awaited
from tests.app.patience import PATIENCE

from circlet.app.http import health
from circlet.app.http.config import ServerConfig
from circlet.app.http.health import Readiness
from circlet.app.http.metrics import BUCKETS, Metrics
from circlet.app.http.server import create_app
from circlet.app.http.tallies import Tally, read
from circlet.collection import Collection
from circlet.core import StoreError

TOKEN = "a word of sixteen letters"


def samples(text: str) -> dict[str, float]:
    """Every sample of the text format; a line that is none is an error."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# TYPE circlet_"):
            assert line.split()[3] in {"counter", "gauge", "histogram"}
            continue
        name, value = re.fullmatch(r'(circlet_\w+(?:\{(?:\w+="[^"\\]*",?)+\})?) (\S+)', line).groups()  # type: ignore[union-attr]
        assert name not in found
        found[name] = float(value)
    return found


def test_probes_need_neither_token_nor_name_but_metrics_do(homes: tuple[Path, Path]) -> None:
    config = ServerConfig(host="0.0.0.0", token=TOKEN)
    app = create_app(Collection.open(homes[0], home=homes[1]), config)
    with TestClient(app, base_url="http://balancer.example") as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.head("/healthz").status_code == 200
        assert client.post("/healthz").status_code == 421
        app.state.library.warmed.wait(PATIENCE)
        assert client.get("/readyz").json() == {"status": "ready"}
        assert client.get("/metrics").status_code == 421
        own = {"host": "127.0.0.1"}
        assert client.get("/metrics", headers=own).status_code == 401
        told = client.get("/metrics", headers={**own, "authorization": f"Bearer {TOKEN}"})
        assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert samples(told.text)['circlet_requests_total{route="/healthz",status="200"}'] == 2


def test_not_ready_before_the_encoder_is_loaded_or_without_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(Collection.open(home=tmp_path / "home"))
    library = app.state.library
    monkeypatch.setattr(library, "warm", lambda: None)
    with TestClient(app, base_url="http://localhost") as client:
        early = client.get("/readyz")
        assert (early.status_code, early.headers["retry-after"]) == (503, "2")
        assert early.json() == {"status": "unready", "reason": health.LOADING}
        library.warmed.set()
        empty = client.get("/readyz")
        assert (empty.status_code, empty.json()["reason"]) == (503, health.UNREADABLE)
        # Alive all the same: a balancer should wait for it, and nobody restart it.
        assert client.get("/healthz").status_code == 200


class _Library:
    """Something ready but for its index."""

    def __init__(self, roots: Any) -> None:
        self.warmed, self.collection = Event(), self
        self.store, self.roots = self, roots
        self.warmed.set()


def test_an_index_that_hangs_is_told_and_asked_by_one_at_a_time() -> None:
    asked, answered, calls = Event(), Event(), []

    def hang() -> list[str]:
        calls.append(1)
        asked.set()
        assert answered.wait(PATIENCE)
        return []

    readiness = Readiness(_Library(hang), patience=0.01)  # type: ignore[arg-type]

    async def late() -> None:
        # A busy machine may not even have begun to look by then.
        while not asked.is_set():
            assert await readiness.lacks() == health.SILENT
        assert await readiness.lacks() == health.SILENT
        answered.set()

    awaited(late())
    assert len(calls) == 1


def test_the_index_is_asked_once_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    now, calls = [100.0], []

    def lost() -> list[str]:
        calls.append(1)
        raise StoreError("the server at 10.0.0.7 is gone")

    monkeypatch.setattr(health.time, "monotonic", lambda: now[0])
    readiness = Readiness(_Library(lost), patience=PATIENCE)  # type: ignore[arg-type]

    for _ in range(3):
        assert awaited(readiness.lacks()) == health.UNREADABLE
    assert len(calls) == 1
    now[0] += 1.5
    awaited(readiness.lacks())
    assert len(calls) == 2


def test_histograms_add_up(inside: TestClient) -> None:
    before = samples(inside.get("/metrics").text)
    asked = {"turns": [{"text": "a red apple"}], "top": 3}
    for _ in range(3):
        assert inside.post("/api/v1/search", json=asked).status_code == 200
    after = samples(inside.get("/metrics").text)
    assert after["circlet_search_seconds_count"] == before["circlet_search_seconds_count"] + 3
    assert after["circlet_search_seconds_sum"] > before["circlet_search_seconds_sum"]
    of = 'route="/api/v1/search"'
    counts = [after[f'circlet_request_seconds_bucket{{{of},le="{bound}"}}'] for bound in BUCKETS]
    assert counts == sorted(counts)
    assert counts[-1] == after[f"circlet_request_seconds_count{{{of}}}"]
    total = sum(value for name, value in after.items() if name.startswith(f"circlet_requests_total{{{of}"))
    assert counts[-1] == total
    assert after["circlet_process_resident_bytes"] > 10_000_000
    assert after["circlet_requests_open"] == 1


def test_processes_of_one_server_tell_their_sum(tmp_path: Path) -> None:
    one, other = Metrics(tmp_path, 0), Metrics(tmp_path, 1)
    one.count("/", 200, 0.02)
    one.searched(0.3)
    for _ in range(2):
        other.count("/", 200, 7.0)
    other.open = 3
    other.note()
    for asked in (one, other):
        told = samples(asked.text({"pictures": 5}))
        assert told['circlet_requests_total{route="/",status="200"}'] == 3
        assert told['circlet_request_seconds_bucket{route="/",le="0.025"}'] == 1
        assert told['circlet_request_seconds_sum{route="/"}'] == pytest.approx(14.02)
        assert told["circlet_search_seconds_count"] == 1
        assert told['circlet_requests_open{process="1"}'] == 3
        assert told["circlet_pictures"] == 5
    # A process that takes the place of a dead one goes on where that was.
    again = Metrics(tmp_path, 1)
    again.count("/", 200, 0.1)
    told = samples(one.text({}))
    assert told['circlet_requests_total{route="/",status="200"}'] == 4


COUNTS = """
import sys
from pathlib import Path
from circlet.app.http.tallies import Tally
tally = Tally(Path(sys.argv[1]))
for number in range(2000):
    tally.add(f"name {number % 300}", 0.5)
"""


def test_a_tally_is_read_whole_while_another_process_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "0.tally"
    writer = subprocess.Popen([sys.executable, "-c", COUNTS, str(path)])
    while writer.poll() is None:
        for name, value in read(path).items() if path.exists() else ():
            assert name.startswith("name ")
            assert value * 2 == int(value * 2) <= 7
    assert writer.returncode == 0
    assert len(read(path)) == 300
    assert sum(read(path).values()) == 1000


def test_a_tally_that_is_full_counts_on_what_it_knows() -> None:
    tally = Tally()
    for number in range(30_000):
        tally.add(f"a name that takes its room {number}")
    kept = len(dict(tally.items()))
    assert 10_000 < kept < 30_000
    tally.add("a name that takes its room 0", 4)
    assert dict(tally.items())["a name that takes its room 0"] == 5
