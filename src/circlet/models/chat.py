"""A small client for any server that speaks the OpenAI-compatible chat protocol.

It posts JSON and reads JSON, which the standard library does; a dependency would buy nothing here.
"""

import base64
import io
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from threading import Lock
from typing import Any, TypeVar

from PIL import Image

from circlet.core import ServiceError, UsageError

# Worth another try: the server is busy, restarting, or asks for patience.
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_SIDE = 512


Answer = TypeVar("Answer")
# Where a server does not count tokens, a token is taken for so many letters, a picture for so many tokens.
_LETTERS, _OF_PICTURE = 4, 255


class Bill:
    """What a server was asked: calls that were answered, and tokens sent and received.

    >>> bill = Bill()
    >>> bill.take({"usage": {"prompt_tokens": 12, "completion_tokens": 3}}, "", "", 0)
    >>> print(bill)
    1 call, 12 tokens sent, 3 received
    """

    def __init__(self) -> None:
        self.calls = self.sent = self.received = 0
        self._lock = Lock()

    def take(self, told: Any, prompt: str, answer: str, pictures: int) -> None:
        """Add one answer, by the server's own count of tokens where it says one."""
        usage = told.get("usage") if isinstance(told, dict) else None
        usage = usage if isinstance(usage, dict) else {}
        sent, received = usage.get("prompt_tokens"), usage.get("completion_tokens")
        with self._lock:
            self.calls += 1
            self.sent += sent if isinstance(sent, int) else tokens(prompt, pictures)
            self.received += received if isinstance(received, int) else tokens(answer)

    def __str__(self) -> str:
        return (
            f"{self.calls:,} call{'' if self.calls == 1 else 's'}, {self.sent:,} tokens sent, "
            f"{self.received:,} received"
        )


def tokens(text: str, pictures: int = 0) -> int:
    """About how many tokens a text and some pictures are.

    >>> tokens("at night"), tokens("", pictures=2)
    (2, 510)
    """
    return -(-len(text) // _LETTERS) + _OF_PICTURE * pictures


@dataclass(frozen=True)
class Chat:
    """A chat server: where it is, which model, the key, and how patient to be.

    `Chat("http://localhost:11434/v1", "llava").ask("Describe this picture.", picture)` answers with
    the model's text. Waits between tries double from `pause` seconds, unless the server names a wait.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0
    tries: int = 3
    pause: float = 1.0
    bill: "Bill" = field(default_factory=lambda: Bill(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.url.startswith(("http://", "https://")):
            raise UsageError(
                f"{self.url!r} is no address of a chat server: it begins with http:// or https://"
            )
        if not self.model:
            raise UsageError(f"which model of {self.url}? name it, or set CIRCLET_LLM_MODEL")

    @classmethod
    def from_environment(
        cls, url: str | None = None, model: str | None = None, **options: Any
    ) -> "Chat | None":
        """The server of these options, or else of CIRCLET_LLM_URL, CIRCLET_LLM_MODEL and CIRCLET_LLM_KEY.

        None where no address is given in either way.
        """
        url = url or os.environ.get("CIRCLET_LLM_URL")
        if not url:
            return None
        key = options.pop("key", None) or os.environ.get("CIRCLET_LLM_KEY", "")
        return cls(url, model or os.environ.get("CIRCLET_LLM_MODEL", ""), key, **options)

    def ask(self, prompt: str, *pictures: Image.Image) -> str:
        """The model's answer to a prompt, with or without pictures beside it."""
        content: Any = prompt
        if pictures:
            shown = [{"type": "image_url", "image_url": {"url": data_url(one)}} for one in pictures]
            content = [{"type": "text", "text": prompt}, *shown]
        body = {"model": self.model, "messages": [{"role": "user", "content": content}], "temperature": 0}

        def read(told: Any) -> str:
            try:
                answer = told["choices"][0]["message"]["content"]
            except (KeyError, IndexError, TypeError):
                raise ServiceError(
                    f"{self.url}: the answer is not a chat completion: {str(told)[:200]}"
                ) from None
            if not isinstance(answer, str) or not answer.strip():
                raise ServiceError(f"{self.url}: {self.model} answered with nothing")
            self.bill.take(told, prompt, answer, len(pictures))
            return answer.strip()

        return self._post("/chat/completions", body, read)

    def draw(self, prompt: str) -> bytes:
        """The picture that an image model makes of a prompt, as the bytes of its file."""
        body = {"model": self.model, "prompt": prompt, "n": 1, "response_format": "b64_json"}

        def read(told: Any) -> bytes:
            try:
                return base64.b64decode(told["data"][0]["b64_json"], validate=True)
            except (KeyError, IndexError, TypeError, ValueError):
                raise ServiceError(
                    f"{self.url}: the answer holds no picture as b64_json: {str(told)[:200]}"
                ) from None

        return self._post("/images/generations", body, read)

    def _post(self, path: str, body: dict[str, Any], read: Callable[[Any], Answer]) -> Answer:
        """What is read from the answer; one that makes no sense is asked for again, like none at all."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.key}"} if self.key else {}
        )
        address = self.url.rstrip("/") + path
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        for left in range(self.tries - 1, -1, -1):
            wait = self.pause * 2 ** (self.tries - 1 - left)
            try:
                with _opener().open(request, timeout=self.timeout) as response:
                    return read(json.loads(self._scrubbed(response.read())))
            except urllib.error.HTTPError as error:
                if error.code not in _AGAIN or not left:
                    told = self._scrubbed(f"{error.reason}{_said(error)}".encode()).decode()
                    raise ServiceError(f"{address}: {error.code} {told}") from None
                wait = _asked_wait(error.headers, wait)
            except ServiceError:
                if not left:
                    raise
            except ValueError:
                if not left:
                    raise ServiceError(f"{address}: the answer is not JSON: is this a chat server?") from None
            except (OSError, HTTPException) as error:
                if not left:
                    cause = getattr(error, "reason", error)
                    raise ServiceError(f"{address}: no answer ({cause}): is the server running?") from None
            time.sleep(wait)
        raise ServiceError(f"{address}: not asked, as tries is {self.tries}")

    def _scrubbed(self, told: bytes) -> bytes:
        """What a server says, less the key, which some repeat: it would get into errors and kept answers."""
        return told.replace(self.key.encode(), b"[the key]") if self.key else told


class _Staying(urllib.request.HTTPRedirectHandler):
    """Follows nobody to another address, who would get the key and the pictures."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_Staying)


def data_url(picture: Image.Image) -> str:
    """A picture as a JPEG in a data URL, small enough to send."""
    small = picture.convert("RGB")
    small.thumbnail((_SIDE, _SIDE))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=85)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()


def _said(error: urllib.error.HTTPError) -> str:
    """What the server says of its error, in one short line."""
    try:
        told = json.loads(error.read())
        message = told["error"]["message"] if isinstance(told["error"], dict) else told["error"]
        return f": {' '.join(str(message).split())[:200]}"
    except (ValueError, KeyError, TypeError, OSError):
        return ""


def _asked_wait(headers: Message, otherwise: float) -> float:
    """The wait that the server asks for, at most a minute."""
    asked = headers.get("Retry-After", "")
    return min(float(asked), 60.0) if asked.isdecimal() else otherwise
