"""What a request to the API asks for: JSON, forms and moves, turned into searches and sessions."""

from dataclasses import replace
from typing import IO, Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from circlet.app.http.config import Limits
from circlet.app.http.library import Library
from circlet.app.http.schemas import MoveIn, OptionsIn, SearchIn, TurnIn
from circlet.collection import SearchOptions
from circlet.core import PictureError, Turn, UsageError
from circlet.core.files import parse_json
from circlet.dialogue import Move, Session

_MOST = Limits()


def turn(library: Library, turn: TurnIn) -> Turn:
    """A turn of the API as the search knows it: keys become pictures."""
    fields = turn.model_dump(exclude_defaults=True)
    if turn.picture is not None:
        fields["picture"] = library.keys.id(turn.picture)
    for name in ("liked", "disliked", "shown"):
        if name in fields:
            fields[name] = [library.keys.id(key) for key in fields[name]]
    return Turn.from_dict(fields)


def with_picture(session: Session, picture: str) -> Session:
    """The session with an uploaded picture: in its last turn if that has words and no picture yet."""
    if session.turns and session.turns[-1].picture is None and session.turns[-1].text:
        return session.undo().add(replace(session.turns[-1], picture=picture))
    return session.say(picture=picture)


def move_of(library: Library, asked: MoveIn) -> Move:
    """A move of the API as a session plays it: keys become pictures."""
    shown = None if asked.shown is None else tuple(library.keys.id(key) for key in asked.shown)
    return Move(
        name=asked.move,
        text=asked.text,
        pictures=() if asked.picture is None else (library.keys.id(asked.picture),),
        without=tuple(asked.without),
        shown=shown,
        turn=asked.turn,
        path=asked.path,
        balance=asked.balance,
    )


def options_of(asked: OptionsIn) -> SearchOptions:
    """The options of the API as the search knows them, in the words of an address."""
    values = asked.model_dump(exclude_defaults=True, exclude_none=True)
    named = {True: "yes", False: "no"}
    return SearchOptions.read(
        {name: named[value] if isinstance(value, bool) else str(value) for name, value in values.items()}
    )


async def asked(request: Request) -> tuple[SearchIn, IO[bytes] | None]:
    """A search from JSON or from a form; a form's `picture` comes as a file beside it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "multipart/form-data" or kind == "application/x-www-form-urlencoded":
            return await _form(request)
        if kind in ("application/json", ""):
            return SearchIn.model_validate_json(await request.body()), None
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None
    raise HTTPException(415, "send JSON, or a form with a picture")


def file_of(form: FormData) -> IO[bytes] | None:
    """A form's picture; a form without a chosen file sends an empty one, which counts as none."""
    picture = form.get("picture")
    if picture is None or isinstance(picture, str):
        return None
    if picture.filename and not picture.size:
        raise PictureError(f"{picture.filename}: this file is empty; choose another picture")
    return picture.file if picture.size else None


async def _form(request: Request) -> tuple[SearchIn, IO[bytes] | None]:
    form = await request.form(max_files=1, max_fields=40)
    file = file_of(form)
    texts = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    try:
        turns = parse_json(texts.get("turns") or "[]")
    except ValueError:
        raise UsageError("`turns` is not JSON: give a list of turns") from None
    own: dict[str, Any] = {
        "text": texts.get("text", ""),
        "without": [value for value in form.getlist("without") if isinstance(value, str)],
        "liked": [value for value in form.getlist("like") if isinstance(value, str)],
        "disliked": [value for value in form.getlist("dislike") if isinstance(value, str)],
    }
    own |= {
        name: texts[word] for name, word in (("picture", "id"), ("balance", "balance")) if texts.get(word)
    }
    options: dict[str, Any] = {name: texts[name] for name in OptionsIn.model_fields if texts.get(name)}
    page = {name: texts[name] for name in ("start", "top", "session") if texts.get(name)}
    if any(own.values()):
        turns = [*turns, own] if isinstance(turns, list) else turns
    return SearchIn.model_validate({**page, "turns": turns, "options": options}), file


_FORM_FIELDS: dict[str, Any] = {
    "picture": {"type": "string", "format": "binary"},
    "id": {"type": "string", "description": "a picture's key, instead of a file"},
    "text": {"type": "string", "maxLength": _MOST.text},
    "without": {"type": "array", "items": {"type": "string"}},
    "like": {"type": "array", "items": {"type": "string"}},
    "dislike": {"type": "array", "items": {"type": "string"}},
    "balance": {"type": "number"},
    "turns": {"type": "string", "description": "earlier turns, as JSON"},
    **{
        name: {"type": "string", "description": field.description}
        for name, field in OptionsIn.model_fields.items()
    },
    "start": {"type": "integer"},
    "top": {"type": "integer"},
    "session": {"type": "string"},
}
_JSON = SearchIn.model_json_schema(ref_template="#/components/schemas/{model}")
# The parts it refers to stand among the document's components already.
del _JSON["$defs"]
SEARCH_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _JSON},
            "multipart/form-data": {"schema": {"type": "object", "properties": _FORM_FIELDS}},
        },
    }
}
