"""`circlet mcp`: an assistant on this machine looks through the pictures."""

import os
from pathlib import Path

import click

from circlet.app.cli.options import store_option


@click.command(
    epilog="""\b
Examples:
  circlet mcp ~/Pictures      what an assistant's settings name as a server's command
  circlet mcp                 everything that is indexed
"""
)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--encoder", metavar="NAME", help="Another encoder than the one indexed with last.")
@click.option("--rerank", metavar="CKPT", default="", help="What orders the best 100 of each search again.")
@store_option
def mcp(folder: Path | None, encoder: str | None, rerank: str) -> None:
    """Offer search, refine, show and explain to an assistant, over standard input and output.

    It speaks the Model Context Protocol to the program that starts it and to nobody else. Index the
    folder first; only indexed pictures are shown, as small copies.
    """
    # As with `circlet serve`: one processor a search, said before numpy is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from circlet.core.extras import needed

    needed("mcp")
    from circlet.app.mcp.guide import Guide
    from circlet.app.mcp.toolbox import create_server
    from circlet.collection import Collection, SearchOptions
    from circlet.core import UsageError

    collection = Collection.open(folder, encoder=encoder)
    if not collection.roots():
        raise UsageError("nothing is indexed yet: run circlet index FOLDER first")
    create_server(Guide(collection, SearchOptions(rerank=rerank))).run("stdio")
