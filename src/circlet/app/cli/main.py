"""The `circlet` command: a table of subcommands, each loaded when it is called."""

import os
import sys
from importlib import import_module
from typing import Any

import click

from circlet import __version__
from circlet.app.cli.terminal import announce, harmless

# name: (module under circlet.app.cli.commands, attribute, one line for the list)
# The line stands here so that `circlet --help` need not load every command.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "index": ("index", "index", "Read a folder of pictures; safe to repeat, safe to interrupt."),
    "gather": ("gather", "gather", "Bring pictures from shards or a table of addresses into a folder."),
    "search": ("search", "search", "Find pictures by a picture, words or both."),
    "pick": ("pick", "pick", "Find the right one of a few: a burst, a folder, a video."),
    "session": ("session", "session", "Search over several turns: say, like, dislike, pick, undo."),
    "serve": ("serve", "serve", "Open the search page in a browser, with an HTTP API."),
    "mcp": ("mcp", "mcp", "Let an assistant on this machine search, over standard input and output."),
    "parse": ("parse", "parse", "Show what is heard in a text, before anything is searched."),
    "info": ("info", "info", "Show what is indexed, and what could not be read."),
    "verify": ("verify", "verify", "Check the index from end to end."),
    "forget": ("forget", "forget", "Take a picture or a folder out of the index."),
    "move": ("move", "move", "Copy the index into another store, and compare every page."),
    "demo": ("demo", "demo", "Show a three-turn search over thousands of drawings."),
    "reproduce": ("reproduce", "reproduce", "Run an experiment of a paper again, beside its numbers."),
    "build": (
        "build",
        "build",
        "Make a dataset from your own pictures: look-alikes, pairs, aspects.",
    ),
    "studio": ("studio", "studio", "Open pages where people describe, check, find and judge pictures."),
    "train": ("train", "train", "Learn an encoder from captions, or to compose from triplets."),
    "eval": ("eval", "evaluate", "Measure a method or a saved run on a benchmark."),
    "compare": ("compare", "compare", "Compare saved runs: differences, intervals, significance."),
    "board": ("board", "board", "Collect saved runs and results into one page, protocol by protocol."),
    "submit": (
        "submit",
        "submit",
        "Write and check files for the test servers of CIRR, CIRCO and ImageCoDe.",
    ),
    "data": ("data", "data", "Check, show and convert benchmarks."),
    "completion": ("completion", "completion", "Print what makes your shell complete circlet."),
}

_EXAMPLES = """\b
Examples:
  circlet index ~/Pictures
  circlet search beach.jpg "at night"
  circlet search "two dogs playing" --sheet dogs.png
  circlet session
"""


class Lazy(click.Group):
    """A group whose commands come from a table and are loaded on first use."""

    def __init__(self, *args: object, table: dict[str, tuple[str, str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, attribute, _ = self.table[cmd_name]
        command = getattr(import_module(f"circlet.app.cli.commands.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(n, help=line) for n, (_, _, line) in self.table.items() if n.startswith(incomplete)
        ]
        return named or click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=Lazy,
    table=COMMANDS,
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="circlet")
def cli() -> None:
    """Find pictures by a picture and words: "like this, but at night"."""
    announce()


def main() -> None:
    """Run the command line; whatever goes wrong on purpose is one line and an exit code.

    0: done; 1: it could not be done, or a search found nothing; 2: the command was not understood;
    130: interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter gets its number instead of an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run())


def _run() -> int:
    try:
        # Greyed lines say in words what the grey says, so nothing is lost without it.
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        code = cli.main(prog_name="circlet", standalone_mode=False, color=False if plain else None)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        return _complain(_sentence(error), 2)
    except click.ClickException as error:
        return _complain(error.format_message(), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except Exception as error:
        # Imported here because it brings numpy, which `circlet --help` has no use for.
        from circlet.core.errors import CircletError
        from circlet.core.extras import remedy

        known = remedy(error) if isinstance(error, ModuleNotFoundError) else error
        if not isinstance(known, CircletError):
            raise
        return _complain(str(known), known.exit_code)


def _sentence(error: click.UsageError) -> str:
    """A wrong option in one sentence that says where to look."""
    command = error.ctx.command_path if error.ctx else "circlet"
    message = error.format_message().strip().rstrip(".")
    return f"{message[:1].lower()}{message[1:]}; see {command} --help"


def _complain(line: str, code: int) -> int:
    click.echo(harmless(f"circlet: {line}"), err=True)
    return code
