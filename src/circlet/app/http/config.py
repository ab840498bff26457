"""Where the server listens, who may come in, and how much one request may ask for."""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from circlet.core import UsageError

# Shorter than this, a token could be found by trying.
SHORTEST_TOKEN = 16


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The most that one request may bring or ask for.

    >>> Limits(upload_bytes=1_000_000).upload_bytes
    1000000
    """

    upload_bytes: int = 30_000_000
    upload_pixels: int = 100_000_000
    uploads_kept_bytes: int = 1_000_000_000
    decoding_bytes: int = 1_000_000_000
    body_bytes: int = 256_000
    turns: int = 30
    text: int = 500
    phrases: int = 12
    marked: int = 60
    page: int = 100
    depth: int = 2_000
    session: int = 12_000


@dataclass(frozen=True, kw_only=True)
class Seconds:
    """How long a client may take: for a request's headers, for each pause and for all of its body, and
    to take in a part of the answer.

    >>> Seconds(headers=2).headers
    2
    """

    headers: float = 10
    pause: float = 10
    body: float = 120
    answer: float = 60


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """How `circlet serve` was called; `credit` is a line for the foot of every page.

    With `originals` visitors may open and download the pictures' own files, not only small copies; `rerank`
    is the scorer that orders the best of every search again. What `proxies` say of whom they speak for is
    believed. Of several `processes` this is the one with that `number`; `shared` is a folder of theirs alone.

    >>> ServerConfig().needs_token, ServerConfig(host="::1").needs_token
    (False, False)
    >>> ServerConfig(host="0.0.0.0")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: 0.0.0.0 can be reached from other machines: give --token with at \
least 16 characters, or leave --host at 127.0.0.1
    """

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    names: tuple[str, ...] = ()
    credit: str = ""
    originals: bool = True
    rerank: str = ""
    proxies: tuple[str, ...] = ()
    processes: int = 1
    number: int = 0
    shared: Path | None = None
    limits: Limits = field(default_factory=Limits)
    seconds: Seconds = field(default_factory=Seconds)

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise UsageError(f"the token is too easy to guess: give at least {SHORTEST_TOKEN} characters")
        if not is_loopback(self.host) and self.token is None:
            raise UsageError(
                f"{self.host} can be reached from other machines: give --token with at least "
                f"{SHORTEST_TOKEN} characters, or leave --host at 127.0.0.1"
            )

    @property
    def at_home(self) -> bool:
        """Whether visitors sit at this machine, where a file manager can be opened for them."""
        return is_loopback(self.host)

    @property
    def needs_token(self) -> bool:
        """Whether a visitor has to show the token."""
        return self.token is not None

    def answers_to(self, name: str) -> bool:
        """Whether a request may call this server by that name (no port).

        A page elsewhere can point a name of its own at this machine, but never an address: so
        addresses are trusted where the server is open to others, and names only if listed.

        >>> ServerConfig().answers_to("localhost"), ServerConfig().answers_to("evil.example")
        (True, False)
        """
        name = name.lower()
        if name in {"localhost", self.host.lower(), *map(str.lower, self.names)}:
            return True
        if is_loopback(self.host):
            return name in {"127.0.0.1", "::1"}
        return is_address(name)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("192.168.1.4")
    (True, True, False)
    """
    if host.lower() == "localhost":
        return True
    return is_address(host) and ipaddress.ip_address(host.strip("[]")).is_loopback


def is_address(host: str) -> bool:
    """Whether this is a numeric address and not a name."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
