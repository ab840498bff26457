"""The door: how many may stand in it, and for how long without saying what they want.

A connection costs the server a file, of which it has a few hundred. So one that keeps the server waiting
(for headers, for the rest of a body, for the next request) has its time, and makes room for a new one
when there are too many: the server never stops accepting, and refuses nobody who speaks.
"""

import asyncio
import time
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from circlet.app.http.config import Seconds
from circlet.app.http.guesses import network_of

# Connections at once: of everybody, and of one address. A browser opens six.
MOST, EACH = 400, 200
# Files that are left for pictures, indexes and other processes.
_LEFT = 100


class Door(H11Protocol):
    """One connection; made by `door(seconds)` for a server."""

    seconds = Seconds()
    most = MOST

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let it in; if the door is full, whoever has kept it waiting for longest leaves."""
        super().connection_made(transport)
        self.address = network_of(self.client[0] if self.client else "")
        self.heard = time.monotonic()
        self.late: asyncio.TimerHandle | None = None
        self._expect(self.seconds.headers)
        others: set[Any] = self.connections - {self}
        same = [other for other in others if other.address == self.address]
        if len(same) >= min(EACH, self.most // 2) or len(others) >= self.most:
            crowd = same if len(same) >= min(EACH, self.most // 2) else others
            idle = [other for other in crowd if other.waits]
            leaving = min(idle, key=lambda other: other.heard) if idle else self
            leaving.transport.abort()

    @property
    def waits(self) -> bool:
        """Whether the next thing has to come from the client."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def data_received(self, data: bytes) -> None:
        """Hear what comes; headers that have begun have to end."""
        self.heard = time.monotonic()
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._expect_nothing()
        elif self.late is None:
            self._expect(self.seconds.headers)

    def pause_writing(self) -> None:
        """The client does not take in what it asked for: it has its time for that, too."""
        super().pause_writing()
        self._expect(self.seconds.answer)

    def resume_writing(self) -> None:
        """It goes on."""
        super().resume_writing()
        self._expect_nothing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._expect_nothing()
        super().connection_lost(exc)

    def _expect(self, seconds: float) -> None:
        self._expect_nothing()
        self.late = self.loop.call_later(seconds, self.transport.abort)

    def _expect_nothing(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None


def door(seconds: Seconds) -> type[Door]:
    """The connections of a server that gives its clients so much time."""
    return type("Door", (Door,), {"seconds": seconds, "most": min(MOST, _files() - _LEFT)})


def _files() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:
        return MOST + _LEFT
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST + _LEFT if soft == resource.RLIM_INFINITY else max(soft, _LEFT + 50)
