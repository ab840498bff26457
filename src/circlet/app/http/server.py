"""Puts the parts together: guard, counters, pages, API, errors in words."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import TYPE_CHECKING

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from circlet import __version__
from circlet.app.http import api
from circlet.app.http.config import ServerConfig
from circlet.app.http.library import Library
from circlet.app.http.metrics import Counting, Metrics
from circlet.app.http.problems import describe, problem, title_of
from circlet.app.http.security import HEADERS, Guard, secret
from circlet.app.http.watching import Watch
from circlet.app.web import routes as pages
from circlet.core import BusyError, CircletError, PictureError, UsageError
from circlet.images.svg import pool

if TYPE_CHECKING:
    from circlet.collection import Collection


def create_app(
    collection: "Collection",
    config: ServerConfig | None = None,
    *,
    index: bool = False,
    watch: bool = False,
) -> FastAPI:
    """The whole site over one collection; with `index`, looks for new pictures when it starts.

    With `watch` it goes on looking, and indexes what changes.
    """
    config = config or ServerConfig()
    library, metrics = Library(collection, config), Metrics()
    watching = Watch(lambda: list(library.roots.values()), library.jobs) if watch else None

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        if index:
            library.jobs.start()
        # Threads that wait for their turn to search must not keep others from their pictures.
        current_default_thread_limiter().total_tokens = 100
        await run_in_threadpool(library.count)
        # The first search should not wait for the words' half of the model: it is loaded meanwhile.
        Thread(target=library.warm, daemon=True, name="warming").start()
        if watching:
            await run_in_threadpool(watching.start)
        yield
        if watching:
            watching.stop()
        library.jobs.stop()
        pool.close()

    site = FastAPI(
        title="circlet",
        version=__version__,
        summary="Find pictures by a picture and words.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    site.openapi = lambda: describe(site)  # type: ignore[method-assign]
    site.state.library = library
    site.include_router(api.routes(library, metrics))
    site.include_router(pages.routes(library))
    site.mount("/static", _Kept(directory=pages.STATIC))
    # The last one added is the first one asked.
    site.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    site.add_middleware(Counting, metrics=metrics)
    site.add_middleware(Guard, config=config, secret=secret(collection.home))
    _errors(site, library)
    return site


def _errors(site: FastAPI, library: Library) -> None:
    """Every error in one line for a person: a page for a page, JSON for the API."""

    def told(request: Request, status: int, message: str) -> Response:
        if request.url.path.startswith("/api/"):
            return problem(status, message)
        if pages.PART in request.headers:
            return PlainTextResponse(message, status)
        view = {"page": "", "s": "", "title": title_of(status), "message": message}
        return pages.render(library, "error.html", view, status)

    @site.exception_handler(CircletError)
    def own(request: Request, error: CircletError) -> Response:
        return told(request, status_of(error), library.scrub(str(error)))

    @site.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        answer = told(request, error.status_code, library.scrub(str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer

    @site.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = " ".join(str(part) for part in first["loc"] if part != "body")
        return told(request, 422, f"{where}: {first['msg']}")

    @site.exception_handler(Exception)
    def unforeseen(request: Request, error: Exception) -> Response:
        # The visitor learns that it is not their fault; what happened stands in the server's log.
        logging.getLogger("circlet.web").error("%s failed", request.url.path, exc_info=error)
        answer = told(request, 500, "this is a fault of circlet's own; the server's log says more")
        # This answer is made outside the guard.
        answer.headers.update(HEADERS)
        return answer


def status_of(error: CircletError) -> int:
    """The HTTP status that fits an error.

    >>> status_of(UsageError("?")), status_of(BusyError("?")), status_of(PictureError("?"))
    (400, 409, 415)
    """
    if isinstance(error, UsageError):
        return 400
    if isinstance(error, BusyError):
        return 409
    return 415 if isinstance(error, PictureError) else 503


class _Kept(StaticFiles):
    """Static files that browsers keep, where the address changes with the content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        # A module that another imports has no mark in its address: browsers ask whether it changed.
        marked = b"v=" in scope["query_string"]
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if marked else "no-cache"
        return answer
