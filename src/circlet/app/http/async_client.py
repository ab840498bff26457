"""The same client for programs that await: many searches at once, nobody waits for another."""

from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx

from circlet.app.http.client import NOTHING, Moves, bearer, checked, read, said, silent


class AsyncClient:
    """A circlet server, awaited: what comes back is what `Client` gives.

    >>> async with AsyncClient("http://127.0.0.1:8000") as client:       # doctest: +SKIP
    ...     talk = await client.search(Path("beach.jpg"), "at night")
    ...     talk = await talk.like(talk.results[0]["key"])
    """

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 60
    ) -> None:
        self.address = address.rstrip("/")
        place = f"{self.address}/api/v1"
        self._http = httpx.AsyncClient(base_url=place, headers=bearer(token), timeout=timeout)

    def __repr__(self) -> str:
        return f"AsyncClient({self.address!r})"

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *ended: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def search(self, *asked: str | Path, top: int = 20, **options: Any) -> "AsyncSession":
        """Search by words, by picture files or both; options are those of `Client.search`."""
        words, file = said(asked)
        return await AsyncSession(NOTHING, self).say(words, file=file, top=top, **options)

    async def session(self, session: str = "") -> "AsyncSession":
        """A session of several turns: a new one, or the one this word stands for."""
        return AsyncSession(await self.get(f"/sessions/{session}") if session else NOTHING, self)

    async def upload(self, file: Path) -> str:
        """Keep a picture on the server; gives the key by which turns speak of it."""
        form = await anyio.to_thread.run_sync(read, file)
        return str((await self.post("/uploads", files=form))["key"])

    async def thumbnail(self, key: str, side: int = 256) -> bytes:
        """A picture drawn small, as WebP."""
        return (await self._ask("GET", f"/pictures/{key}/thumbnail", params={"side": side})).content

    async def get(self, path: str, **options: Any) -> Any:
        """Any other part of the API, as plain values."""
        return (await self._ask("GET", path, **options)).json()

    async def post(self, path: str, **options: Any) -> Any:
        """Any other part of the API that changes something, as plain values."""
        return (await self._ask("POST", path, **options)).json()

    async def _ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = await self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise silent(self.address, error) from None
        return checked(self.address, answer)


@dataclass(frozen=True, repr=False)
class AsyncSession(Moves[Coroutine[Any, Any, "AsyncSession"]]):
    """A session on a server. Never changes itself: each move, awaited, gives the next one.

    >>> AsyncSession({"session": "", "results": []}, AsyncClient())
    AsyncSession(session='', results=0)
    """

    client: AsyncClient

    async def say(self, text: str = "", *, file: Path | None = None, **options: Any) -> "AsyncSession":
        """Words, a picture file or both."""
        if file is not None:
            options["picture"] = await self.client.upload(file)
        return await self.move("say", text=text, **options)

    async def move(self, name: str, **options: Any) -> "AsyncSession":
        """Any move of the API by name, with what it needs."""
        path, value = self.asked(name, options)
        return AsyncSession(await self.client.post(path, json=value), self.client)
