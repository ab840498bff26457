"""A server in this process, for pages over a collection of a test's own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import httpx
import uvicorn

from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection import Collection
from tests.app.conftest import until_loaded
from tests.app.patience import PATIENCE


@contextmanager
def serving(collection: Collection) -> Iterator[str]:
    """The address of a server over this collection, that searches already."""
    app = create_app(collection, ServerConfig())
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE
    while not server.started:
        assert time.monotonic() < end, "the server never began"
        time.sleep(0.01)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        until_loaded(client)
    yield address
    server.should_exit = True
    thread.join(PATIENCE)
