"""A bucket in a local server that speaks S3, and a web server with pictures and refusals."""

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Bucket:
    """A bucket to put files into: `bucket.put("a.jpg", path)`."""

    client: Any
    name: str = "pictures"

    @property
    def root(self) -> str:
        return f"s3://{self.name}"

    def put(self, key: str, content: Path | bytes) -> str:
        body = content if isinstance(content, bytes) else content.read_bytes()
        self.client.put_object(Bucket=self.name, Key=key, Body=body)
        return f"{self.root}/{key}"

    def delete(self, *keys: str) -> None:
        for key in keys:
            self.client.delete_object(Bucket=self.name, Key=key)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    boto3 = pytest.importorskip("boto3", reason="circlet[s3] is not installed")
    pytest.importorskip("flask_cors", reason="the server that speaks S3 needs flask and flask-cors")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    from circlet.images import remote

    remote._client.cache_clear()
    client = boto3.client("s3")
    client.create_bucket(Bucket="pictures")
    yield Bucket(client)
    running.stop()
    remote._client.cache_clear()


@dataclass
class Web:
    """A web server: what is in `files` is sent, anything else is answered with the number in its name."""

    address: str
    files: dict[str, bytes]


@pytest.fixture
def web() -> Iterator[Web]:
    files: dict[str, bytes] = {}

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = files.get(self.path)
            self.send_response(200 if data is not None else int(self.path.strip("/.jpg")))
            self.send_header("Content-Length", str(len(data or b"")))
            self.send_header("Last-Modified", "Tue, 01 Jul 2025 10:00:00 GMT")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(data or b"")

        do_HEAD = do_GET

        def log_message(self, *said: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Web(f"http://127.0.0.1:{server.server_port}", files)
    server.shutdown()
    server.server_close()
