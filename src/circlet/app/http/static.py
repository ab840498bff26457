"""Files that come with circlet: styles, scripts, drawings."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


@cache
def marked(folder: Path, address: str, name: str) -> str:
    """The address of a static file; it changes when the file does, so that it may be kept for ever."""
    mark = blake2b((folder / name).read_bytes(), digest_size=5).hexdigest()
    return f"{address}/{name}?v={mark}"


class KeptFiles(StaticFiles):
    """Static files that browsers keep, where the address changes with the content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        # A module that another imports has no mark in its address: browsers ask whether it changed.
        marked = b"v=" in scope["query_string"]
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if marked else "no-cache"
        return answer
