"""Who may search when: a few at once, the others in turn, nobody for longer than a person waits.

A search runs in a thread, and one that waits for its turn is a thread less for everything else. So the
queue has an end and an age, an address has a share of it, and whoever has least under way comes next.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Condition, Thread

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from circlet.app.http.guesses import network_of

BUSY = "too many searches at once: try again in a moment"
LOADING = "circlet is still loading what a search needs: try again in a moment"


@dataclass(eq=False)
class Asker:
    """Whose request it is, and since when all of it is here."""

    address: str = ""
    since: float = field(default_factory=time.monotonic)


# Who asks, in whichever thread the request is answered.
ASKER: ContextVar[Asker | None] = ContextVar("ASKER", default=None)


class Asking:
    """Middleware that remembers who asks; the time that a client takes to send its request is its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asker = Asker(network_of((scope.get("client") or ("",))[0]))

        async def heard() -> Message:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                asker.since = time.monotonic()
            return message

        ASKER.set(asker)
        await self.app(scope, heard, send)


class Searches:
    """So many searches at once: `with searches.turn(): …`.

    `queue` of them may wait, `share` of these for one address, until the request is `seconds` old; who
    comes beyond that is asked to come again (503). While something is loaded `before` searching, all wait.

    >>> searches = Searches(2)
    >>> with searches.turn():
    ...     searches.running, searches.waiting
    (1, 0)
    """

    def __init__(self, slots: int, *, queue: int = 60, share: int = 40, seconds: float = 20.0) -> None:
        self.slots = slots
        self.queue, self.share, self.seconds = queue, share, seconds
        self._loading = 0
        self._running: list[_Ticket] = []
        self._waiting: deque[_Ticket] = deque()
        self._news = Condition()

    @property
    def running(self) -> int:
        """How many searches are at work."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    def before(self, load: Callable[[], None]) -> Thread:
        """Load something in a thread of its own; whoever searches meanwhile waits for it."""

        def loading() -> None:
            try:
                load()
            finally:
                with self._news:
                    self._loading -= 1
                    self._news.notify_all()

        with self._news:
            self._loading += 1
        thread = Thread(target=loading, daemon=True, name="warming")
        thread.start()
        return thread

    @contextmanager
    def turn(self) -> Iterator[None]:
        """When it is the asker's turn; a 503 if it does not come in time."""
        asker = ASKER.get() or Asker()
        ticket = _Ticket(asker.address)
        with self._news:
            mine = sum(other.address == asker.address for other in self._waiting)
            if len(self._waiting) >= self.queue or mine >= self.share:
                raise self._refusal()
            self._waiting.append(ticket)
            try:
                late = asker.since + self.seconds - time.monotonic()
                if not self._news.wait_for(lambda: self._next() is ticket, late):
                    raise self._refusal()
                self._running.append(ticket)
            finally:
                self._waiting.remove(ticket)
                self._news.notify_all()
        try:
            yield
        finally:
            with self._news:
                self._running.remove(ticket)
                self._news.notify_all()

    def _next(self) -> "_Ticket | None":
        if self._loading or len(self._running) >= self.slots:
            return None
        under_way = Counter(ticket.address for ticket in self._running)
        return min(self._waiting, key=lambda ticket: under_way[ticket.address], default=None)

    def _refusal(self) -> HTTPException:
        return HTTPException(503, LOADING if self._loading else BUSY, {"retry-after": "2"})


@dataclass(eq=False)
class _Ticket:
    """One search that waits or is at work."""

    address: str
