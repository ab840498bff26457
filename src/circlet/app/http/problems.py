"""What went wrong, as every answer of the API says it: `application/problem+json`, one line for a person."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse

from circlet.app.http.schemas import Problem

PROBLEM = "application/problem+json"
# Every status of an answer that is an error, with its title.
TITLES = {
    400: "That did not work",
    401: "The token is missing",
    403: "Sent by another site",
    404: "Not here",
    405: "Not that way",
    408: "Too slow",
    409: "Busy",
    413: "Too large",
    415: "Not a picture",
    421: "Another server's name",
    422: "Not understood",
    429: "Too many guesses",
    500: "Something went wrong",
    503: "Not now",
}
_FORM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": title, "content": _FORM} for status, title in TITLES.items()
}


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The answer for an error.

    >>> problem(404, "no such picture").body
    b'{"type":"about:blank","title":"Not here","status":404,"detail":"no such picture"}'
    """
    told = Problem(title=title_of(status), status=status, detail=detail)
    return JSONResponse(told.model_dump(), status, headers=headers, media_type=PROBLEM)


def title_of(status: int) -> str:
    """A few words for a status."""
    return TITLES.get(status, TITLES[500])


def describe(site: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the form of errors and the way to show the token."""
    if site.openapi_schema is None:
        document = get_openapi(
            title=site.title, version=site.version, summary=site.summary, routes=site.routes
        )
        parts = document["components"]
        parts["schemas"]["Problem"] = Problem.model_json_schema()
        parts["securitySchemes"] = {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "The token that the server printed; a server without one asks for none.",
            }
        }
        # The empty choice: only a server that other machines can reach has a token.
        document["security"] = [{"token": []}, {}]
        site.openapi_schema = document
    return site.openapi_schema
