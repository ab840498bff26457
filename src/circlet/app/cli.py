"""The `circlet` command: a table of subcommands, each loaded when it is called."""

import sys
from importlib import import_module

import click

from circlet import __version__
from circlet.core import CircletError

# name: (module under circlet.app.commands, attribute, one line for the list)
# The line stands here so that `circlet --help` need not load every command.
COMMANDS: dict[str, tuple[str, str, str]] = {}


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
        command = getattr(import_module(f"circlet.app.commands.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in self.table.items()])


@click.group(cls=Lazy, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="circlet")
def cli() -> None:
    """Find pictures by a picture and words: "like this, but at night"."""


def main() -> None:
    """Run the command line; an error of circlet's own is one line and an exit code."""
    try:
        cli()
    except CircletError as error:
        click.echo(f"circlet: {error}", err=True)
        sys.exit(error.exit_code)
