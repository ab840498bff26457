"""`circlet session`: several turns, at a prompt or through a pipe."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from circlet.app.cli.options import collection_options, opened, options_of, search_options
from circlet.app.cli.terminal import harmless, say


@click.command(
    epilog="""\b
Examples:
  circlet session                          then: a beach / at night / like 3 / not people / help
  circlet session beach.json               take up a session that was saved
  printf 'a beach\\nat night\\nsheet out.png\\n' | circlet session
"""
)
@click.argument("saved", required=False, type=click.Path(path_type=Path), metavar="[SAVED]")
@click.option("--pictures/--no-pictures", default=True, help="Thumbnails in the terminal (where it can).")
@search_options("start", top=10)
@collection_options
def session(saved: Path | None, pictures: bool, **where: Any) -> None:
    """Search over several turns: say, like 3, dislike 5, pick 2, undo, back to 1, branch, save, load.

    Every line is a turn or a command; `help` lists them. Lines can also come through a pipe: then
    there is no prompt, and the exit code is 1 when a line could not be done.
    """
    from circlet.app.cli.repl import Repl
    from circlet.core import CircletError

    collection, options = opened(where), options_of(where)
    if options.rerank:
        # What cannot be loaded is a wrong option, and no fault of the first line.
        collection.method(options)
    repl = Repl(collection, collection.session(saved, options), options, pictures=pictures)
    failed = False
    if saved is not None:
        repl.look()
    for line in _lines():
        try:
            repl.hear(line)
        except CircletError as error:
            failed = True
            say(harmless(f"circlet: {error}"))
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            say("circlet: stopped; the session is as it was")
        if repl.over:
            break
    raise click.exceptions.Exit(1 if failed and not sys.stdin.isatty() else 0)


def _lines() -> Iterator[str]:
    """Lines from a prompt with editing and recall, or from the pipe."""
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    import contextlib

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 (its import gives input() editing and recall)
    click.echo("Say what you look for; help shows what else there is, quit ends.")
    while True:
        try:
            yield input("circlet> ")
        except EOFError:
            click.echo()
            return
        except KeyboardInterrupt:
            click.echo()
