"""A chat server on this machine that speaks the OpenAI-compatible protocol and says what it is told to."""

import base64
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

# What a message holds: a text, or parts of text and pictures.
Content = str | list[dict[str, Any]]


class FakeChatServer(ThreadingHTTPServer):
    """Answers chat completions by a function of the message, after whatever troubles were planned.

    Where `picture` is given, a function from a prompt to a file's bytes, it makes pictures, too.

    >>> with FakeChatServer(lambda content: "a dog") as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True

    `troubles` are answers to give before the right ones: (status, body) each; `at_times` says of a
    request's number, counted from one, which trouble it meets, or None. `asked` and `keys` hold what came in.
    """

    daemon_threads = True

    def __init__(
        self, answer: Callable[[Content], str], picture: Callable[[str], bytes] | None = None
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.picture = picture
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.troubles: list[tuple[int, bytes]] = []
        self.at_times: Callable[[int], tuple[int, bytes] | None] = lambda number: None
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """Where it is, as `Chat` takes it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> "FakeChatServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: FakeChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        trouble = self.server.at_times(len(self.server.asked))
        draws = self.path == "/v1/images/generations" and self.server.picture
        if self.path != "/v1/chat/completions" and not draws:
            self._reply(404, b"{}")
        elif self.server.troubles:
            self._reply(*self.server.troubles.pop(0))
        elif trouble is not None:
            self._reply(*trouble)
        elif draws:
            drawn = base64.b64encode(draws(body["prompt"])).decode()
            self._reply(200, json.dumps({"data": [{"b64_json": drawn}]}).encode())
        else:
            text = self.server.answer(body["messages"][0]["content"])
            self._reply(200, json.dumps({"choices": [{"message": {"content": text}}]}).encode())

    def _reply(self, code: int, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """A test's server says nothing."""
