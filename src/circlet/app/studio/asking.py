"""The studio's pages: plain forms that work without a script; scripts make them quick."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from circlet.app.http.config import ServerConfig
from circlet.app.http.small import SmallPictures
from circlet.app.http.static import marked
from circlet.app.studio import views
from circlet.app.studio.people import Visitors
from circlet.app.studio.practice import answered, asked
from circlet.app.web.routes import templates
from circlet.core import UsageError
from circlet.studio import Desk, Item, Unfinished, breaches, description_breaches

STATIC = Path(__file__).parent / "static"


class Pages:
    """Renders the studio's templates for one desk."""

    def __init__(self, desk: Desk, config: ServerConfig, visitors: Visitors) -> None:
        self.desk, self.config, self.visitors = desk, config, visitors

    def render(
        self, request: Request | None, name: str, view: Mapping[str, Any], status: int = 200
    ) -> HTMLResponse:
        """A page from its template, with the project's texts."""
        common = {
            "t": self.desk.texts,
            "language": self.desk.texts["language"],
            "project": self.desk.project.title,
            "owner": request is not None and self.visitors.owner(request),
            "person": "",
            "task": "",
            "page": "",
            "credit": self.config.credit,
            "at_home_page": False,
            "above": str,
            "own": lambda file: marked(STATIC, "/studio/static", file),
            "small": lambda key, side: f"/studio/pictures/{key}?side={side}",
        }
        page = templates("circlet.app.studio").get_template(name).render({**common, **view})
        return HTMLResponse(page, status)


def routes(pages: Pages, small: SmallPictures) -> APIRouter:
    """The pages over one desk."""
    router = APIRouter(prefix="/studio", include_in_schema=False)
    desk, visitors = pages.desk, pages.visitors

    def known(request: Request) -> str:
        person = visitors.person(request)
        if not person:
            raise HTTPException(403, "begin at the start page, so that your answers are yours")
        return person

    @router.get("")
    def start(request: Request) -> Response:
        person = visitors.person(request)
        return pages.render(request, "start.html", {**views.start(desk, person), "page": "start"})

    @router.post("/begin")
    def begin(request: Request) -> Response:
        answer = go("/studio")
        if not visitors.person(request):
            visitors.begin(answer)
        return answer

    @router.get("/pictures/{key}")
    async def picture(request: Request, key: str, side: int = 512) -> Response:
        def find() -> str:
            file = desk.file(key)
            if file is None:
                raise HTTPException(404, "there is no such picture in this project")
            return str(file)

        return await small.answer(request, find, side)

    @router.get("/tasks/{task}")
    def work(request: Request, task: str) -> Response:
        person = visitors.person(request)
        if not person:
            return go("/studio")
        if task in desk.project.tasks and not desk.store.has_practised(person, task):
            return go(f"/studio/practice/{task}")
        item = desk.next(person, task)
        if item is None:
            return go("/studio")
        return pages.render(request, f"{task}.html", views.work(desk, person, item))

    @router.post("/tasks/{task}")
    async def keep(request: Request, task: str) -> Response:
        form = texts_of(await request.form(max_files=0, max_fields=60))
        return await to_thread.run_sync(kept, request, task, form)

    def kept(request: Request, task: str, form: dict[str, str]) -> Response:
        person, item = known(request), desk.store.item(number(form.get("item")))
        if item is None or item.task != task:
            raise UsageError("this form is of no item of the project: go back to the start")
        if "later" in form:
            desk.store.skip(person, item.number)
            return go("/studio")
        return said(request, person, item, form, f"/studio/tasks/{task}")

    def said(request: Request, person: str, item: Item, form: dict[str, str], then: str) -> Response:
        """Keep a form's answer, or show it again with what is missing in it."""
        before = desk.store.one_answer(number(form.get("answer")))
        try:
            desk.answer(person, item, form, revision=number(form.get("revision")))
        except Unfinished as missing:
            if missing.reason == "attention":
                form = {**form, "wrong": str(number(form.get("wrong")) + 1)}
            view = views.work(
                desk,
                person,
                item,
                form=form,
                error=desk.texts["errors"][missing.reason],
                answer=before if before and before.person == person else None,
            )
            return pages.render(request, f"{item.task}.html", view, 422)
        return go(then)

    @router.get("/practice/{task}")
    def practice(request: Request, task: str) -> Response:
        return pages.render(request, "practice.html", {"person": known(request), **asked(desk, task)})

    @router.post("/practice/{task}")
    async def practised(request: Request, task: str) -> Response:
        form = texts_of(await request.form(max_files=0, max_fields=60))

        def looked_at() -> Response:
            person, view = known(request), answered(desk, task, form)
            if view["whole"]:
                desk.store.practise(person, task)
            return pages.render(request, "practice.html", {"person": person, **view})

        return await to_thread.run_sync(looked_at)

    @router.get("/mine")
    def mine(request: Request) -> Response:
        person = known(request)
        listed = [
            {
                "number": one.number,
                "task": one.item.task,
                "told": views.told(desk, one),
                "state": one.state,
                "pictures": views.pictures(desk, one),
                "open": one.state in ("kept", "spare") and one.item.task != "study",
            }
            for one in desk.store.recent(person)
        ]
        return pages.render(request, "mine.html", {"person": person, "answers": listed, "page": "mine"})

    @router.get("/undo")
    def undo(request: Request) -> Response:
        last = [one for one in desk.store.recent(known(request), 1) if one.state in ("kept", "spare")]
        return go(f"/studio/mine/{last[0].number}" if last else "/studio/mine")

    @router.get("/mine/{answer}")
    def edit(request: Request, answer: int) -> Response:
        person, one = known(request), desk.store.one_answer(answer)
        if one is None or one.person != person:
            raise HTTPException(404, "there is no such answer of yours")
        view = views.work(desk, person, one.item, answer=one)
        return pages.render(request, f"{one.item.task}.html", view)

    @router.post("/mine/{answer}")
    async def edited(request: Request, answer: int) -> Response:
        form = texts_of(await request.form(max_files=0, max_fields=60))

        def changed() -> Response:
            person, one = known(request), desk.store.one_answer(answer)
            if one is None or one.person != person:
                raise HTTPException(404, "there is no such answer of yours")
            if "withdraw" in form:
                item = desk.store.withdraw(person, answer)
                return go(f"/studio/tasks/{item.task}")
            return said(request, person, one.item, {**form, "answer": str(answer)}, "/studio/mine")

        return await to_thread.run_sync(changed)

    @router.get("/check")
    def check(task: str = "", text: str = "") -> Response:
        rules = description_breaches if task == "describe" else breaches
        found = rules(text[:500]) if text.strip() else []
        return JSONResponse([desk.texts["rules"][rule] for rule in found])

    return router


def go(where: str) -> Response:
    """On to another page, after a form."""
    return RedirectResponse(where, 303)


def number(text: str | None) -> int:
    """A number in a form; nothing is none."""
    if not text:
        return 0
    if text.isascii() and text.isdigit() and len(text) < 16:
        return int(text)
    raise UsageError(f"{text[:20]!r} is not a number: go back to the start")


def texts_of(form: FormData) -> dict[str, str]:
    """The fields of a form that are text."""
    return {name: value for name, value in form.multi_items() if isinstance(value, str)}
