"""`circlet serve --warm` answers for `circlet search`: the same bytes, the same rights, or not at all."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.app.patience import PATIENCE, until

from circlet.app.cli import handing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks as Linux does")


@pytest.fixture
def warm(command: Any, picture: Any) -> Iterator[Any]:
    """The command with a home in which a warm process listens, over three pictures."""
    folder = picture("red.jpg", "red").parent
    picture("green.jpg", "green")
    picture("blue.jpg", "blue")
    command("index", folder)
    with serving(command):
        yield command


@contextmanager
def serving(command: Any) -> Iterator[Any]:
    server = command.start("serve", "--port", 0, "--warm")
    try:
        until((command.home / "warm.sock").exists)
        yield server
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE)
    # It ends with the server, however that ended.
    until(lambda: not (command.home / "warm.sock").exists())


def both(command: Any, monkeypatch: pytest.MonkeyPatch, *args: object) -> list[tuple[int, str, str]]:
    """How a command ends by itself, and when it is handed on: code, output, complaints."""
    ends = []
    for cold in ("1", ""):
        monkeypatch.setenv("CIRCLET_COLD", cold)
        process = command.start("search", *args, encoding="latin-1")
        out, err = process.communicate(timeout=PATIENCE)
        ends.append((process.returncode, out, err))
    return ends


def test_what_is_printed_is_the_same_to_the_byte(
    warm: Any, monkeypatch: pytest.MonkeyPatch, picture: Any
) -> None:
    outside = picture("../outside/purple.jpg", "purple")
    monkeypatch.chdir(outside.parent)
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    for args in (
        ["red"],
        ["red", "--json", "--all"],
        ["a zebra", "--csv"],
        ["nothing of the kind, über alles", "--top", "1"],
        ["purple.jpg", "in green", "--why", "--all"],
        ["--no-such-option"],
        ["lost.jpg"],
        ["red", "--in", outside.parent],
    ):
        alone, handed = both(warm, monkeypatch, *args)
        assert handed == alone, args


def test_a_command_that_is_handed_on_loads_nothing_itself(warm: Any) -> None:
    # What Python imports goes to the errors of the process that was started.
    told = warm.environment | {"PYTHONPROFILEIMPORTTIME": "1", "CIRCLET_COLD": ""}
    warm_one, alone = (
        run(warm, {**told, "CIRCLET_COLD": cold}, "search", "red", "--json") for cold in ("", "1")
    )
    assert "circlet.app.cli.handing" in warm_one
    assert "numpy" not in warm_one
    assert "click" not in warm_one
    assert "numpy" in alone


def run(command: Any, environment: dict[str, str], *args: str) -> str:
    import subprocess

    called = [sys.executable, "-m", "circlet", *args]
    return subprocess.run(called, env=environment, capture_output=True, text=True, check=True).stderr


def test_a_door_that_is_not_ours_alone_is_passed_by(
    warm: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(warm.home))
    door = Path(handing.door())
    assert door.stat().st_mode & 0o777 == 0o600
    asked = ["search", "red", "--json"]
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        assert handing.handed(asked) == 0
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), handlers, strict=True):
            signal.signal(number, handler)
    assert "red.jpg" in capfd.readouterr().out
    assert handing.handed(["info"]) is None
    for option in ("--sheet", "--sheet=a.png", "--encoder", "--rerank", "--method"):
        assert handing.handed([*asked, option, "a.png"]) is None
    door.chmod(0o666)
    assert handing.handed(asked) is None
    door.chmod(0o600)
    with monkeypatch.context() as other:
        other.setattr(handing, "__version__", "another")
        assert handing.handed(asked) is None
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "17")
    assert handing.handed(asked) is None
    assert capfd.readouterr().out == ""


def test_nonsense_at_the_door_harms_nobody(warm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(warm.home))
    for said in (b"", b"hello", b"\xff" * 8, handing.NUMBER.pack(5) + b"12345"):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(handing.door())
            line.sendall(said)
            line.shutdown(socket.SHUT_WR)
            line.settimeout(PATIENCE)
            with suppress(ConnectionResetError):
                line.recv(100)
    alone, handed = both(warm, monkeypatch, "red", "--json")
    assert handed == alone


def test_a_second_server_leaves_the_door_to_the_first(warm: Any) -> None:
    before = (warm.home / "warm.sock").stat().st_ino
    other = warm.start("serve", "--port", 0, "--warm")
    assert "circlet is at" in other.stdout.readline()
    other.terminate()
    other.communicate(timeout=PATIENCE)
    assert (warm.home / "warm.sock").stat().st_ino == before


def test_the_door_goes_when_the_server_is_killed(command: Any, picture: Any) -> None:
    command("index", picture("red.jpg", "red").parent)
    with serving(command) as server:
        os.kill(server.pid, signal.SIGKILL)
    found = command("search", "red", "--json").stdout
    assert "red.jpg" in found
