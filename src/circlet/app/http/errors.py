"""What goes wrong, told to whoever asked: a page for a page, JSON for the API, a line for our own script."""

import logging
from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from circlet.app.http.problems import problem
from circlet.app.http.security import HEADERS
from circlet.core import BusyError, CircletError, PictureError, UsageError

# The header by which our own scripts ask for a part of a page.
PART = "x-circlet"


def tell_errors(
    site: FastAPI, page: Callable[[int, str], Response], scrub: Callable[[str], str] = str
) -> None:
    """Every error in one line for a person: a `page` for a page, JSON for the API.

    `scrub` takes out of a message what is not for visitors.
    """

    def told(request: Request, status: int, message: str) -> Response:
        if request.url.path.startswith("/api/"):
            return problem(status, message)
        if PART in request.headers:
            return PlainTextResponse(message, status)
        return page(status, message)

    @site.exception_handler(CircletError)
    def own(request: Request, error: CircletError) -> Response:
        return told(request, status_of(error), scrub(str(error)))

    @site.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        answer = told(request, error.status_code, scrub(str(error.detail)))
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
