"""Who may decode pictures when: by cost, in turn, and only for somebody who still waits.

Decoding is what strangers can make dear. So it has lanes of its own, apart from searches: at most a
few pictures a lane at once, all lanes within one budget of bytes, a queue of limited length and age,
and fair shares: whoever has least under way comes next. Nothing here blocks the server's loop.
"""

from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TypeVar

from anyio import CancelScope, CapacityLimiter, Event, create_task_group, move_on_after, sleep, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from circlet.images.svg.pool import STOP, Stop

Done = TypeVar("Done")
BUSY = "too many pictures are being opened at once: try again in a moment"


@dataclass(eq=False)
class _Ticket:
    """One picture that waits to be opened."""

    lane: str
    client: str
    cost: int
    called: Event = field(default_factory=Event)


class Lanes:
    """Slots by lane, over one budget of bytes: `await lanes.run("uploads", request, cost, work)`.

    `queue` pictures may wait, `share` of them for one address, for `seconds` each; who comes beyond
    that is asked to come again (503), and so is who has no answer after `whole` seconds, waiting and
    drawing together. A picture that costs more than the whole budget waits until it is alone.
    """

    def __init__(
        self,
        slots: dict[str, int],
        *,
        budget: int,
        queue: int = 100,
        share: int = 50,
        seconds: float = 15.0,
        whole: float = 25.0,
    ) -> None:
        self.slots = slots
        self.budget = budget
        self.queue, self.share, self.seconds, self.whole = queue, share, seconds, whole
        self.running: list[_Ticket] = []
        self.waiting: deque[_Ticket] = deque()
        # Threads of their own: those that the pages and searches run in stay free.
        self._threads: CapacityLimiter | None = None

    async def run(self, lane: str, request: Request, cost: int, work: Callable[[], Done]) -> Done:
        """What the work gives, once it is its turn; if the client leaves, it is taken out or ended."""
        stop, left = Stop(), CancelScope()
        done: list[Done] = []
        failed: list[Exception] = []
        late = False

        async def limit() -> None:
            nonlocal late
            await sleep(self.whole)
            late = True
            stop()
            left.cancel()

        async def watch() -> None:
            # A body that is not wanted and does not come is as good as leaving.
            with suppress(HTTPException):
                while (await request.receive())["type"] != "http.disconnect":
                    pass
            # Out of the queue at once; a drawing that is at work ends, and with it the thread.
            stop()
            left.cancel()

        async with create_task_group() as group:
            group.start_soon(watch)
            group.start_soon(limit)
            with left:
                try:
                    done.append(await self._in_turn(_Ticket(lane, _address(request), cost), stop, work))
                except Exception as error:
                    # A group would wrap it.
                    failed.append(error)
            group.cancel_scope.cancel()
        if late and not done:
            raise _busy()
        if failed:
            raise failed[0]
        if not done:
            raise HTTPException(499, "the client left")
        return done[0]

    async def _in_turn(self, ticket: _Ticket, stop: Stop, work: Callable[[], Done]) -> Done:
        mine = sum(other.client == ticket.client for other in self.waiting)
        if len(self.waiting) >= self.queue or mine >= self.share:
            raise _busy()
        self.waiting.append(ticket)
        try:
            self._call()
            with move_on_after(self.seconds):
                await ticket.called.wait()
            if not ticket.called.is_set():
                raise _busy()
            # A thread is never abandoned: what still runs must still be counted.
            return await self._thread(stop, work)
        finally:
            (self.running if ticket.called.is_set() else self.waiting).remove(ticket)
            self._call()

    def _call(self) -> None:
        """Call those whose turn it is: the client with least under way first, then who came first."""
        while True:
            busy = Counter(ticket.lane for ticket in self.running)
            under_way = Counter(ticket.client for ticket in self.running)
            free = [ticket for ticket in self.waiting if busy[ticket.lane] < self.slots[ticket.lane]]
            if not free:
                return
            first = min(free, key=lambda ticket: under_way[ticket.client])
            spent = sum(ticket.cost for ticket in self.running)
            if self.running and spent + first.cost > self.budget:
                # Nobody overtakes it, or a large picture would wait for ever.
                return
            self.waiting.remove(first)
            self.running.append(first)
            first.called.set()

    async def _thread(self, stop: Stop, work: Callable[[], Done]) -> Done:
        if self._threads is None:
            self._threads = CapacityLimiter(sum(self.slots.values()))
        context = copy_context()
        context.run(STOP.set, stop)
        return await to_thread.run_sync(lambda: context.run(work), limiter=self._threads)


def _busy() -> HTTPException:
    return HTTPException(503, BUSY, {"retry-after": "2"})


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
