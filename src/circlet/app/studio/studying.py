"""The study over turns: the search page as it is, with the target above it and every round recorded."""

from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from anyio import to_thread
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint
from starlette.responses import HTMLResponse, Response

from circlet.app.http import api, health
from circlet.app.http.config import ServerConfig
from circlet.app.http.library import Library
from circlet.app.http.metrics import Metrics
from circlet.app.http.static import KeptFiles, marked
from circlet.app.studio.asking import STATIC, go
from circlet.app.studio.people import Visitors
from circlet.app.web import routes as search_pages
from circlet.app.web.telling import address
from circlet.collection import Collection, SearchOptions
from circlet.dialogue import Move, play
from circlet.studio import Desk, Item

# What stands above the search page of whoever is in a study, by request.
_BAR: ContextVar[str] = ContextVar("study-bar", default="")
# The addresses at which a search moves on.
_MOVES = ("/act", "/ask")
_DEPTH = 100


@dataclass(frozen=True)
class Watch:
    """Looks on while people search: which round it is, what was said, where the target stands."""

    desk: Desk
    library: Library

    def bar(self, person: str, item: Item) -> str:
        """What stands above the search page."""
        rounds = self.rounds(person, item)
        view = {
            "t": self.desk.texts,
            "target": self.desk.key(item.shown["target"]),
            "round": min(rounds + 1, item.shown["rounds"]),
            "rounds": item.shown["rounds"],
            "over": rounds >= item.shown["rounds"],
            "own": lambda file: marked(STATIC, "/studio/static", file),
        }
        return search_pages.templates("circlet.app.studio").get_template("_bar.html").render(view)

    def rounds(self, person: str, item: Item) -> int:
        """How many rounds were played."""
        steps = self.desk.store.steps(person, item.number)
        return int(steps[-1]["rounds"]) if steps else 0

    def begin(self, person: str, item: Item) -> str:
        """Where the search begins: at the page's start, or with the picture and words that are given."""
        steps = self.desk.store.steps(person, item.number)
        if steps:
            return address("/", steps[-1]["session"], SearchOptions())
        session = self.library.session("")
        given = item.shown.get("reference")
        if given:
            path = str(self.desk.source.pictures[given].resolve())
            move = Move(name="say", text=item.shown.get("text", ""), pictures=(path,))
            session = play(session, move)
        word = self.library.word(session)
        self.desk.store.step(person, item.number, word, {"rounds": 0, "turns": [], "rank": 0})
        return address("/", word, SearchOptions())

    def moved(self, person: str, item: Item, word: str) -> None:
        """Keep a move: what is said by now, and the target's rank in what it finds."""
        steps = self.desk.store.steps(person, item.number)
        session = self.library.session(word)
        turns = [self._named(turn.to_dict()) for turn in session.turns]
        before: dict[str, Any] = steps[-1] if steps else {"turns": [], "rounds": 0}
        if turns == before["turns"]:
            return
        # Going back is no round; whatever is said, picked or liked is one.
        rounds = int(before["rounds"]) + (len(turns) >= len(before["turns"]))
        target = str(self.desk.source.pictures[item.shown["target"]].resolve())
        found = self.library.find(session, SearchOptions(), top=_DEPTH) if turns else None
        rank = next((hit.rank for hit in found.hits if hit.path == target), 0) if found else 0
        told = {"rounds": rounds, "turns": turns, "rank": rank}
        self.desk.store.step(person, item.number, word, told)

    def _named(self, turn: dict[str, Any]) -> dict[str, Any]:
        """A turn with its pictures named from the folder, and nothing of what was only shown."""
        turn.pop("shown", None)
        if turn.get("picture"):
            turn["picture"] = self._name(turn["picture"])
        for name in ("liked", "disliked"):
            if name in turn:
                turn[name] = [self._name(id) for id in turn[name]]
        return turn

    def _name(self, id: str) -> str:
        folder = self.desk.project.gallery.resolve()
        return Path(id).relative_to(folder).as_posix() if Path(id).is_relative_to(folder) else Path(id).name


def add_search(site: FastAPI, desk: Desk, config: ServerConfig, visitors: Visitors) -> Library:
    """Put the search page over the project's pictures at the site's root, and look on."""
    collection = Collection.open(desk.project.gallery.resolve(), encoder=desk.project.encoder or None)
    library, metrics = Library(collection, config), Metrics()
    health.watch(library, metrics)
    library.above = lambda: _BAR.get()
    watch = Watch(desk, library)
    site.include_router(api.routes(library, metrics))
    site.include_router(search_pages.routes(library))
    site.mount("/static", KeptFiles(directory=search_pages.STATIC))

    def looking_for(request: Request) -> tuple[str, Item | None]:
        person = visitors.person(request)
        item = desk.store.open_item(person, "study") if person else None
        return person, item if item and desk.store.steps(person, item.number) else None

    @site.get("/studio/search/{number}", include_in_schema=False)
    def search(request: Request, number: int) -> Response:
        person = visitors.person(request)
        item = desk.store.open_item(person, "study") if person else None
        if item is None or item.number != number:
            raise HTTPException(404, "this search was not given to you: go back to the start")
        return go(watch.begin(person, item))

    @site.get("/studio/bar", include_in_schema=False)
    def bar(request: Request) -> Response:
        person, item = looking_for(request)
        return HTMLResponse(watch.bar(person, item) if item else "")

    @site.middleware("http")
    async def watched(request: Request, call_next: RequestResponseEndpoint) -> Response:
        if request.url.path.startswith(("/studio", "/static", "/api")):
            return await call_next(request)
        person, item = await to_thread.run_sync(looking_for, request)
        if item is None:
            return await call_next(request)
        moves = request.url.path in _MOVES
        played = await to_thread.run_sync(watch.rounds, person, item)
        if moves and played >= item.shown["rounds"] and "undo" not in request.query_params:
            return go("/studio/tasks/study")
        _BAR.set(await to_thread.run_sync(watch.bar, person, item))
        answer = await call_next(request)
        if moves and answer.status_code == 303:
            link = urlsplit(answer.headers["location"])
            if link.path == "/":
                word = parse_qs(link.query).get("s", [""])[0]
                await to_thread.run_sync(watch.moved, person, item, word)
        return answer

    return library
