"""Pictures drawn small, as an answer: from what was drawn before, or when it is their turn."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from circlet.app.http.lanes import Lanes
from circlet.app.http.thumbs import SIDES, Thumbs
from circlet.core import UnreadableError, UsageError
from circlet.images.opening import cost

Drawn = TypeVar("Drawn")
GONE = "this picture's file is gone: index the folder again"


class SmallPictures:
    """Small copies, drawn in the lane "thumbnails": `await small.answer(request, find, 256)`."""

    def __init__(self, thumbs: Thumbs, lanes: Lanes) -> None:
        self.thumbs = thumbs
        self.lanes = lanes
        self.pricing = CapacityLimiter(2)

    async def answer(self, request: Request, find: Callable[[], str], side: int) -> Response:
        """The picture that `find` tells the path of, as WebP: never the file itself."""
        if side not in SIDES:
            raise UsageError(f"a thumbnail's side is one of {', '.join(map(str, SIDES))}")

        def looked_up() -> tuple[str, str, bytes | None]:
            id = find()
            try:
                tag = self.thumbs.tag(id, side)
            except (OSError, UnreadableError):
                raise HTTPException(404, GONE) from None
            known = request.headers.get("if-none-match") == f'"{tag}"'
            return id, tag, b"" if known else self.thumbs.kept(tag)

        id, tag, small = await to_thread.run_sync(looked_up)
        headers = {"etag": f'"{tag}"', "cache-control": "private, max-age=300"}
        if small == b"":
            return Response(status_code=304, headers=headers)
        if small is None:
            small = await self.drawn(request, id, side, self.thumbs.get)
        return Response(small, media_type="image/webp", headers=headers)

    async def drawn(self, request: Request, id: str, side: int, draw: Callable[[str, int], Drawn]) -> Drawn:
        """What `draw` makes of the picture at this size, when it is its turn."""
        spends = await to_thread.run_sync(cost, Path(id), side, limiter=self.pricing)
        return await self.lanes.run("thumbnails", request, spends, lambda: draw(id, side))
