"""Puts the studio together: the page's guard, errors and small pictures, over one project."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import RedirectResponse, Response

from circlet import __version__
from circlet.app.http.config import ServerConfig
from circlet.app.http.errors import tell_errors
from circlet.app.http.lanes import Lanes
from circlet.app.http.library import Library
from circlet.app.http.problems import title_of
from circlet.app.http.searching import Asking
from circlet.app.http.security import secret, signed
from circlet.app.http.small import SmallPictures
from circlet.app.http.static import KeptFiles
from circlet.app.http.thumbs import Thumbs
from circlet.app.studio import reviewing
from circlet.app.studio.asking import STATIC, Pages, routes
from circlet.app.studio.people import PeopleGuard, Visitors
from circlet.app.web.routes import STATIC as OF_THE_PAGE
from circlet.core.home import home, keep_private
from circlet.images import thumbnail
from circlet.images.svg import pool
from circlet.studio import Desk, Project


def create_studio(desk: Desk, config: ServerConfig | None = None) -> FastAPI:
    """The studio's site over one desk."""
    config = config or ServerConfig()
    keep_private(home())
    key = project_secret(desk.project)
    visitors = Visitors(desk.store, key, config.port)
    pages = Pages(desk, config, visitors)
    slots = {"thumbnails": max(2, os.cpu_count() or 1)}
    lanes = Lanes(slots, budget=config.limits.decoding_bytes, queue=400, share=200)
    thumbs = Thumbs(home() / "thumbnails", lambda path, side: thumbnail(Path(path), side))
    small = SmallPictures(thumbs, lanes)
    library: Library | None = None

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = 100
        if library is not None:
            library.jobs.start()
            # The first search should not wait for the words' half of the model.
            library.warm()
        yield
        if library is not None:
            library.jobs.stop()
        pool.close()
        desk.close()

    site = FastAPI(title="circlet studio", version=__version__, lifespan=life, openapi_url=None)
    site.include_router(routes(pages, small))
    site.include_router(reviewing.routes(pages))
    site.mount("/studio/static", KeptFiles(directory=STATIC))
    if desk.project.kind == "study":
        from circlet.app.studio.studying import add_search

        library = add_search(site, desk, config, visitors)
    else:
        site.mount("/static", KeptFiles(directory=OF_THE_PAGE))

        @site.get("/", include_in_schema=False)
        def front() -> Response:
            return RedirectResponse("/studio", 303)

    # The last one added is the first one asked.
    site.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    site.add_middleware(Asking)
    site.add_middleware(PeopleGuard, config=config, secret=key)
    folders = {str(desk.project.folder.resolve()): "", str(desk.project.gallery.resolve()): ""}

    def scrub(message: str) -> str:
        for folder, name in folders.items():
            message = message.replace(f"{folder}/", name)
        return message

    def told(status: int, message: str) -> Response:
        return pages.render(None, "trouble.html", {"title": title_of(status), "message": message}, status)

    tell_errors(site, told, scrub)
    return site


def project_secret(project: Project) -> bytes:
    """What this project's links and cookies are made with: a link opens no other project."""
    return signed(secret(home()), f"studio {project.answers.resolve()}").encode()
