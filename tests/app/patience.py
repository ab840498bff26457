"""How a test waits: for the thing itself, and as long as the busiest machine may need."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Seconds until a test gives up: far more than anything takes, because only a fault should reach it.
PATIENCE = 120.0
# Where the indexer finds the gate.
GATE = Path(__file__).parent / "gate"


@dataclass(frozen=True)
class Gate:
    """Indexers that start while it is shut do nothing at all until it opens.

    So a run is under way for as long as a test needs, and what it will find is not there before.
    """

    lock: Path

    @contextmanager
    def shut(self) -> Iterator[None]:
        import fcntl

        with self.lock.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield


def until(check: Callable[[], Any]) -> Any:
    """What a check gives, once it gives something."""
    end = time.monotonic() + PATIENCE
    while (found := check()) in (None, False):
        assert time.monotonic() < end, "waited in vain"
    return found


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port on which a server can start, stop and start again, and which nobody else is given."""
    with socket.socket() as bound:
        # Bound, but not listening: whoever says the same may listen, and no other gets it by chance.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
