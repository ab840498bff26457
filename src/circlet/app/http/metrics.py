"""How many requests were answered, how, and how long they took; in the Prometheus text format."""

import time
from collections import Counter
from threading import Lock

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Metrics:
    """Counts per route and status, thread-safe.

    >>> metrics = Metrics()
    >>> metrics.count("/", 200, 0.25)
    >>> print(metrics.text({"pictures": 3}).splitlines()[1])
    circlet_requests_total{route="/",status="200"} 1
    """

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: Counter[str] = Counter()
        self.open = 0
        self._lock = Lock()

    def count(self, route: str, status: int, seconds: float) -> None:
        """One more answer."""
        with self._lock:
            self.requests[route, status] += 1
            self.seconds[route] += seconds  # type: ignore[assignment]

    def text(self, gauges: dict[str, float]) -> str:
        """Everything counted so far, and the given gauges, one line each."""
        lines = ["# TYPE circlet_requests_total counter"]
        with self._lock:
            for (route, status), count in sorted(self.requests.items()):
                lines.append(f'circlet_requests_total{{route="{route}",status="{status}"}} {count}')
            lines.append("# TYPE circlet_request_seconds_total counter")
            for route, seconds in sorted(self.seconds.items()):
                lines.append(f'circlet_request_seconds_total{{route="{route}"}} {seconds:.6f}')
        for name, value in {"requests_open": float(self.open), **gauges}.items():
            lines += [f"# TYPE circlet_{name} gauge", f"circlet_{name} {value:g}"]
        return "\n".join(lines) + "\n"


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
        try:
            await self.app(scope, receive, watched)
        finally:
            self.metrics.open -= 1
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.count(route, status, time.perf_counter() - began)
