"""The pages: plain HTML that works without a script; scripts fetch the same addresses in parts."""

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import from_thread, to_thread
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, Response

from circlet import __version__
from circlet.app.http import picking
from circlet.app.http.errors import PART
from circlet.app.http.library import Library
from circlet.app.http.requests import file_of
from circlet.app.http.static import marked
from circlet.app.web import comparing, piles, reasons, running, view_models
from circlet.app.web.export import exported
from circlet.app.web.telling import address
from circlet.app.web.view_models import words_at
from circlet.collection import SearchOptions
from circlet.core import UsageError
from circlet.dialogue import Move, Session, play
from circlet.dialogue.moves import MoveName

if TYPE_CHECKING:
    from PIL.Image import Image

STATIC = Path(__file__).parent / "static"


@cache
def templates(*packages: str) -> Environment:
    """The page's templates, and those of other packages that build on them."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in (*packages, "circlet.app.web")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["asset"] = asset
    made.globals["thumb"] = lambda key, side: f"/api/v1/pictures/{key}/thumbnail?side={side}"
    made.globals["version"] = __version__
    return made


def asset(name: str) -> str:
    """The address of a static file of the page."""
    return marked(STATIC, "/static", name)


def render(library: Library, name: str, view: dict[str, Any], status: int = 200) -> HTMLResponse:
    """A page from its template."""
    page = (
        templates()
        .get_template(name)
        .render(view, credit=library.config.credit, at_home_page=library.config.at_home, above=library.above)
    )
    return HTMLResponse(page, status)


def routes(library: Library) -> APIRouter:
    """The pages over one library."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def search(request: Request) -> Response:
        params = request.query_params
        view = view_models.search(
            library,
            params.get("s", ""),
            SearchOptions.read(params),
            start=_number(params.get("start")),
            shown=_number(params.get("shown")),
            opened=set(params.getlist("open")),
            by_date=params.get("by") == "date",
        )
        part = {"view": "_search.html", "cards": "_cards.html"}.get(request.headers.get(PART, ""))
        answer = render(library, part or "search.html", view)
        if view["more"]:
            answer.headers["x-circlet-more"] = view["more"]
        return answer

    @router.post("/ask")
    async def ask(request: Request) -> Response:
        form = await request.form(max_files=1, max_fields=40)
        file = file_of(form)
        picture = None if file is None else await library.brought(request, file)
        return await to_thread.run_sync(asked, _texts(form), picture)

    def asked(form: dict[str, str], picture: str | None) -> Response:
        options = SearchOptions.read(form)
        session = library.session(form.get("s", ""), options)
        # The words that were said last stay in the field: as they were, they are not said again.
        text, before = (" ".join(form.get(name, "").split()) for name in ("text", "was"))
        text = "" if text == before else text
        if picture or text:
            pictures = (picture,) if picture else ()
            move = Move(name="say", text=text, pictures=pictures)
            if not picture and before and more_of(text, before) and (at := words_at(session.turns)):
                move = Move(name="edit", turn=at, text=text)
            session = play(session, move)
        return _seen(session, options)

    @router.post("/export")
    async def export(request: Request) -> Response:
        form = await request.form(max_files=0, max_fields=2_000)
        chosen = [value for value in form.getlist("chosen") if isinstance(value, str)]

        def draw(id: str, side: int) -> "Image":
            # Each when it is its turn, as everybody else's small pictures.
            return from_thread.run(library.small.drawn, request, id, side, library.collection.thumbnail)

        return await to_thread.run_sync(exported, library, str(form.get("export", "")), chosen, draw)

    @router.get("/act")
    def act(request: Request) -> Response:
        params = dict(request.query_params)
        options = SearchOptions.read(params)
        s = params.get("s", "")
        for page in ("view", "why"):
            if page in params:
                where = "picture" if page == "view" else "why"
                return _go(address(f"/{where}/{_key(params[page])}", s, options))
        if "open" in params:
            # A second press folds it again; everything else stays where it is.
            opened = {*map(_key, request.query_params.getlist("opened"))} ^ {_key(params["open"])}
            place = {name: _number(params.get(name)) for name in ("start", "shown")}
            return _go(address("/", s, options, **place, open=sorted(opened)))
        if "pile" in params:
            return _go(address("/pile", s, options, of=[*map(_key, request.query_params.getlist("chosen"))]))
        session, move = library.session(s, options), _move(library, params)
        return _seen(session if move is None else play(session, move), options)

    @router.get("/pile")
    def pile(request: Request) -> Response:
        params = request.query_params
        part = request.headers.get(PART) == "view"
        view = piles.pile(library, piles.Asked.read(params), params.get("s", ""), SearchOptions.read(params))
        return render(library, "_pile.html" if part else "pile.html", view)

    @router.post("/keep")
    async def keep(request: Request) -> Response:
        form = await request.form(max_files=0, max_fields=200)
        texts, of = _texts(form), piles.Asked.read(form)
        for name in ("keep", "drop"):
            if name in texts:
                await to_thread.run_sync(partial(picking.keep, library, texts[name], on=name == "keep"))
        return _go(of.address(texts.get("s", ""), SearchOptions.read(texts)))

    @router.get("/picture/{key}")
    def picture(request: Request, key: str) -> Response:
        params = request.query_params
        return render(
            library,
            "picture.html",
            view_models.picture(library, params.get("s", ""), SearchOptions.read(params), key),
        )

    @router.post("/picture/{key}/folder")
    def folder(request: Request, key: str) -> Response:
        library.show_in_folder(key)
        if PART in request.headers:
            return Response(status_code=204)
        return _go(f"/picture/{_key(key)}")

    @router.get("/why/{key}")
    def why(request: Request, key: str) -> Response:
        params = request.query_params
        part = request.headers.get(PART) == "view"
        view = reasons.why(library, params.get("s", ""), SearchOptions.read(params), key)
        return render(library, "_why.html" if part else "why.html", view)

    @router.get("/compare")
    def compare(request: Request) -> Response:
        params = request.query_params
        view = comparing.compare(
            library,
            params.get("s", ""),
            SearchOptions.read(params),
            text=params.get("text", ""),
            a=params.get("a", ""),
            b=params.get("b", ""),
        )
        return render(library, "compare.html", view)

    @router.get("/status")
    def status(request: Request) -> Response:
        part = request.headers.get(PART) == "view"
        return render(library, "_status.html" if part else "status.html", running.status(library))

    @router.post("/status/index")
    def start() -> Response:
        library.jobs.start()
        return _go("/status")

    def _seen(session: Session, options: SearchOptions) -> Response:
        return _go(address("/", library.word(session), options))

    return router


# Buttons and fields of the page, each with the move that it makes, in the order they are looked for.
_BUTTONS: dict[str, MoveName] = {
    "text": "say",
    "pick": "pick",
    "like": "like",
    "dislike": "dislike",
    "more": "more",
    "less": "less",
    "strike": "strike",
    "turn": "turn",
    "undo": "undo",
    "back": "back",
    "branch": "branch",
    "switch": "switch",
    "edit": "edit",
    "drop": "drop",
    "also": "also",
    "instead": "instead",
    "balance": "balance",
}
_WITH_TEXT = frozenset({"text", "more", "less", "strike", "turn", "edit"})
_WITH_TURN = frozenset({"back", "drop", "also", "instead"})


def _move(library: Library, params: dict[str, str]) -> Move | None:
    """The move of the button that was pressed; None where the page was only asked for anew."""
    pressed = next((name for name in _BUTTONS if name in params), None)
    if pressed is None or (pressed == "balance" and params["balance"] == params.get("balance_was")):
        return None
    value = params[pressed]
    picture = pressed in ("pick", "like", "dislike")
    seen = library.keys.ids(params.get("seen", "").split(","))
    return Move(
        name=_BUTTONS[pressed],
        text=value if pressed in _WITH_TEXT else "",
        pictures=(library.keys.id(value),) if picture else (),
        shown=tuple(seen[key] for key in params.get("seen", "").split(",") if key in seen),
        turn=_number(params.get("step") if pressed == "edit" else value if pressed in _WITH_TURN else ""),
        path=value if pressed in ("branch", "switch") else "",
        balance=_share(value) if pressed == "balance" else None,
    )


def more_of(text: str, before: str) -> bool:
    """Whether words are the ones before with more to them, so that they take their place.

    >>> more_of("a red car at night", "a red car"), more_of("at night", "a red car")
    (True, False)
    """
    said = text.lower().split()
    return all(word in said for word in before.lower().split())


def _go(where: str) -> Response:
    return RedirectResponse(where, 303)


def _key(text: str) -> str:
    """A key as it may stand in a path: nothing but its own letters."""
    return "".join(letter for letter in text if letter.isascii() and (letter.isalnum() or letter in "-_"))[
        :25
    ]


def _number(text: str | None) -> int:
    if not text:
        return 0
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text)
    raise UsageError(f"{text[:20]!r} is not a number of results")


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{text[:20]!r} is not a share between 0 and 1") from None


def _texts(form: FormData) -> dict[str, str]:
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}
