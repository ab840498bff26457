"""Chat servers that a command may ask: its options, and what asking costs, beforehand and afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.terminal import say

if TYPE_CHECKING:
    from circlet.experiments.users import Cost, Writer

# Thousands of answers are wanted one after another: a server that stumbles is given time.
_TRIES = 8


def server_options(without: str, model: str = "Its model.") -> Callable[[Any], Any]:
    """`--server` and `--model`; `without` says what is done where no server is named."""

    def add(command: Any) -> Any:
        named = click.option("--model", metavar="NAME", help=model)(command)
        about = f"An OpenAI-compatible chat server. Without it: {without}."
        return click.option("--server", metavar="URL", help=about)(named)

    return add


@contextmanager
def writing(server: str | None, model: str | None, *, quiet: bool = False) -> "Iterator[Writer]":
    """Who writes for a command; what the server took is said at the end, also where it was stopped."""
    from circlet.core import UsageError
    from circlet.experiments.users import Writer
    from circlet.models.chat import Chat

    if model and not server:
        raise UsageError(f"--model {model} of which server? name it with --server URL")
    writer = Writer(Chat.from_environment(server, model, tries=_TRIES) if server else None)
    try:
        yield writer
    finally:
        if writer.chat is not None and not quiet:
            say(f"{writer.name}: {writer.chat.bill}")


def tell_cost(cost: "Cost", *, quiet: bool = False) -> None:
    """Say what a server will be asked for at most."""
    if cost.calls and not quiet:
        say(f"{cost}, less what was answered before")
