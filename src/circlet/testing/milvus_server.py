"""A real Milvus server for tests and measurements, from the package `milvus`, reached by loopback alone."""

import fcntl
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from circlet.core import StoreError
from circlet.testing import milvus_keeper

# Seconds within which a server answers, however busy the machine is; after a kill it reads its log first.
_PATIENCE = 300
_SETTINGS = {
    "log.level": "error",
    "log.stdout": "false",
    "etcd.log.level": "error",
    # What is asked right after something was written waits for the next tick.
    "proxy.timeTickInterval": 50,
}


def why_no_server() -> str:
    """Why no server can be started here; empty where one can.

    >>> import pytest
    >>> pytestmark = pytest.mark.skipif(bool(why_no_server()), reason=why_no_server())
    """
    if find_spec("milvus") is None or find_spec("pymilvus") is None:
        return "no Milvus server is installed: pip install milvus==2.3.5 pymilvus"
    tried = subprocess.run(
        [sys.executable, "-c", "from circlet.testing.milvus_keeper import alone; alone()"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return "" if tried.returncode == 0 else "a Milvus server cannot be shut off from other machines here"


class MilvusServer:
    """A server that keeps its data in `folder`; it can be killed and started again at the same address.

    with MilvusServer(folder) as server:
        store = open_store(f"{server.address}/pictures", write=True)
    """

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self._settings = settings
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def address(self) -> str:
        """What stands before a store's name: milvus://127.0.0.1:PORT."""
        return f"milvus://127.0.0.1:{self._port}"

    def start(self) -> Self:
        """Start it and wait until it answers."""
        from milvus import MilvusServerConfig

        self.folder.mkdir(parents=True, exist_ok=True)
        config = MilvusServerConfig(data_dir=str(self.folder))
        for name, value in (_SETTINGS | self._settings).items():
            config.set(name, value)
        config.resolve()
        with socket.socket() as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind(("127.0.0.1", self._port))
            self._port = door.getsockname()[1]
            said = (door.fileno(), config.get("proxy_port"), unpacked(), self.folder)
            self._process = subprocess.Popen(
                [sys.executable, milvus_keeper.__file__, *map(str, said)],
                stdin=subprocess.PIPE,
                pass_fds=[door.fileno()],
            )
        end = time.monotonic() + _PATIENCE
        while self._process.poll() is None and time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port)):
                return self
            time.sleep(0.1)
        self.kill()
        raise StoreError(f"the Milvus server did not start: {self.folder / 'server.log'} says why")

    def kill(self) -> None:
        """End it at once, as a power cut would: the system ends the server with its keeper."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def unpacked() -> Path:
    """The server's program, which the package holds compressed; unpacked once for every test."""
    import milvus

    folder = Path(tempfile.gettempdir()) / f"circlet-milvus-{milvus.__version__}-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise StoreError(f"{folder}: belongs to somebody else; set TMPDIR to a folder of your own")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        milvus._initialize_data_files(str(folder))
    return folder / "bin" / "milvus"


@contextmanager
def milvus_server() -> Iterator[MilvusServer]:
    """A server whose data goes when it ends: `with milvus_server() as server: … server.address`."""
    place = tempfile.TemporaryDirectory(prefix="milvus-", ignore_cleanup_errors=True)
    with place as folder, MilvusServer(Path(folder)) as server:
        yield server
