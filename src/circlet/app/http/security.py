"""The guard at the door: every request passes it before anything else looks at it."""

import hashlib
import hmac
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from circlet.app.http.config import ServerConfig

COOKIE = "circlet"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

# Only this server's own files run, load or are shown; nothing inline, nothing framed.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
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

    def __init__(self, app: ASGIApp, config: ServerConfig) -> None:
        self.app = app
        self.config = config

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
        await self.app(scope, _counted(receive, limit), dressed)

    def refuse(self, scope: Scope) -> Response | None:
        """The answer that ends the request here, or None to let it in."""
        headers = Headers(scope=scope)
        if not self.knows(headers.get("host", "")):
            return _plain(421, "this server does not go by that name: open it by the address it printed")
        if scope["method"] not in _SAFE and _foreign(headers):
            return _plain(403, "refused: this request was sent by another site")
        if (entry := self.enter(scope, headers)) is not None:
            return entry
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            return _plain(400, "the Content-Length header is not a number")
        if length > self.limit(scope):
            return _plain(413, _too_large(self.limit(scope)))
        return None

    def knows(self, host: str) -> bool:
        """Whether this is one of the server's own names; a foreign one means a rebound DNS entry."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return name is not None and self.config.answers_to(name)

    def enter(self, scope: Scope, headers: Headers) -> Response | None:
        """None for a visitor with the token; else the way in, or the way out."""
        if self.config.token is None:
            return None
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(asked).get("token")
        if given is not None and scope["method"] in _SAFE:
            if not _same(given, self.config.token):
                return _plain(401, "wrong token")
            # The token leaves the address bar at once, so that a shared link does not carry it.
            rest = urlencode([(name, value) for name, value in asked if name != "token"])
            path = "/" + str(scope["path"]).lstrip("/\\")
            answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(COOKIE, self.pass_, httponly=True, samesite="lax", max_age=30 * 86_400)
            return answer
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), self.config.token):
            return None
        if _same(_cookie(headers), self.pass_):
            return None
        if "text/html" in headers.get("accept", ""):
            return _door(scope["path"])
        return _plain(401, "this server asks for its token: open the address with ?token=… that it printed")

    @property
    def pass_(self) -> str:
        """What the cookie holds: proof of the token, from which the token cannot be read."""
        return hmac.new((self.config.token or "").encode(), b"circlet cookie", hashlib.sha256).hexdigest()

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


def _counted(receive: Receive, limit: int) -> Receive:
    """The same stream, ended with 413 as soon as it brings more than `limit` bytes."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise HTTPException(413, _too_large(limit), HANG_UP)
        return message

    return counted


def _foreign(headers: Headers) -> bool:
    """Whether a browser says that another site made this request; programs send neither header."""
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        return True
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


def _cookie(headers: Headers) -> str:
    try:
        jar: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


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
        headers={"www-authenticate": "Bearer"},
    )


def _plain(status: int, words: str) -> Response:
    extra = {401: {"www-authenticate": "Bearer"}, 413: HANG_UP}.get(status)
    return PlainTextResponse(f"circlet: {words}\n", status, headers=extra)
