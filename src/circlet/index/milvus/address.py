"""Where a Milvus store is: `milvus://host:19530/name`, as an address may be written and may be shown."""

import os
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from circlet.core import UsageError

PORT = 19530
# What Milvus takes as a collection's name, with room for what is added to it.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")


@dataclass(frozen=True)
class Address:
    """A server, the name of a store in it, and what opens it; the token is never shown.

    >>> where = Address.of("milvus://root:secret@db.example:19530/pictures")
    >>> where, where.token, where.uri
    (Address('milvus://db.example:19530/pictures'), 'root:secret', 'http://db.example:19530')
    >>> Address.of("milvus+tls://db.example/pictures").uri
    'https://db.example:19530'
    """

    host: str
    port: int
    name: str
    secure: bool = False
    token: str = field(default="", repr=False)
    certificates: str = ""

    @classmethod
    def of(cls, text: str) -> "Address":
        """The address that a person wrote; the token is also read from CIRCLET_STORE_TOKEN."""
        shown = text.partition("://")[0] + "://" + text.partition("://")[2].rpartition("@")[2]
        example = "write milvus://host:19530/name"
        try:
            parts = urlsplit(text)
            port = parts.port or PORT
        except ValueError:
            raise UsageError(f"{shown}: the port is no number from 1 to 65535; {example}") from None
        name = parts.path.strip("/")
        if not parts.hostname or not name:
            raise UsageError(f"{shown}: says no {'store' if parts.hostname else 'server'}; {example}")
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{shown}: a store's name is letters, figures and underscores, no figure first; {example}"
            )
        said = ":".join(unquote(word) for word in (parts.username, parts.password) if word)
        asked = parse_qs(parts.query)
        if unknown := asked.keys() - {"ca"}:
            raise UsageError(f"{shown}: unknown option {min(unknown)!r}: there is ca, a file of certificates")
        return cls(
            parts.hostname,
            port,
            name,
            parts.scheme == "milvus+tls",
            said or os.environ.get("CIRCLET_STORE_TOKEN", ""),
            asked.get("ca", [""])[-1],
        )

    @property
    def endpoint(self) -> str:
        """The server, whatever store is meant."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def uri(self) -> str:
        """The server as its client writes it."""
        return f"http{'s' if self.secure else ''}://{self.endpoint}"

    def __str__(self) -> str:
        return f"milvus{'+tls' if self.secure else ''}://{self.endpoint}/{self.name}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"
