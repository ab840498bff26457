"""`circlet serve`: the search page and the HTTP API."""

import os
import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from circlet.collection import Collection


@click.command(
    epilog="""\b
Examples:
  circlet serve ~/Pictures             index what is new, and open the page for this folder
  circlet serve                        the page for everything that is indexed
  circlet serve --host 0.0.0.0         for other machines too; asks for a token
"""
)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free one."
)
@click.option(
    "--token",
    envvar="CIRCLET_TOKEN",
    metavar="WORD",
    help="What visitors must know; made up where needed. Also read from CIRCLET_TOKEN.",
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name this machine goes by.")
@click.option("--encoder", metavar="NAME", help="Another encoder than the one indexed with last.")
@click.option("--no-index", is_flag=True, help="Do not look for new pictures at the start.")
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
def serve(
    folder: Path | None,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    encoder: str | None,
    no_index: bool,
    browse: bool,
) -> None:
    """Open the search page for FOLDER, or for everything that is indexed.

    Only this machine can reach it, unless --host says otherwise; then visitors need a token.
    """
    # Visitors search side by side, one processor each: threads within one search would only wait for
    # each other. It has to be said before numpy is loaded, which nothing before this line does.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from circlet.collection import Collection
    from circlet.core import UsageError

    if folder is not None and not folder.expanduser().is_dir():
        raise UsageError(f"{folder}: there is no such folder; check the path")
    collection = Collection.open(folder, encoder=encoder)
    run(
        collection,
        host=host,
        port=port,
        token=token,
        names=names,
        index=folder is not None and not no_index,
        browse=browse,
    )


def run(
    collection: "Collection",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    names: tuple[str, ...] = (),
    index: bool = False,
    browse: bool = False,
    credit: str = "",
) -> None:
    """Serve a collection until interrupted."""
    from circlet.core import UsageError

    try:
        import uvicorn

        from circlet.app.http.config import ServerConfig, is_loopback
        from circlet.app.http.door import door
        from circlet.app.http.server import create_app
    except ImportError as error:
        raise UsageError(
            f"the page needs packages that are not installed ({error.name}): pip install 'circlet[web]'"
        ) from None
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(18)
    opened = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{opened.getsockname()[1]}/"
    serving = ServerConfig(host=host, port=opened.getsockname()[1], token=token, names=names, credit=credit)
    app = create_app(collection, serving, index=index)
    config = uvicorn.Config(
        app,
        http=door(serving.seconds),
        ws="none",
        # A line for each request that makes no sense would fill the disk of whoever is attacked.
        log_level="error",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
        # As many are let in before the door looks whether it is full.
        backlog=128,
    )
    click.echo(f"circlet is at {address}{f'?token={token}' if token else ''}  (Ctrl+C ends it)")
    if browse:
        click.launch(f"{address}{f'?token={token}' if token else ''}")
    uvicorn.Server(config).run(sockets=[opened])


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
