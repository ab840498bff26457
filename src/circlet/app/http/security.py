"""The guard at the door: every request passes it before anything else looks at it."""

import hashlib
import hmac
import re
import secrets
import time
from contextlib import suppress
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from anyio import move_on_after
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from circlet.app.http.config import Seconds, ServerConfig
from circlet.app.http.guesses import MOST, Guesses
from circlet.app.http.problems import problem

# A name or an address, and a port: nothing before it, nothing after it.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
# What a load balancer asks, by whatever name it knows us: the answers tell nothing that is anybody's.
PROBES = frozenset({"/healthz", "/readyz"})
# Under this name a request carries who was let in: "" for the owner.
VISITOR = "circlet.visitor"

# Only this server's own files run, load or are shown; nothing inline, nothing framed.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    # `no-referrer` would make the browser send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Checks Host, origin, token and size of each request, and sets the security headers.

    >>> Guard(app=None, config=ServerConfig()).knows("localhost:8000")
    True
    >>> Guard(app=None, config=ServerConfig()).knows("evil.example")
    False
    """

    # What its cookies are for.
    kind = "page"

    def __init__(self, app: ASGIApp, config: ServerConfig, secret: bytes = b"") -> None:
        self.app = app
        self.config = config
        self.secret = secret
        # Each process counts by itself, so each allows its part.
        self.guesses = Guesses(max(2, MOST // config.processes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # No page of ours opens a web socket: only the server's own start and stop pass.
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        refusal = self.refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, dressed)
            return
        limit = self.limit(scope)
        await self.app(scope, _counted(receive, limit, self.config.seconds), dressed)

    def refuse(self, scope: Scope) -> Response | None:
        """The answer that ends the request here, or None to let it in."""
        if scope["path"] in PROBES and scope["method"] in _SAFE:
            return None
        headers = Headers(scope=scope)
        if not self.knows(headers.get("host", "")):
            return _told(
                scope, 421, "this server does not go by that name: open it by the address it printed"
            )
        if scope["method"] not in _SAFE and _foreign(headers):
            return _told(scope, 403, "refused: this request was sent by another site")
        if (entry := self.enter(scope, headers)) is not None:
            return entry
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return _told(scope, 400, "the Content-Length header is not a number")
        if length > self.limit(scope):
            return _told(scope, 413, _too_large(self.limit(scope)), HANG_UP)
        return None

    def knows(self, host: str) -> bool:
        """Whether this is one of the server's own names; a foreign one means a rebound DNS entry."""
        named = _HOST.fullmatch(host)
        return named is not None and self.config.answers_to(named[1].strip("[]"))

    def enter(self, scope: Scope, headers: Headers) -> Response | None:
        """None for a visitor with the token; else the way in, or the way out."""
        if self.config.token is None:
            return None
        # What the cookie holds cannot be found by guessing the token, so it is looked at first.
        known = self.visitor_of(cookie_of(headers, self.cookie))
        if known is not None and b"token=" not in scope["query_string"]:
            scope[VISITOR] = known
            return None
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        by_link = dict(asked).get("token") if scope["method"] in _SAFE else None
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = bearer.strip() if by_link is None and scheme.lower() == "bearer" else by_link
        if given is None:
            page = "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api/")
            return _door(scope["path"]) if page else _told(scope, 401, _ASKS, _BEARER)
        address = (scope.get("client") or ("",))[0]
        if wait := self.guesses.wait(address):
            words = f"too many wrong tokens came from your address: try again in {wait} seconds"
            return _told(scope, 429, words, {"retry-after": str(wait)})
        if (visitor := self.recognise(given)) is None:
            self.guesses.wrong(address)
            return _told(scope, 401, "wrong token", _BEARER)
        if by_link is None:
            scope[VISITOR] = visitor
            return None
        # The token leaves the address bar at once, so that a shared link does not carry it.
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        path = "/" + str(scope["path"]).lstrip("/\\")
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        give_cookie(answer, self.cookie, self.pass_of(visitor))
        return answer

    def recognise(self, token: str) -> str | None:
        """Whose token this is, the owner being "", or None for nobody's."""
        return "" if self.config.token is not None and same(token, self.config.token) else None

    def visitor_of(self, cookie: str) -> str | None:
        """Whom this server gave a cookie, or None where it gave none of the kind."""
        return "" if same(cookie, self.pass_of("")) else None

    @property
    def cookie(self) -> str:
        """Browsers keep one jar for all ports of a machine: each server's cookie says which it is of.

        Servers of one home with one token are replicas of each other, and share theirs.
        """
        return f"circlet-{signed(self.secret, f'{self.kind} {self.config.token}')[:8]}"

    def pass_of(self, visitor: str) -> str:
        """What the cookie holds: proof of the token, from which the token cannot be read or tried."""
        return signed(self.secret, f"circlet {self.config.token}{visitor}")

    def limit(self, scope: Scope) -> int:
        """The most bytes this request may bring: only the upload routes take pictures."""
        limits = self.config.limits
        takes_pictures = scope["path"] in UPLOAD_PATHS
        # The form's other fields and boundaries come on top of the picture itself.
        return limits.upload_bytes + limits.body_bytes if takes_pictures else limits.body_bytes


UPLOAD_PATHS = frozenset({"/ask", "/api/v1/uploads", "/api/v1/search"})


# Whoever sends too much is hung up on: else the rest would still have to be read.
HANG_UP = {"connection": "close"}


def _too_large(limit: int) -> str:
    return f"too large: at most {limit:,} bytes are taken here"


def _counted(receive: Receive, limit: int, seconds: Seconds) -> Receive:
    """The same stream, ended with 413 once it brings more than `limit` bytes, and with 408 if it tarries."""
    seen, whole, end = 0, False, time.monotonic() + seconds.body

    async def counted() -> Message:
        nonlocal seen, whole
        if whole:
            return await receive()  # all was said: what comes is that the client left
        with move_on_after(min(seconds.pause, end - time.monotonic())) as late:
            message = await receive()
        if late.cancelled_caught:
            raise HTTPException(408, "the rest of the request did not come in time: send it again", HANG_UP)
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if seen > limit:
                raise HTTPException(413, _too_large(limit), HANG_UP)
        return message

    return counted


def _foreign(headers: Headers) -> bool:
    """Whether a browser says that another site made this request; programs send neither header."""
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != headers.get("host")
    except ValueError:
        return True


def cookie_of(headers: Headers, name: str) -> str:
    """What the browser sent back of a cookie, or nothing."""
    try:
        jar: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""


def give_cookie(answer: Response, name: str, value: str) -> None:
    """A cookie that no script reads and no other site's form sends, for a month."""
    answer.set_cookie(name, value, httponly=True, samesite="lax", max_age=30 * 86_400)


def signed(secret: bytes, words: str) -> str:
    """What only somebody with the secret can make of these words.

    >>> signed(b"key", "words")[:8]
    '173b75f5'
    """
    return hmac.new(secret, words.encode(), hashlib.sha256).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Whether two secrets are equal, told in a time that says nothing of where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


_ASKS = "this server asks for its token: open the address with ?token=… that it printed"
_BEARER = {"www-authenticate": "Bearer"}


def _told(scope: Scope, status: int, words: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal at the door: the API's form of an error for the API, a line of text for a page."""
    if scope["path"].startswith("/api/"):
        return problem(status, f"circlet: {words}", headers)
    return PlainTextResponse(f"circlet: {words}\n", status, headers=headers)


def _door(path: str) -> Response:
    """The page for a visitor without the token: a field for it, which leads on to where they were going."""
    action = escape("/" + path.lstrip("/\\"))
    return HTMLResponse(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Token · circlet</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"></head><body><main><h1>circlet</h1>'
        f'<form action="{action}" method="get"><p><label>Token, as the server printed it: '
        '<input type="password" name="token" required autofocus autocomplete="current-password"></label> '
        "<button>Open</button></p></form></main></body></html>",
        401,
        headers=_BEARER,
    )


def secret(home: Path) -> bytes:
    """What this home's servers make their cookies with: made once, so that a restart lets nobody out."""
    path = home / "cookies.key"
    with suppress(OSError):
        if len(known := path.read_bytes()) == 32:
            return known
        path.unlink()  # cut short by a full disk, or by somebody's hand
    made = secrets.token_bytes(32)
    # Where nothing can be written, visitors show the token again after a restart.
    with suppress(OSError):
        half = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            home.mkdir(parents=True, exist_ok=True)
            half.touch(mode=0o600)
            half.write_bytes(made)
            # Of several replicas that start at once, one makes it and all use that.
            with suppress(FileExistsError):
                path.hardlink_to(half)
            return path.read_bytes()
        finally:
            half.unlink(missing_ok=True)
    return made
