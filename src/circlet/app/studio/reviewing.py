"""Pages for the owner: answers to be looked at, people, and the report."""

from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from circlet.app.studio import views
from circlet.app.studio.asking import Pages, go, texts_of
from circlet.app.studio.report import report_view
from circlet.studio import figures, to_review
from circlet.studio.figures import people_figures

# So many answers stand on one page.
_PAGE = 20


def routes(pages: Pages) -> APIRouter:
    """The owner's pages over one desk."""
    router = APIRouter(prefix="/studio", include_in_schema=False)
    desk, visitors = pages.desk, pages.visitors

    def owner(request: Request) -> None:
        if not visitors.owner(request):
            raise HTTPException(403, "only the owner of the project reviews it")

    @router.get("/review")
    def review(request: Request) -> Response:
        owner(request)
        return pages.render(request, "review.html", shown(request))

    def shown(request: Request) -> dict[str, Any]:
        answers = desk.store.answers()
        looked = desk.store.reviews()
        chosen = to_review(answers, share=desk.project.review, seed=desk.project.seed)
        waiting = [one for one in answers if one.number in chosen and one.number not in looked]
        # What a rule met comes first: chance can wait.
        waiting.sort(key=lambda one: (chosen[one.number] == ["chance"], one.number))
        return {
            "page": "review",
            "person": visitors.person(request),
            "left": len(waiting),
            "answers": [
                {
                    "number": one.number,
                    "task": one.item.task,
                    "who": one.person,
                    "told": views.told(desk, one),
                    "asked": one.item.shown.get("text", ""),
                    "seconds": one.seconds,
                    "rules": chosen[one.number],
                    "pictures": views.pictures(desk, one, truth=True),
                }
                for one in waiting[:_PAGE]
            ],
            "people": people_figures(desk, answers),
        }

    @router.post("/review")
    async def reviewed(request: Request) -> Response:
        owner(request)
        form = texts_of(await request.form(max_files=0, max_fields=10))

        def kept() -> Response:
            for verdict in ("accepted", "rejected"):
                if form.get(verdict, "").isdigit():
                    desk.review(int(form[verdict]), verdict, form.get("reason", "")[:200])
            return go("/studio/review")

        return await to_thread.run_sync(kept)

    @router.post("/people/{person}")
    async def bar(request: Request, person: str) -> Response:
        owner(request)
        form = texts_of(await request.form(max_files=0, max_fields=10))
        await to_thread.run_sync(desk.store.bar, person, form.get("barred") == "1")
        return go("/studio/review")

    @router.get("/report")
    def report(request: Request) -> Response:
        owner(request)
        view = {"page": "report", "person": visitors.person(request), **report_view(figures(desk))}
        return pages.render(request, "report.html", view)

    return router
