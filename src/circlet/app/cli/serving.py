"""Serving a site until interrupted: the door open before anything is promised, the address printed."""

import secrets
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from circlet.app.http.config import ServerConfig


def serve_site(
    make: "Callable[[ServerConfig], FastAPI]",
    *,
    host: str,
    port: int,
    token: str | None,
    browse: bool = False,
    told: Callable[[str], None] | None = None,
    **options: Any,
) -> None:
    """Serve what `make` gives for a configuration, which `options` are more of.

    Other machines need a token, which is made up where none is given; `told` learns the address
    without it, to print more about it. With several `processes`, `make` goes to each of them.
    """
    from circlet.app.http.config import ServerConfig, is_loopback

    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(18)
    opened = _listen(host, port)
    plain = f"http://{_openable(host)}:{opened.getsockname()[1]}/"
    address = f"{plain}?token={quote(token, safe='')}" if token else plain
    serving = ServerConfig(host=host, port=opened.getsockname()[1], token=token, **options)
    server = server_of(make(serving), serving) if serving.processes == 1 else None
    click.echo(f"circlet is at {address}  (Ctrl+C ends it)")
    if told is not None:
        told(plain)
    if browse:
        click.launch(address)
    if server is not None:
        server.run(sockets=[opened])
    else:
        from circlet.app.cli.replicas import supervise

        supervise(make, serving, opened)


def server_of(site: "FastAPI", serving: "ServerConfig") -> "uvicorn.Server":
    """What answers for a site."""
    import uvicorn

    from circlet.app.http.door import door

    return uvicorn.Server(
        uvicorn.Config(
            site,
            http=door(serving.seconds),
            ws="none",
            # A line for each request that makes no sense would fill the disk of whoever is attacked.
            log_level="error",
            server_header=False,
            proxy_headers=bool(serving.proxies),
            forwarded_allow_ips=list(serving.proxies),
            timeout_graceful_shutdown=5,
            # As many are let in before the door looks whether it is full.
            backlog=128,
        )
    )


def _openable(host: str) -> str:
    """The host as a browser can open it: for "every address", this machine's own on its network."""
    if host in ("0.0.0.0", "::"):
        family, away = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
        try:
            # No packet is sent: it only asks by which address one would leave.
            with socket.socket(family, socket.SOCK_DGRAM) as asked:
                asked.connect((away, 9))
                host = str(asked.getsockname()[0])
        except OSError:
            host = "::1" if ":" in host else "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    """The door, open before anything is promised."""
    from circlet.core import UsageError

    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        door = socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host} port {port} ({error.strerror}): give another --port, or 0 for any"
        ) from None
    # Every visitor's connection takes this over: without it, each answer after the first would wait
    # some 40 ms for the visitor's machine to say that it got the one before.
    door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return door
