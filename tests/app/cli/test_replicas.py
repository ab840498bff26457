"""`circlet serve --processes`: whoever of them answers, the answer is the same; one that dies comes back."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest
from tests.app.patience import PATIENCE, Gate, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")
TOKEN = "a word of sixteen letters"


def serving(parent: int) -> list[int]:
    """The processes that answer, by the parent's id."""
    found = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        for child in task.read_text().split():
            try:
                called = Path(f"/proc/{child}/cmdline").read_bytes()
            except OSError:
                continue
            if b"spawn_main" in called:
                found.append(int(child))
    return sorted(found)


def state(process: int) -> str:
    """Running, sleeping, stopped (T), dead (Z) or gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


@contextmanager
def only(one: int, other: int) -> Iterator[None]:
    """Meanwhile the other process stands still, so it is the one that answers."""
    os.kill(other, signal.SIGSTOP)
    until(lambda: state(other) == "T")
    try:
        yield
    finally:
        os.kill(other, signal.SIGCONT)


def pair_of(served: Any) -> tuple[int, int]:
    one, other = until(lambda: found if len(found := serving(served.process.pid)) == 2 else None)
    return one, other


def asked(served: Any, method: str, path: str, **options: Any) -> httpx.Response:
    """A request by a connection of its own, which whichever process is free takes."""
    headers = {"authorization": f"Bearer {TOKEN}", **options.pop("headers", {})}

    def answer() -> httpx.Response | None:
        got = httpx.request(method, f"{served.address}{path}", timeout=PATIENCE, headers=headers, **options)
        return None if "retry-after" in got.headers else got  # this one is still loading

    return until(answer)


def test_any_process_answers_what_another_began(
    sites: Any, homes: tuple[Path, Path], gate: Gate, tmp_path: Path
) -> None:
    home = copytree(homes[1], tmp_path / "home", symlinks=True)
    served = sites("--processes", "2", "--token", TOKEN, home=home)
    one, other = pair_of(served)
    with only(one, other):
        picture = (homes[0] / "animals/cat.png").read_bytes()
        upload = asked(served, "POST", "/api/v1/uploads", files={"picture": picture}).json()["key"]
        begun = asked(
            served, "POST", "/api/v1/search", json={"turns": [{"picture": upload, "text": "in the snow"}]}
        ).json()
        cookie = asked(served, "GET", f"/?token={TOKEN}", headers={"authorization": ""}).headers["set-cookie"]
        kept = f"/api/v1/pictures/{begun['results'][0]['key']}"
        assert asked(served, "POST", f"{kept}/keep", json={"kept": True}).status_code == 200
    with only(other, one):
        move = f"/api/v1/sessions/{begun['session']}/moves"
        went_on = asked(served, "POST", move, json={"move": "say", "text": "at night"})
        assert went_on.status_code == 200, went_on.text
        assert [turn.get("picture") for turn in went_on.json()["turns"]] == [upload, None]
        assert asked(served, "GET", f"/api/v1/pictures/{upload}/thumbnail").status_code == 200
        known = httpx.get(
            f"{served.address}/", headers={"cookie": cookie.partition(";")[0]}, timeout=PATIENCE
        )
        assert known.status_code == 200
        assert asked(served, "GET", kept).json()["kept"]
    # What each counted is told as a sum.
    told = asked(served, "GET", "/metrics").text
    assert 'circlet_requests_total{route="/api/v1/uploads",status="201"} 1' in told
    assert 'process="0"' in told
    assert 'process="1"' in told

    # An indexing run is everybody's: seen by all, begun once; and told as lost when its process dies.
    with gate.shut():
        with only(one, other):
            job = asked(served, "POST", "/api/v1/jobs").json()
        with only(other, one):
            assert asked(served, "GET", f"/api/v1/jobs/{job['id']}").json()["state"] == "running"
            assert asked(served, "POST", "/api/v1/jobs").status_code == 409
        os.kill(one, signal.SIGKILL)
        until(lambda: asked(served, "GET", f"/api/v1/jobs/{job['id']}").json()["state"] == "failed")
    until(lambda: len({*serving(served.process.pid)} - {one, other}) == 1)
    assert asked(served, "GET", "/healthz").json() == {"status": "ok"}
    assert "ended (signal 9); it is started again" in served.process.stderr.readline()


def test_all_end_with_the_one_that_started_them(sites: Any) -> None:
    served = sites("--processes", "2")
    both = pair_of(served)
    served.process.terminate()
    assert served.process.wait(PATIENCE) == -signal.SIGTERM
    assert {state(process) for process in both} == {"gone"}


def test_none_is_left_when_their_parent_is_killed(sites: Any) -> None:
    served = sites("--processes", "2")
    both = pair_of(served)
    served.process.kill()
    served.process.wait(PATIENCE)
    for process in both:
        until(lambda process=process: state(process) in {"gone", "Z"})
