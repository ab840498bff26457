"""The studio by its real command, and in this process without a network."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from circlet.app.http.config import ServerConfig
from circlet.app.studio.site import create_studio
from circlet.studio import Desk
from tests.app.patience import PATIENCE


class Served:
    """`circlet studio PROJECT` in a process of its own."""

    def __init__(self, command: Any, project: Path, *options: str) -> None:
        self.process = command.start("studio", project, "--port", 0, *options)
        told = self.process.stdout.readline()
        assert "circlet is at http://" in told, self.process.stderr.read()
        self.address = told.split()[3].partition("?")[0].rstrip("/")
        httpx.get(f"{self.address}/studio", timeout=PATIENCE)

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)


@pytest.fixture
def studios(command: Any) -> Iterator[Any]:
    """Starts studios of a test's own: `served = studios(project)`."""
    started: list[Served] = []

    def new(project: Path, *options: str) -> Served:
        started.append(Served(command, project, *options))
        return started[-1]

    yield new
    for served in started:
        served.stop()


@pytest.fixture
def open_studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The studio in this process: `client = open_studio(project, token="…")`, as often as wanted."""
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))
    opened: list[TestClient] = []

    def new(project: Path, **config: Any) -> TestClient:
        app = create_studio(Desk.open(project), ServerConfig(**config))
        client = TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False)
        opened.append(client)
        client.__enter__()
        return client

    yield new
    for client in opened:
        client.__exit__(None, None, None)


def begin(client: TestClient, *tasks: str) -> TestClient:
    """Another person, who has practised, at the same studio."""
    person = TestClient(client.app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    assert person.post("/studio/begin").headers["location"] == "/studio"
    for task in tasks:
        answers = {f"q{place}": "yes" for place in range(9)}
        assert person.post(f"/studio/practice/{task}", data=answers).status_code == 200
    return person
