"""`circlet move --from A --to B`: the whole index in another store."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.index import Store


@click.command(
    epilog="""\b
Examples:
  circlet move --to milvus://localhost:19530/pictures        from the folder in use to a server
  circlet move --from milvus://localhost:19530/pictures --to ~/copy
  circlet search "two dogs" --store ~/copy                   the copy, in use
"""
)
@click.option(
    "--from",
    "source",
    metavar="PLACE",
    help="The store to copy: a folder or an address (default: the one in use).",
)
@click.option(
    "--to",
    "target",
    metavar="PLACE",
    required=True,
    help="The store that gets it: new, or begun by an earlier run.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def move(source: str | None, target: str, as_json: bool) -> None:
    """Copy everything that is indexed into another store; the one it comes from stays as it is.

    Pictures, the vectors of every encoder, marks, folders and files that could not be read: page by
    page, each read back and compared. A run that was stopped goes on when it is started again, and
    nothing is there twice. To use the copy, name it in --store or CIRCLET_STORE.
    """
    from circlet.collection import Collection
    from circlet.core import UsageError
    from circlet.index import public_address, transfer

    one, other = _place(source or Collection.open().location), _place(target)
    shown, copy = public_address(one), public_address(other)
    if one == other:
        raise UsageError(f"{shown}: the same store twice; name another one in --to")
    bar = Bar("copying", "pictures", quiet=as_json)
    with _opened(one) as kept, _opened(other, write=True) as made, bar:
        copied = transfer(kept, made, progress=bar)
    if as_json:
        click.echo(json.dumps({"from": shown, "to": copy, **copied.to_dict()}, ensure_ascii=False, indent=2))
        return
    if copied.bare:
        say(
            f"{copied.bare:,} pictures had no vector and were left out: circlet index --store {copy} reads "
            "them again"
        )
    click.echo(
        f"{copy}: {copied.pictures:,} pictures with {copied.vectors:,} vectors, {copied.marks:,} marks and "
        f"{copied.broken:,} unreadable files, the same as in {shown} ({copied.written:,} written now, "
        f"checksum {copied.checksum})"
    )


def _place(named: str) -> str:
    """Where a store is: an address as it stands, a folder in full; a home of circlet's has it inside."""
    from circlet.index import is_engine

    if is_engine(named):
        return named.rstrip("/")
    folder = Path(named).expanduser().resolve()
    return str(folder / "index" if (folder / "index").is_dir() else folder)


def _opened(place: str, *, write: bool = False) -> "Store":
    """The store, or what is wrong with its name."""
    from circlet.core import BusyError, StoreError, UsageError
    from circlet.index import open_store

    try:
        return open_store(place, write=write)
    except BusyError:
        raise
    except StoreError as error:
        raise UsageError(str(error)) from None
