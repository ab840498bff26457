"""Several processes behind one address: started, started again when one dies, and ended together."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING

from circlet.app.cli.serving import server_of
from circlet.app.cli.terminal import say

if TYPE_CHECKING:
    from fastapi import FastAPI

    from circlet.app.http.config import ServerConfig
    from circlet.collection import Collection

# Seconds before a process that died is started again: twice as many each time, unless it lived for long.
_FIRST, _LONGEST, _LIVED = 0.5, 30.0, 60.0
# Seconds for all to end: a little more than a server gives its open requests.
_ENDING = 15.0


@dataclass(frozen=True)
class Replica:
    """The site over a collection, as each process makes it; what only one may do, the first one does."""

    folder: str | None
    home: str
    store: str
    encoder: str
    index: bool = False
    watch: bool = False

    @classmethod
    def of(cls, collection: "Collection", *, index: bool, watch: bool) -> "Replica":
        """The site over this collection, which each process opens again."""
        folder = str(collection.folder) if collection.folder else None
        return cls(folder, str(collection.home), collection.location, collection.encoder_name, index, watch)

    def __call__(self, config: "ServerConfig") -> "FastAPI":
        from circlet.collection import Collection

        collection = Collection.open(self.folder, home=self.home, store=self.store, encoder=self.encoder)
        load_scorer(collection, config.rerank)
        return self.over(collection, config)

    def over(self, collection: "Collection", config: "ServerConfig") -> "FastAPI":
        """The site, over a collection that is open."""
        from circlet.app.http.server import create_app

        first = config.number == 0
        return create_app(collection, config, index=self.index and first, watch=self.watch and first)


def load_scorer(collection: "Collection", name: str) -> None:
    """Load what reranks: what cannot be is a wrong option now, and no fault of whoever searches first."""
    from circlet.collection import SearchOptions

    if not name:
        return
    collection.method(SearchOptions(rerank=name))
    if "torch" in sys.modules:
        import torch

        # One processor each, as with numpy: its threads would wait for each other by computing nothing.
        torch.set_num_threads(1)


def supervise(make: "Callable[[ServerConfig], FastAPI]", config: "ServerConfig", door: socket.socket) -> None:
    """Keep `config.processes` servers at one door until a signal comes; then end all of them."""
    with TemporaryDirectory(prefix="circlet-") as shared, _signals() as heard:
        configs = [replace(config, number=n, shared=Path(shared)) for n in range(config.processes)]
        number = _watch(lambda n: _begun(make, configs[n], door), config.processes, heard)
    # As a server of one process ends: by what it was told.
    signal.raise_signal(number)


def _begun(
    make: "Callable[[ServerConfig], FastAPI]", config: "ServerConfig", door: socket.socket
) -> BaseProcess:
    process = get_context("spawn").Process(target=_serve, args=(make, config, door))
    process.start()
    return process


def _serve(make: "Callable[[ServerConfig], FastAPI]", config: "ServerConfig", door: socket.socket) -> None:
    """One of the processes, until it is told to end or nobody is there to tell it."""
    server = server_of(make(config), config)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        server.should_exit = True

    Thread(target=follow, daemon=True, name="parent").start()
    server.run(sockets=[door])


def _watch(begin: Callable[[int], BaseProcess], count: int, heard: int) -> int:
    """Start all, and each again that dies; returns the signal that ended it."""
    living = {number: begin(number) for number in range(count)}
    born = dict.fromkeys(living, time.monotonic())
    pauses = dict.fromkeys(living, 0.0)
    due: dict[int, float] = {}
    try:
        while True:
            late = min(due.values(), default=None)
            patience = None if late is None else max(0.0, late - time.monotonic())
            news = wait([heard, *(process.sentinel for process in living.values())], patience)
            if heard in news:
                return os.read(heard, 1)[0]
            now = time.monotonic()
            for number, process in list(living.items()):
                if process.sentinel in news:
                    process.join()
                    del living[number]
                    again = now - born[number] < _LIVED
                    pauses[number] = min(max(pauses[number] * 2, _FIRST), _LONGEST) if again else _FIRST
                    due[number] = now + pauses[number]
                    say(f"circlet: process {number} ended ({_reason(process)}); it is started again")
            for number in [number for number, moment in due.items() if moment <= now]:
                del due[number]
                living[number], born[number] = begin(number), now
    finally:
        for process in living.values():
            process.terminate()
        end = time.monotonic() + _ENDING
        for process in living.values():
            process.join(max(0.0, end - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()


def _reason(process: BaseProcess) -> str:
    code = process.exitcode or 0
    return f"signal {-code}" if code < 0 else f"code {code}"


@contextmanager
def _signals() -> Iterator[int]:
    """A file to read the number of a signal from, which meanwhile does nothing else."""
    told, heard = os.pipe()
    os.set_blocking(heard, False)
    names = [signal.SIGINT, signal.SIGTERM]
    before = {name: signal.signal(name, lambda *_: None) for name in names}
    woken = signal.set_wakeup_fd(heard, warn_on_full_buffer=False)
    try:
        yield told
    finally:
        signal.set_wakeup_fd(woken)
        for name, handler in before.items():
            signal.signal(name, handler)
        os.close(told)
        os.close(heard)
