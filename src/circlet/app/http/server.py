"""Puts the parts together: guard, counters, pages, API, errors in words."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from circlet import __version__
from circlet.app.http import api, health
from circlet.app.http.config import ServerConfig
from circlet.app.http.errors import tell_errors
from circlet.app.http.library import Library
from circlet.app.http.metrics import Counting, Metrics
from circlet.app.http.problems import describe, title_of
from circlet.app.http.searching import Asking
from circlet.app.http.security import Guard, secret
from circlet.app.http.static import KeptFiles
from circlet.app.http.watching import Watch
from circlet.app.web import routes as pages
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
    library, metrics = Library(collection, config), Metrics(config.shared, config.number)
    health.watch(library, metrics)
    watching = Watch(library.watched, library.jobs) if watch else None

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        if index:
            library.jobs.start()
        elif config.number == 0:
            await run_in_threadpool(library.look)
        # Threads that wait for their turn to search must not keep others from their pictures.
        current_default_thread_limiter().total_tokens = 100
        await run_in_threadpool(library.count)
        # The first search should not wait for the words' half of the model: it is loaded meanwhile.
        library.warm()
        if watching:
            await run_in_threadpool(watching.start)
        yield
        if watching:
            watching.stop()
        library.jobs.stop()
        library.looks.stop()
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
    site.include_router(health.routes(library, metrics))
    site.include_router(api.routes(library, metrics))
    site.include_router(pages.routes(library))
    site.mount("/static", KeptFiles(directory=pages.STATIC))
    # The last one added is the first one asked.
    site.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    site.add_middleware(Asking)
    site.add_middleware(Counting, metrics=metrics)
    site.add_middleware(Guard, config=config, secret=secret(collection.home))

    def told(status: int, message: str) -> Response:
        view = {"page": "", "s": "", "title": title_of(status), "message": message}
        return pages.render(library, "error.html", view, status)

    tell_errors(site, told, library.scrub)
    return site
