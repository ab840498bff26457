"""What a server may do with the key that it is given: nothing that anybody else gets to see."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from circlet.core import ServiceError
from circlet.models.answers import remembered
from circlet.models.chat import Chat
from circlet.testing import FakeChatServer

KEY = "sk-very-secret"


def test_a_server_that_repeats_the_key_does_not_get_it_into_errors_or_files(tmp_path: Path) -> None:
    with FakeChatServer(lambda content: f"your key is {KEY}") as server:
        chat = Chat(server.url, "see", KEY, pause=0)
        assert remembered(chat.ask, "see", tmp_path)("hello") == "your key is [the key]"
        assert not [path for path in tmp_path.rglob("*.json") if KEY in path.read_text()]
        wrong = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}"}}).encode()
        server.troubles = [(401, wrong), (200, json.dumps({"told": KEY}).encode())]
        with pytest.raises(ServiceError, match=r"401 Unauthorized: Incorrect API key provided: \[the key\]$"):
            chat.ask("again")
        with pytest.raises(ServiceError, match=r"not a chat completion: \{'told': '\[the key\]'\}"):
            Chat(server.url, "see", KEY, tries=1).ask("again")


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server with this handler."""
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_key_is_not_taken_to_another_address() -> None:
    seen: list[str | None] = []

    class Thief(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["Authorization"])
            self.send_error(404)

    with serving(Thief) as there:

        class Elsewhere(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(302)
                self.send_header("Location", there)
                self.end_headers()

        with serving(Elsewhere) as here, pytest.raises(ServiceError, match="302 Found"):
            Chat(here, "see", KEY, pause=0).ask("hello")
    assert seen == []
