"""The JSON API under /api/v1: everything the page can do, by the same library."""

import time
from collections.abc import Sequence
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request, Response, UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from circlet import __version__
from circlet.app.http import health, picking, requests
from circlet.app.http.config import Limits
from circlet.app.http.files import FILMS
from circlet.app.http.library import Library
from circlet.app.http.metrics import Metrics
from circlet.app.http.problems import RESPONSES
from circlet.app.http.reranking import OFF
from circlet.app.http.schemas import (
    BrokenOut,
    CheckOut,
    CollectionOut,
    ComparedOut,
    CompareIn,
    HealthOut,
    HitOut,
    JobOut,
    KeepIn,
    KeptOut,
    MethodOut,
    MissedOut,
    MoveIn,
    OptionsIn,
    PartOut,
    PickedHit,
    PickedOut,
    PickIn,
    PictureAbout,
    PictureKey,
    PictureOut,
    ResultsOut,
    SessionIn,
    SessionOut,
    TurnIn,
    UploadOut,
    WhyOut,
    Word,
)
from circlet.collection import Check, Hit, Results, SearchOptions
from circlet.core import UsageError
from circlet.dialogue import Session, play

_MOST = Limits()
# What every browser shows by itself, and what can hold nothing but pixels.
INLINE = frozenset({"JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP"})
KeyPath = Annotated[PictureKey, Path()]
WordPath = Annotated[Word, Path(min_length=1)]


def routes(library: Library, metrics: Metrics) -> APIRouter:
    """The API's routes over one library."""
    router = APIRouter(prefix="/api/v1", responses=RESPONSES)

    @router.get("/health", tags=["server"])
    async def well() -> HealthOut:
        """Whether the server is well."""
        return HealthOut(status="ok", version=__version__, indexing=library.jobs.running is not None)

    @router.get("/metrics", tags=["server"], response_class=Response)
    def measured() -> Response:
        """Counters and gauges in the Prometheus text format; `/metrics` is the same."""
        return health.told(library, metrics)

    @router.get("/collections", tags=["collection"])
    def collections() -> list[CollectionOut]:
        """The indexed folders."""
        return [CollectionOut(**root) for root in library.counts()]

    @router.get("/broken", tags=["collection"])
    def broken() -> list[BrokenOut]:
        """Files that could not be read, with the reasons."""
        return [BrokenOut(place=place, reason=reason) for place, reason in library.broken()]

    @router.get("/methods", tags=["collection"])
    def methods() -> list[MethodOut]:
        """The methods a search may name."""
        return [MethodOut(name=name, line=line) for name, line in library.methods().items()]

    @router.get("/rerankers", tags=["collection"])
    def rerankers() -> list[MethodOut]:
        """The scorers a search may name in `rerank`, the one that is used unless another is first."""
        return [MethodOut(name=name, line=line) for name, line in library.rerankers.lines.items()]

    @router.get("/pictures", tags=["pictures"])
    def browse(
        start: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        top: Annotated[int, Query(ge=1, le=_MOST.page)] = 20,
    ) -> list[PictureOut]:
        """Pictures of the collection, spread over all of it."""
        return [told(id) for id in library.browse(SearchOptions(), start, top)[0]]

    @router.get("/pictures/{key}", tags=["pictures"])
    def about(key: KeyPath) -> PictureAbout:
        """What is known about a picture."""
        id = library.file(key)
        kept = id in picking.kept(library, [id])
        return PictureAbout(**told(id).model_dump(), **library.about(id), kept=kept)

    @router.post("/pictures/{key}/keep", tags=["pictures"])
    def keep(key: KeyPath, asked: KeepIn) -> KeptOut:
        """Mark a picture as one to keep, or no longer; the index remembers it."""
        picking.keep(library, key, on=asked.kept)
        return KeptOut(key=key, kept=asked.kept)

    @router.get(
        "/pictures/{key}/original",
        tags=["pictures"],
        response_class=FileResponse,
        responses={200: {"content": {"application/octet-stream": {}}}},
    )
    def original(key: KeyPath, download: bool = False) -> Response:
        """The picture's own file, or the video that it is a moment of; parts of it as ranges ask for them."""
        path, kind = library.original(key)
        # What is no plain picture (a drawing may hold scripts) is never opened in the page's own place.
        shown = FILMS.get(kind) or (f"image/{kind.lower()}" if kind in INLINE else None)
        return FileResponse(
            path,
            media_type=shown or "application/octet-stream",
            filename=path.name,
            content_disposition_type="inline" if shown and not download else "attachment",
            headers={"cache-control": "private, no-cache"},
        )

    @router.get(
        "/pictures/{key}/thumbnail",
        tags=["pictures"],
        response_class=Response,
        responses={200: {"content": {"image/webp": {}}}, 304: {}},
    )
    async def thumbnail(request: Request, key: KeyPath, side: int = 256) -> Response:
        """The picture drawn small, as WebP: never the file itself."""
        return await library.small.answer(request, lambda: library.file(key), side)

    @router.post("/uploads", tags=["pictures"], status_code=201)
    async def upload(request: Request, picture: UploadFile) -> UploadOut:
        """Keep a picture, so that turns can speak of it."""
        return UploadOut(**told(await library.brought(request, picture.file)).model_dump())

    @router.post("/search", tags=["search"], openapi_extra=requests.SEARCH_BODY)
    async def search(request: Request) -> ResultsOut:
        """Search once. JSON as described, or a form with a picture: `-F picture=@beach.jpg -F text=…`."""
        asked, file = await requests.asked(request)
        picture = None if file is None else await library.brought(request, file)

        def answer() -> ResultsOut:
            session = begun(asked.session, asked.turns)
            if picture is not None:
                session = requests.with_picture(session, picture)
            return answered(session, asked.options, start=asked.start, top=asked.top)

        return await to_thread.run_sync(answer)

    @router.post("/pick", tags=["search"])
    def pick(asked: PickIn) -> PickedOut:
        """A few pictures that hardly differ, the likeliest first by what is said of the one that is meant."""
        results = picking.picked(library, asked.pictures, asked.text)
        kept = picking.kept(library, results.ids)
        hits = [
            PickedHit(**hit_out(hit).model_dump(), seconds=hit.seconds, kept=hit.path in kept)
            for hit in results
        ]
        return PickedOut(**{**results.to_dict(), "results": hits})

    @router.post("/compare", tags=["search"])
    def compare(asked: CompareIn) -> ComparedOut:
        """The same search under two methods, each in its own order unless a scorer is named."""
        session = begun(asked.session, asked.turns)
        rerank = asked.options.rerank or OFF  # type: ignore[attr-defined]
        sides = {
            name: answered(
                session, asked.options.model_copy(update={"method": name, "rerank": rerank}), top=asked.top
            )
            for name in asked.methods
        }
        seen = [{hit.key for hit in side.results} for side in sides.values()]
        return ComparedOut(sides=sides, both=len(set.intersection(*seen)))

    @router.post("/sessions", tags=["sessions"], status_code=201)
    def begin(asked: SessionIn) -> SessionOut:
        """A session of these turns. The server keeps nothing: the word it answers with is the session."""
        return outline(begun("", asked.turns))

    @router.get("/sessions/{session}", tags=["sessions"])
    def show(session: WordPath) -> SessionOut:
        """What a session holds."""
        return outline(library.session(session))

    @router.post("/sessions/{session}/moves", tags=["sessions"])
    def move(session: WordPath, asked: MoveIn) -> ResultsOut:
        """Say, pick, mark, strike, undo, go back, switch paths or change weights; gives the next session.

        `new` in place of a session's word begins one. A move that leaves no turn finds nothing.
        """
        word = "" if session == "new" else session
        begun = library.session(word, requests.options_of(asked.options))
        moved = play(begun, requests.move_of(library, asked))
        return answered(moved, asked.options, top=asked.top, empty=True)

    @router.get("/sessions/{session}/why/{key}", tags=["sessions"])
    def why(
        session: WordPath,
        key: KeyPath,
        method: Annotated[str, Query(max_length=40)] = "",
        rerank: Annotated[str, Query(max_length=200)] = "",
    ) -> WhyOut:
        """What holds in this picture, and what each picture and phrase of each turn brought to its score."""
        id = library.file(key)
        asked, options = library.session(session), SearchOptions.read({"method": method, "rerank": rerank})
        reasons = library.why(asked, options, id)
        (checks,) = library.checks(asked, options, [id])
        parts = [
            PartOut(
                turn=part.turn,
                kind=part.kind,
                what=library.name(part.what) if part.of_picture else part.what,
                picture=library.keys.key(part.what) if part.of_picture else None,
                value=part.score,
            )
            for part in reasons.parts
        ]
        return WhyOut(
            picture=told(id),
            score=reasons.score,
            relevance=reasons.relevance,
            parts=parts,
            by_clauses=reasons.by_clauses,
            checks=checks_out(checks),
        )

    @router.get("/jobs", tags=["jobs"])
    def jobs() -> list[JobOut]:
        """Indexing runs since the server started, newest first."""
        return [job_out(job.to_dict()) for job in library.jobs.all]

    @router.post("/jobs", tags=["jobs"], status_code=202)
    def start_job() -> JobOut:
        """Look for new, changed and deleted pictures; one run at a time."""
        return job_out(library.jobs.start().to_dict())

    @router.get("/jobs/{id}", tags=["jobs"])
    def job(id: Annotated[str, Path(max_length=20)]) -> JobOut:
        """How an indexing run is getting on."""
        if (run := library.jobs.get(id)) is None:
            raise HTTPException(404, "no such indexing run")
        return job_out(run.to_dict())

    def job_out(job: dict[str, Any]) -> JobOut:
        return JobOut(**{**job, "error": library.scrub(job["error"])})

    def told(id: str) -> PictureOut:
        key = library.keys.key(id)
        return PictureOut(
            key=key,
            name=library.name(id),
            place=library.place(id),
            thumbnail=f"/api/v1/pictures/{key}/thumbnail",
        )

    def begun(word: str, turns: list[TurnIn]) -> Session:
        session = library.session(word)
        for turn in turns:
            session = session.add(requests.turn(library, turn))
        return session

    def outline(session: Session) -> SessionOut:
        word = library.word(session)
        return SessionOut(
            session=word,
            page=f"/?s={word}",
            current=session.current,
            turns=[library.renamed(turn) for turn in session.turns],
            paths={name: [str(turn) for turn in turns] for name, turns in session.branches.items()},
        )

    def answered(
        session: Session, options: OptionsIn, *, start: int = 0, top: int, empty: bool = False
    ) -> ResultsOut:
        if not session.turns and not empty:
            raise UsageError("nothing to search for: give a picture, words or both")
        results = Results(session.query, ())
        began = time.perf_counter()
        if session.turns:
            chosen = requests.options_of(options)
            results = library.find(session, chosen, start=start, top=top, checked=True)
        took = time.perf_counter() - began
        return ResultsOut(
            **outline(session).model_dump(),
            results=[hit_out(hit) for hit in results.hits],
            start=start,
            more=results.more,
            matched=results.matched,
            cutoff=results.cutoff,
            relevance_cutoff=results.relevance_cutoff,
            missed=MissedOut(**results.missed.to_dict()) if results.missed else None,
            notes=list(results.notes),
            took_ms=round(took * 1000, 1),
        )

    def hit_out(hit: Hit) -> HitOut:
        return HitOut(
            **told(hit.path).model_dump(),
            rank=hit.rank,
            score=hit.score,
            relevance=hit.relevance,
            below=hit.below,
            folded=[told(id) for id in hit.folded],
            checks=checks_out(hit.checks),
        )

    def checks_out(checks: Sequence[Check]) -> list[CheckOut]:
        return [CheckOut(**check.to_dict()) for check in checks]

    return router
