"""`circlet serve`: the search page and the HTTP API."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.options import encoder_options, store_option

if TYPE_CHECKING:
    from circlet.collection import Collection


@click.command(
    epilog="""\b
Examples:
  circlet serve ~/Pictures             index what is new, and open the page for this folder
  circlet serve                        the page for everything that is indexed
  circlet serve ~/Pictures --watch     the same, and index what is new while it runs
  circlet serve --host 0.0.0.0         for other machines too; asks for a token
  circlet serve --processes 4          four processes that share one index and one address
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
@encoder_options(help="Another encoder than the one indexed with last.")
@store_option
@click.option(
    "--follow/--no-follow",
    default=None,
    help="Show what links lead to outside of FOLDER, too; remembered for it. Without: skipped by name.",
)
@click.option(
    "--rerank",
    metavar="CKPT",
    default="",
    help="What orders the best 100 of each search again: a trained folder, clauses, a name.",
)
@click.option("--no-originals", is_flag=True, help="Show small copies only, never a picture's own file.")
@click.option("--no-index", is_flag=True, help="Do not look for new pictures at the start.")
@click.option("--watch", is_flag=True, help="Go on looking for new and changed pictures while it runs.")
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    metavar="N",
    help="So many processes at one address, over the same index; one that dies is started again.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy (or network) whose word on who visits is believed: its X-Forwarded-For.",
)
@click.option(
    "--warm/--no-warm",
    default=None,
    help="Answer for `circlet search` on this machine while it runs, in a quarter of the time; takes 200 MB "
    "(default: when started in a terminal).",
)
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
def serve(
    folder: Path | None,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    encoder: str | None,
    follow: bool | None,
    rerank: str,
    no_originals: bool,
    no_index: bool,
    watch: bool,
    processes: int,
    proxies: tuple[str, ...],
    warm: bool | None,
    browse: bool,
) -> None:
    """Open the search page for FOLDER, or for everything that is indexed.

    Only this machine can reach it, unless --host says otherwise; then visitors need a token.
    """
    environment = dict(os.environ)
    # Visitors search side by side, one processor each: threads within one search would only wait for
    # each other. It has to be said before numpy is loaded, which nothing before this line does.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from contextlib import nullcontext

    from circlet.app.cli.warm import warmed
    from circlet.collection import Collection
    from circlet.core import UsageError

    if folder is not None and not folder.expanduser().is_dir():
        raise UsageError(f"{folder}: there is no such folder; check the path")
    collection = Collection.open(folder, encoder=encoder)
    if follow is not None:
        if folder is None:
            raise UsageError("--follow is about the links of one folder: name it")
        collection.allow_links(follow)
    with warmed(environment) if (sys.stdout.isatty() if warm is None else warm) else nullcontext():
        run(
            collection,
            host=host,
            port=port,
            token=token,
            names=names,
            index=folder is not None and not no_index,
            browse=browse,
            originals=not no_originals,
            watch=watch,
            rerank=rerank,
            processes=processes,
            proxies=proxies,
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
    originals: bool = True,
    watch: bool = False,
    rerank: str = "",
    processes: int = 1,
    proxies: tuple[str, ...] = (),
) -> None:
    """Serve a collection until interrupted."""
    from functools import partial

    from circlet.app.cli.replicas import Replica, load_scorer
    from circlet.app.cli.serving import serve_site

    load_scorer(collection, rerank)
    replica = Replica.of(collection, index=index, watch=watch)
    serve_site(
        replica if processes > 1 else partial(replica.over, collection),
        host=host,
        port=port,
        token=token,
        browse=browse,
        names=names,
        credit=credit,
        originals=originals,
        rerank=rerank,
        processes=processes,
        proxies=proxies,
    )
