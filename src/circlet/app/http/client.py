"""A small client of the HTTP API: search and talk to a circlet on another machine."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import httpx

from circlet.app.http.schemas import OptionsIn
from circlet.core import BusyError, PictureError, ServiceError, UsageError
from circlet.core.closing import Closing

# Options of a move that are the search's own: method, history and filters.
_LOOK = OptionsIn.model_fields.keys()
_ERRORS: dict[int, type[Exception]] = {409: BusyError, 415: PictureError}
NOTHING: dict[str, Any] = {"session": "", "results": []}
Next = TypeVar("Next")


def said(asked: tuple[str | Path, ...]) -> tuple[str, Path | None]:
    """The words of a search, and its picture file if there is one.

    >>> said(("a dog", Path("beach.jpg"), "at night"))
    ('a dog, at night', PosixPath('beach.jpg'))
    """
    files = [one for one in asked if isinstance(one, Path)]
    if len(files) > 1:
        raise UsageError("one picture a turn: search with the first, then say() the next")
    return ", ".join(one for one in asked if isinstance(one, str)), files[0] if files else None


def bearer(token: str | None) -> dict[str, str]:
    """The header by which a server knows its visitor."""
    return {"authorization": f"Bearer {token}"} if token else {}


def read(file: Path) -> dict[str, Any]:
    """A picture file as a form sends it."""
    try:
        return {"picture": (file.name, file.read_bytes())}
    except OSError as error:
        raise PictureError(f"{file}: cannot be read ({error.strerror})") from None


def silent(address: str, error: httpx.HTTPError) -> ServiceError:
    """The error of a server that does not answer."""
    return ServiceError(f"{address}: no answer ({error}); is circlet serve running there?")


def checked(address: str, answer: httpx.Response) -> httpx.Response:
    """The answer, or what it refuses as one of circlet's own errors."""
    if answer.is_success:
        return answer
    try:
        detail = str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = answer.text.strip() or f"status {answer.status_code}"
    kind = _ERRORS.get(answer.status_code) or (UsageError if answer.is_client_error else ServiceError)
    raise kind(f"{address}: {detail}")


class Client(Closing):
    """A circlet server: `Client("http://127.0.0.1:8000").search(Path("beach.jpg"), "at night")`.

    What comes back are plain values, as docs/api.md shows them. Words are `str`, picture files are
    `Path`; pictures that the server knows are named by key, as its results do.
    """

    def __init__(
        self, address: str = "http://127.0.0.1:8000", *, token: str | None = None, timeout: float = 60
    ) -> None:
        self.address = address.rstrip("/")
        place = f"{self.address}/api/v1"
        self._http = httpx.Client(base_url=place, headers=bearer(token), timeout=timeout)

    def __repr__(self) -> str:
        return f"Client({self.address!r})"

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def search(self, *asked: str | Path, top: int = 20, **options: Any) -> "RemoteSession":
        """Search by words, by picture files or both; options are those of a move, the method and filters.

        `client.search("a dog", method="text", orientation="square")`.
        """
        words, file = said(asked)
        return self.session().say(words, file=file, top=top, **options)

    def session(self, session: str = "") -> "RemoteSession":
        """A session of several turns: a new one, or the one this word stands for."""
        return RemoteSession(self.get(f"/sessions/{session}") if session else NOTHING, self)

    def upload(self, file: Path) -> str:
        """Keep a picture on the server; gives the key by which turns speak of it."""
        return str(self.post("/uploads", files=read(file))["key"])

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
            raise silent(self.address, error) from None
        return checked(self.address, answer)


@dataclass(frozen=True)
class Moves(ABC, Generic[Next]):
    """A session on a server, as it was answered; `Next` is what a move gives, now or when awaited."""

    answer: dict[str, Any] = field(compare=False)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(session={self.session!r}, results={len(self.results)})"

    @property
    def session(self) -> str:
        """The word that holds the session; the page shows it at `/?s=` and the word."""
        return str(self.answer["session"])

    @property
    def results(self) -> list[dict[str, Any]]:
        """What was found, best first."""
        return list(self.answer.get("results", []))

    @abstractmethod
    def move(self, name: str, **options: Any) -> Next:
        """Any move of the API by name, with what it needs."""

    def pick(self, key: str, text: str = "", **options: Any) -> Next:
        """Go on from a picture of the results."""
        return self.move("pick", picture=key, text=text, **options)

    def like(self, key: str, **options: Any) -> Next:
        """More like this one."""
        return self.move("like", picture=key, **options)

    def dislike(self, key: str, **options: Any) -> Next:
        """Less like this one."""
        return self.move("dislike", picture=key, **options)

    def undo(self) -> Next:
        """The session before its last turn."""
        return self.move("undo")

    def asked(self, name: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Where a move is posted, and what."""
        look = {one: options.pop(one) for one in _LOOK & options.keys()}
        value = {"move": name, **options, "options": {**options.get("options", {}), **look}}
        return f"/sessions/{self.session or 'new'}/moves", value


@dataclass(frozen=True, repr=False)
class RemoteSession(Moves["RemoteSession"]):
    """A session on a server. Never changes itself: each word gives the next one.

    >>> RemoteSession({"session": "", "results": []}, Client())
    RemoteSession(session='', results=0)
    """

    client: Client

    def say(self, text: str = "", *, file: Path | None = None, **options: Any) -> "RemoteSession":
        """Words, a picture file or both."""
        if file is not None:
            options["picture"] = self.client.upload(file)
        return self.move("say", text=text, **options)

    def move(self, name: str, **options: Any) -> "RemoteSession":
        """Any move of the API by name, with what it needs."""
        path, value = self.asked(name, options)
        return RemoteSession(self.client.post(path, json=value), self.client)
