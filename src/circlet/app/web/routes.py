"""The pages: plain HTML that works without a script; scripts fetch the same addresses in parts."""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, Response

from circlet import __version__
from circlet.app.http.library import Desk
from circlet.app.http.requests import file_of
from circlet.app.web import view_models as views
from circlet.app.web.look import Look
from circlet.core import UsageError
from circlet.dialogue import Session, moves

STATIC = Path(__file__).parent / "static"
# The header by which our own script asks for a part of a page.
PART = "x-circlet"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("circlet.app.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["asset"] = asset
    made.globals["thumb"] = lambda key, side: f"/api/v1/pictures/{key}/thumbnail?side={side}"
    made.globals["version"] = __version__
    return made


@cache
def asset(name: str) -> str:
    """The address of a static file; it changes when the file does, so that it may be kept for ever."""
    mark = blake2b((STATIC / name).read_bytes(), digest_size=5).hexdigest()
    return f"/static/{name}?v={mark}"


def render(desk: Desk, name: str, view: dict[str, Any], status: int = 200) -> HTMLResponse:
    """A page from its template."""
    page = _templates().get_template(name).render(view, credit=desk.serving.credit)
    return HTMLResponse(page, status)


def routes(desk: Desk) -> APIRouter:
    """The pages over one desk."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def search(request: Request) -> Response:
        said = request.query_params
        view = views.search(
            desk,
            said.get("s", ""),
            Look.read(said),
            start=_number(said.get("start")),
            shown=_number(said.get("shown")),
            opened=set(said.getlist("open")),
        )
        part = {"view": "_search.html", "cards": "_cards.html"}.get(request.headers.get(PART, ""))
        answer = render(desk, part or "search.html", view)
        if view["more"]:
            answer.headers["x-circlet-more"] = view["more"]
        return answer

    @router.post("/ask")
    async def ask(request: Request) -> Response:
        form = await request.form(max_files=1, max_fields=40)
        return await to_thread.run_sync(asked, _texts(form), file_of(form))

    def asked(said: dict[str, str], file: IO[bytes] | None) -> Response:
        look = Look.read(said)
        session = desk.session(said.get("s", ""), look)
        picture = desk.upload(file) if file else None
        if picture or said.get("text", "").strip():
            session = moves.say(session, said.get("text", ""), picture=picture)
        return _seen(session, look)

    @router.get("/act")
    def act(request: Request) -> Response:
        said = dict(request.query_params)
        look = Look.read(said)
        s = said.get("s", "")
        for page in ("view", "why"):
            if page in said:
                where = "picture" if page == "view" else "why"
                return _go(views.address(f"/{where}/{_key(said[page])}", s, look))
        if "open" in said:
            # A second press folds it again; everything else stays where it is.
            opened = {*map(_key, request.query_params.getlist("opened"))} ^ {_key(said["open"])}
            place = {name: _number(said.get(name)) for name in ("start", "shown")}
            return _go(views.address("/", s, look, **place, open=sorted(opened)))
        return _seen(_acted(desk, desk.session(s, look), said), look)

    @router.get("/picture/{key}")
    def picture(request: Request, key: str) -> Response:
        said = request.query_params
        return render(desk, "picture.html", views.picture(desk, said.get("s", ""), Look.read(said), key))

    @router.get("/why/{key}")
    def why(request: Request, key: str) -> Response:
        said = request.query_params
        part = request.headers.get(PART) == "view"
        view = views.why(desk, said.get("s", ""), Look.read(said), key)
        return render(desk, "_why.html" if part else "why.html", view)

    @router.get("/compare")
    def compare(request: Request) -> Response:
        said = request.query_params
        view = views.compare(
            desk, said.get("s", ""), said.get("text", ""), said.get("a", ""), said.get("b", "")
        )
        return render(desk, "compare.html", view)

    @router.get("/status")
    def status(request: Request) -> Response:
        part = request.headers.get(PART) == "view"
        return render(desk, "_status.html" if part else "status.html", views.status(desk))

    @router.post("/status/index")
    def start() -> Response:
        desk.jobs.start()
        return _go("/status")

    def _seen(session: Session, look: Look) -> Response:
        return _go(views.address("/", desk.word(session), look))

    return router


def _acted(desk: Desk, session: Session, said: dict[str, str]) -> Session:
    """The session after the button that was pressed."""
    if "text" in said:
        return moves.say(session, said["text"])
    if "pick" in said:
        return moves.go_on(session, desk.keys.id(said["pick"]))
    for mark in ("like", "dislike"):
        if mark in said:
            return moves.mark(session, desk.keys.id(said[mark]), liked=mark == "like")
    for weigh in ("more", "less"):
        if weigh in said:
            return moves.weigh(session, said[weigh], more=weigh == "more")
    if "undo" in said:
        return session.undo()
    if "back" in said:
        return moves.back(session, _number(said["back"]))
    if "switch" in said:
        return session.switch(said["switch"])
    if "balance" in said and said["balance"] != said.get("balance_was"):
        return moves.balance(session, _share(said["balance"]))
    return session


def _go(where: str) -> Response:
    return RedirectResponse(where, 303)


def _key(said: str) -> str:
    """A key as it may stand in a path: nothing but its own letters."""
    return "".join(letter for letter in said if letter.isascii() and (letter.isalnum() or letter in "-_"))[
        :25
    ]


def _number(said: str | None) -> int:
    if not said:
        return 0
    if said.isascii() and said.isdigit() and len(said) < 8:
        return int(said)
    raise UsageError(f"{said[:20]!r} is not a number of results")


def _share(said: str) -> float:
    try:
        return float(said)
    except ValueError:
        raise UsageError(f"{said[:20]!r} is not a share between 0 and 1") from None


def _texts(form: FormData) -> dict[str, str]:
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}
