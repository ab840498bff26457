"""Indexing by the workers of a Ray cluster on this machine: the same as alone, whoever is killed."""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from circlet.collection import Collection
from circlet.collection.cluster import Cluster, _Hand, _Job
from circlet.collection.reading import Wanted
from circlet.core import UsageError
from circlet.images import FoundFile

Opened = Callable[..., Collection]
SMALL = (64, 48)
# An encoder whose workers die of one picture: of the kind that brings a decoder down.
POISON = """
import os, signal
from circlet.models.encoders.builtin import Builtin

class Encoder(Builtin):
    def prepare(self, picture):
        if picture.size == (31, 31):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().prepare(picture)
"""


def workers() -> list[int]:
    """The processes of this one's cluster that encode."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            name = (place / "cmdline").read_bytes()
            stat = (place / "stat").read_text()
        except OSError:
            continue
        parents[int(place.name)] = (int(stat.rpartition(")")[2].split()[1]), name.startswith(b"ray::Worker"))

    def ours(process: int) -> bool:
        while process in parents:
            process = parents[process][0]
            if process == os.getpid():
                return True
        return False

    return [process for process, (_, works) in parents.items() if works and ours(process)]


@pytest.fixture
def folder(picture: Any) -> Path:
    """Forty pictures, one of them cut short, one a copy of another, in batches that are small enough."""
    made = [picture(f"{number % 3}/{number}.jpg", "teal", SMALL, seed=number) for number in range(38)]
    root = made[0].parents[1]
    (root / "cut.jpg").write_bytes(made[1].read_bytes()[:500])
    (root / "copy.jpg").write_bytes(made[2].read_bytes())
    return root  # type: ignore[no-any-return]


@pytest.fixture
def opened(
    tmp_path: Path, at_home: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Collection]]:
    # Not loaded here: what makes it quiet and private is set before that.
    if find_spec("ray") is None:
        pytest.skip("circlet[cluster] is not installed")
    monkeypatch.setattr("circlet.collection.cluster._GIVEN", 4)

    def make(folder: Path, home: str = "home", **options: Any) -> Collection:
        place = at_home(tmp_path / home).home
        # Workers keep prepared models where we do.
        monkeypatch.setenv("CIRCLET_HOME", str(place))
        return Collection.open(folder, home=place, **options)

    yield make
    assert not workers()
    assert not list(Path("/tmp").glob(f"circlet-ray-{os.getpid()}-*"))


def held(collection: Collection) -> dict[str, Any]:
    """Every picture of the index with its vector."""
    ids = [id for id, _ in collection.store.walk(collection.root)]
    assert len(ids) == len(set(ids))
    rows = collection.store.space(collection.encoder.fingerprint).vectors_of(ids)
    return dict(zip(ids, rows, strict=True))


def test_a_killed_worker_changes_nothing_of_what_one_machine_does(
    opened: Opened, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    alone, many = opened(folder, "alone"), opened(folder, "many")
    wanted = alone.index()
    killed: list[int] = []

    def kill(done: int, total: int | None) -> None:
        if not killed and (there := workers()):
            os.kill(there[0], signal.SIGKILL)
            killed.append(there[0])

    report = many.index(kill, workers="ray:2")
    assert killed
    assert (str(report), sorted(report.skipped)) == (str(wanted), sorted(wanted.skipped))
    assert report.added == 39
    ours, theirs = held(many), held(alone)
    assert ours.keys() == theirs.keys()
    assert all(np.allclose(ours[id], theirs[id], atol=1e-5) for id in ours)
    assert not many.verify()
    assert capfd.readouterr() == ("", "")
    assert many.store.broken(many.root) == alone.store.broken(alone.root)

    # Stopped in the middle, what is in hand is kept; the next run does the rest, each picture once.
    for number in range(3, 33):
        (folder / f"{number % 3}/{number}.jpg").rename(folder / f"{number}.png")
        (folder / f"{number}.png").write_bytes((folder / f"{number}.png").read_bytes() + b" ")
    stop = Event()
    stopped = many.index(lambda done, total: stop.set() if done > 10 else None, stop=stop, workers="ray:2")
    assert stopped.interrupted
    assert 0 < stopped.added < 30
    rest = many.index()
    assert (stopped.added + rest.added, rest.forgotten) == (30, 30)
    assert len(held(many)) == 39
    assert not many.verify()


def test_a_picture_that_no_worker_survives_is_reported_and_the_others_are_read(
    opened: Opened, picture: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "poisonous.py").write_text(POISON)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")
    monkeypatch.syspath_prepend(str(tmp_path))
    for number in range(9):
        picture(f"{number}.png", "teal", SMALL, seed=number)
    pill = picture("4b.png", "red", (31, 31))
    collection = opened(pill.parent, encoder="poisonous:Encoder")
    report = collection.index(workers="ray:2")
    reason = "no worker survives reading it: open it with care, and save it anew or leave it out"
    assert report.skipped == [(str(pill), reason)]
    assert (report.added, len(held(collection))) == (9, 9)
    # It is remembered: nobody dies of it again until it changes.
    again = collection.index(workers="ray:1")
    assert (again.unchanged, again.skipped) == (9, [(str(pill), reason)])
    sys.modules.pop("poisonous", None)


def test_a_suspect_is_given_out_alone_and_cut_into_parts() -> None:
    wanted = [Wanted(FoundFile(Path(f"/p/{number}.jpg"), 1, 1)) for number in range(10)]
    hand, cluster = _Hand(None), Cluster("ray", "builtin", "")
    assert hand.takes(_Job(wanted))
    assert hand.takes(_Job(wanted, suspect=True))
    hand.jobs = [_Job(wanted)]
    assert hand.takes(_Job(wanted))
    assert not hand.takes(_Job(wanted, suspect=True))
    hand.jobs = [_Job(wanted, suspect=True)]
    assert not hand.takes(_Job(wanted))
    # While one waits, the first worker takes nothing else, so that its turn comes; the others go on.
    cluster._hands, cluster._again = [_Hand(None, [_Job(wanted)]), _Hand(None)], deque([_Job(wanted, True)])
    assert cluster._next(cluster._hands[0], iter(wanted)) is None
    cluster._hands[1].jobs = [_Job(wanted)]
    fresh = cluster._next(cluster._hands[1], iter(wanted))
    assert fresh is not None
    assert not fresh.suspect
    cluster._hands[0].jobs = []
    suspect = cluster._next(cluster._hands[0], iter(wanted))
    assert suspect is not None
    assert suspect.suspect
    # First whole, once more; then in quarters; one picture alone has two chances.
    assert not list(cluster._doubted(_Job(wanted), alone=True))
    first = cluster._again.popleft()
    assert (len(first.wanted), first.suspect, first.deaths) == (10, True, 0)
    assert not list(cluster._doubted(first, alone=True))
    assert [len(job.wanted) for job in cluster._again] == [3, 3, 3, 1]
    assert [one for job in cluster._again for one in job.wanted] == wanted
    one = cluster._again.pop()
    assert not list(cluster._doubted(one, alone=True))
    (passed,) = cluster._doubted(cluster._again.pop(), alone=True)
    assert passed.source == wanted[9]  # type: ignore[union-attr]


def test_workers_that_are_not_there_are_one_sentence(
    command: Any, picture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = picture("red.jpg", "red", SMALL)
    said = command("index", red.parent, "--workers", "dask", code=2).stderr
    assert "dask: unknown workers; write ray, ray:4 for four, or ray://host:10001" in said
    monkeypatch.setattr("circlet.core.extras.find_spec", lambda name: None)
    collection = Collection.open(red.parent, home=command.home)
    with pytest.raises(UsageError, match=r"this needs ray, .*: pip install 'circlet\[cluster\]'"):
        collection.index(workers="ray")
