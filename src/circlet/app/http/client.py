"""A small client of the HTTP API: search and talk to a circlet on another machine."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from circlet.app.http.schemas import OptionsIn
from circlet.core import BusyError, PictureError, ServiceError, UsageError
from circlet.core.closing import Closing

# Options of a move that are the search's own: method, history and filters.
_LOOK = OptionsIn.model_fields.keys()
_ERRORS: dict[int, type[Exception]] = {409: BusyError, 415: PictureError}


class Client(Closing):
    """A circlet server: `Client("http://127.0.0.1:8000").search(Path("beach.jpg"), "at night")`.

    What comes back are plain values, as docs/api.md shows them. Words are `str`, picture files are
    `Path`; pictures that the server knows are named by key, as its results do.
    """

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 60
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.address = address.rstrip("/")
        self._http = httpx.Client(base_url=f"{self.address}/api/v1", headers=headers, timeout=timeout)

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def search(self, *asked: str | Path, top: int = 20, **options: Any) -> "RemoteSession":
        """Search by words, by picture files or both; options are those of a move, the method and filters.

        `client.search("a dog", method="text", orientation="square")`.
        """
        words = ", ".join(one for one in asked if isinstance(one, str))
        files = [one for one in asked if isinstance(one, Path)]
        if len(files) > 1:
            raise UsageError("one picture a turn: search with the first, then say() the next")
        return self.session().say(words, file=files[0] if files else None, top=top, **options)

    def session(self, session: str = "") -> "RemoteSession":
        """A session of several turns: a new one, or the one this word stands for."""
        return RemoteSession(
            self, self.get(f"/sessions/{session}") if session else {"session": "", "results": []}
        )

    def upload(self, file: Path) -> str:
        """Keep a picture on the server; gives the key by which turns speak of it."""
        try:
            data = file.read_bytes()
        except OSError as error:
            raise PictureError(f"{file}: cannot be read ({error.strerror})") from None
        return str(self.post("/uploads", files={"picture": (file.name, data)})["key"])

    def thumbnail(self, key: str, side: int = 256) -> bytes:
        """A picture drawn small, as WebP."""
        return self._ask("GET", f"/pictures/{key}/thumbnail", params={"side": side}).content

    def index(self) -> dict[str, Any]:
        """Have the server look for new pictures; `get("/jobs/…")` tells how it goes."""
        return dict(self.post("/jobs"))

    def get(self, path: str, **options: Any) -> Any:
        """Any other part of the API, as plain values."""
        return self._ask("GET", path, **options).json()

    def post(self, path: str, **options: Any) -> Any:
        """Any other part of the API that changes something, as plain values."""
        return self._ask("POST", path, **options).json()

    def _ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise ServiceError(
                f"{self.address}: no answer ({error}); is circlet serve running there?"
            ) from None
        if answer.is_success:
            return answer
        try:
            detail = str(answer.json()["detail"])
        except (ValueError, KeyError, TypeError):
            detail = answer.text.strip() or f"status {answer.status_code}"
        kind = _ERRORS.get(answer.status_code) or (UsageError if answer.is_client_error else ServiceError)
        raise kind(f"{self.address}: {detail}")


@dataclass(frozen=True)
class RemoteSession:
    """A session on a server. Never changes itself: each word gives the next one.

    >>> RemoteSession(Client(), {"session": "", "results": []})
    RemoteSession(session='', results=0)
    """

    client: Client
    answer: dict[str, Any] = field(compare=False)

    def __repr__(self) -> str:
        return f"RemoteSession(session={self.session!r}, results={len(self.results)})"

    @property
    def session(self) -> str:
        """The word that holds the session; the page shows it at `/?s=` and the word."""
        return str(self.answer["session"])

    @property
    def results(self) -> list[dict[str, Any]]:
        """What was found, best first."""
        return list(self.answer.get("results", []))

    def say(self, text: str = "", *, file: Path | None = None, **options: Any) -> "RemoteSession":
        """Words, a picture file or both."""
        if file is not None:
            options["picture"] = self.client.upload(file)
        return self.move("say", text=text, **options)

    def pick(self, key: str, text: str = "", **options: Any) -> "RemoteSession":
        """Go on from a picture of the results."""
        return self.move("pick", picture=key, text=text, **options)

    def like(self, key: str, **options: Any) -> "RemoteSession":
        """More like this one."""
        return self.move("like", picture=key, **options)

    def dislike(self, key: str, **options: Any) -> "RemoteSession":
        """Less like this one."""
        return self.move("dislike", picture=key, **options)

    def undo(self) -> "RemoteSession":
        """The session before its last turn."""
        return self.move("undo")

    def move(self, name: str, **options: Any) -> "RemoteSession":
        """Any move of the API by name, with what it needs."""
        path = f"/sessions/{self.session or 'new'}/moves"
        look = {one: options.pop(one) for one in _LOOK & options.keys()}
        asked = {"move": name, **options, "options": {**options.get("options", {}), **look}}
        return RemoteSession(self.client, self.client.post(path, json=asked))
