"""How many requests were answered, how, and how long they took; in the Prometheus text format."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from circlet.app.http.tallies import Tally, read

# Upper bounds of a histogram's buckets, in seconds.
BUCKETS = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf")
_REQUESTS, _TAKEN, _SEARCHES, _GAUGE = "requests", "taken", "searches", "gauge"


class Metrics:
    """Counts per route and status, and how long requests and searches took; thread-safe.

    With a folder, the processes of one server count in files beside each other, and each tells the
    sum of all; what is true of one process alone (its memory, its open requests) it tells for each.

    >>> metrics = Metrics()
    >>> metrics.count("/", 200, 0.25)
    >>> print(metrics.text({"pictures": 3}).splitlines()[1])
    circlet_requests_total{route="/",status="200"} 1
    """

    def __init__(self, folder: Path | None = None, number: int = 0) -> None:
        self._folder, self._number = folder, number
        self._tally = Tally(folder / f"{number}.tally" if folder else None)
        self.open = 0
        # What is true of this process now, by name; looked at whenever a request begins or ends.
        self.gauges: dict[str, Callable[[], float]] = {
            "requests_open": lambda: self.open,
            "process_resident_bytes": resident,
        }

    def count(self, route: str, status: int, seconds: float) -> None:
        """One more answer."""
        self._tally.add(f"{_REQUESTS}\t{route}\t{status}")
        self._observe(f"{_TAKEN}\t{route}", seconds)

    def searched(self, seconds: float) -> None:
        """One more search, with the time that it waited for its turn."""
        self._observe(_SEARCHES, seconds)

    def _observe(self, name: str, seconds: float) -> None:
        bucket = next(bound for bound in BUCKETS if seconds <= float(bound))
        self._tally.add(f"{name}\t{bucket}")
        self._tally.add(f"{name}\tsum", seconds)

    def note(self) -> None:
        """Note what is true of this process now, for whoever is asked next."""
        for name, value in self.gauges.items():
            self._tally.set(f"{_GAUGE}\t{name}", value())

    def text(self, gauges: Mapping[str, float]) -> str:
        """Everything counted so far, and the given gauges, one line each."""
        self.note()
        own = dict(self._tally.items())
        every = {self._number: own}
        for path in self._folder.glob("*.tally") if self._folder else ():
            every.setdefault(int(path.stem), read(path))
        lines = [*_counters(_summed(every)), *self._gauges(every)]
        for name, value in gauges.items():
            lines += [f"# TYPE circlet_{name} gauge", f"circlet_{name} {value:g}"]
        return "\n".join(lines) + "\n"

    def _gauges(self, every: Mapping[int, Mapping[str, float]]) -> Iterator[str]:
        for name in self.gauges:
            yield f"# TYPE circlet_{name} gauge"
            for number in sorted(every):
                told = f'{{process="{number}"}}' if self._folder else ""
                if (value := every[number].get(f"{_GAUGE}\t{name}")) is not None:
                    yield f"circlet_{name}{told} {value:.15g}"


def _summed(every: Mapping[int, Mapping[str, float]]) -> dict[tuple[str, ...], float]:
    total: dict[tuple[str, ...], float] = defaultdict(float)
    for one in every.values():
        for name, value in one.items():
            total[tuple(name.split("\t"))] += value
    return dict(sorted(total.items()))


def _counters(total: Mapping[tuple[str, ...], float]) -> Iterator[str]:
    yield "# TYPE circlet_requests_total counter"
    for (kind, *rest), value in total.items():
        if kind == _REQUESTS:
            yield f'circlet_requests_total{{route="{rest[0]}",status="{rest[1]}"}} {value:.0f}'
    yield "# TYPE circlet_request_seconds histogram"
    for route in dict.fromkeys(key[1] for key in total if key[0] == _TAKEN):
        yield from _histogram("circlet_request_seconds", f'route="{route}"', total, (_TAKEN, route))
    yield "# TYPE circlet_search_seconds histogram"
    yield from _histogram("circlet_search_seconds", "", total, (_SEARCHES,))


def _histogram(
    name: str, label: str, total: Mapping[tuple[str, ...], float], key: tuple[str, ...]
) -> Iterator[str]:
    below = 0.0
    for bound in BUCKETS:
        below += total.get((*key, bound), 0.0)
        yield f'{name}_bucket{{{label}{"," if label else ""}le="{bound}"}} {below:.0f}'
    told = f"{{{label}}}" if label else ""
    yield f"{name}_sum{told} {total.get((*key, 'sum'), 0.0):.6f}"
    yield f"{name}_count{told} {below:.0f}"


def resident() -> float:
    """How many bytes of memory this process has now; where the system does not say, the most it had."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


class Counting:
    """Middleware that fills the metrics; routes are named by their pattern, never by what was asked."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self.metrics.open += 1
        self.metrics.note()
        try:
            await self.app(scope, receive, watched)
        finally:
            self.metrics.open -= 1
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.count(route, status, time.perf_counter() - began)
            self.metrics.note()
