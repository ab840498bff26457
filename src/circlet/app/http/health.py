"""What a load balancer and a monitor ask: alive, ready, and how it goes.

`/healthz` and `/readyz` say nothing of anybody's pictures and are answered without a token, by whatever
name the server is called; `/metrics` is for whoever has the token.
"""

import time

from anyio import Lock, move_on_after, to_thread
from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from circlet.app.http.library import Library
from circlet.app.http.metrics import Metrics
from circlet.core import CircletError

# How long an answer of the index holds, and how long it may take, in seconds.
_HOLDS, _PATIENCE = 1.0, 3.0
LOADING = "the encoder is not loaded yet"
UNREADABLE = "the index cannot be read, or nothing is indexed yet"
SILENT = "the index does not answer in time"


class Readiness:
    """Whether searches can be answered: the encoder is loaded, the index answers.

    However many ask, the index is asked once a second at most, and by one at a time.
    """

    def __init__(self, library: Library, *, patience: float = _PATIENCE) -> None:
        self._library, self._patience = library, patience
        self._told, self._at = "", float("-inf")
        self._asking = Lock()
        self._looking = False

    async def lacks(self) -> str:
        """What is missing, in one line that names nothing private; empty when all is there."""
        if not self._library.warmed.is_set():
            return LOADING
        with move_on_after(self._patience):
            async with self._asking:
                if time.monotonic() - self._at > _HOLDS:
                    if self._looking:
                        return SILENT  # a look that was given up still hangs: it is not joined by more
                    await to_thread.run_sync(self._look, abandon_on_cancel=True)
                return self._told
        return SILENT

    def _look(self) -> None:
        self._looking = True
        try:
            self._library.collection.store.roots()
            self._told = ""
        except CircletError:
            self._told = UNREADABLE
        finally:
            self._at, self._looking = time.monotonic(), False


def routes(library: Library, metrics: Metrics) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`."""
    router = APIRouter(include_in_schema=False)
    readiness = Readiness(library)

    @router.api_route("/healthz", methods=["GET", "HEAD"])
    async def alive() -> Response:
        return JSONResponse({"status": "ok"})

    @router.api_route("/readyz", methods=["GET", "HEAD"])
    async def ready() -> Response:
        if reason := await readiness.lacks():
            return JSONResponse({"status": "unready", "reason": reason}, 503, headers={"retry-after": "2"})
        return JSONResponse({"status": "ready"})

    @router.get("/metrics")
    def measured() -> Response:
        return told(library, metrics)

    return router


def watch(library: Library, metrics: Metrics) -> None:
    """Have the metrics learn how long each search took, and how much is under way."""
    library.searched = metrics.searched
    metrics.gauges |= {
        "decoding_running": lambda: len(library.lanes.running),
        "decoding_waiting": lambda: len(library.lanes.waiting),
        "searches_running": lambda: library.searches.running,
        "searches_waiting": lambda: library.searches.waiting,
    }


def told(library: Library, metrics: Metrics) -> Response:
    """Counters and gauges in the Prometheus text format."""
    gauges = {"pictures": float(library.count()), "indexing": float(library.jobs.running is not None)}
    return Response(metrics.text(gauges), media_type="text/plain; version=0.0.4")
